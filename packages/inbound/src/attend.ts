/**
 * What is done about a text somebody has sent to an inbound process, and what they are answered: STOP, START and codes for
 * whoever it is; the rest only for those who have linked the contact they write from.
 */

import type { SessionView } from '@courier-fleet/api-types'
import type { Client } from '@courier-fleet/client'
import type { Clock } from '@courier-fleet/process'
import type { Answer, Answers } from './answers.ts'
import { digest } from './digest.ts'
import { isProblem } from './patiently.ts'
import { type Command, readCommand } from './read-command.ts'

/** A whole text. */
export interface Incoming {
  /** the contact it came from, as the channel has it */
  readonly from: string
  /** what it was written to, where there are several */
  readonly to: string
  readonly text: string
  /** the provider's own id of it: another id is another text, whatever it says */
  readonly id?: string | undefined
}

export interface Attended {
  /** names the text: the same for every time it is brought */
  readonly name: string
  /** to be said by whoever heard it, at most once: the fleet has nobody to say it to */
  readonly reply?: string | undefined
}

/** May be repeated with the same text at any point. @throws ApiError · UnreachableError: not taken, to be brought again */
export type Attend = (incoming: Incoming) => Promise<Attended>

/** What an inbound process says, in one language. */
export interface InboundWording {
  readonly stopped: string
  readonly started: string
  readonly linked: (name: string) => string
  readonly wrongCode: string
  readonly tooManyCodes: string
  readonly stranger: string
  readonly optedOut: string
}

/** Somebody who is known, and wants something else than STOP, START or a code. */
export interface Visit {
  readonly address: string
  readonly command: Command
  readonly who: SessionView
  /** calls for them */
  readonly person: Client
  /** of the text */
  readonly name: string
  /** of an answer to this text, every time it is sent */
  readonly answerKey: string
  /** of an answer to this text that is not given again the same day: a phone that answers by itself must not be led on */
  readonly dailyKey: string
}

export interface Response extends Answer {
  /** to be done once it was given */
  readonly afterwards?: () => void
}

export interface AttendDeps {
  readonly channel: string
  /** of the inbound process itself */
  readonly client: Client
  /** for the person behind this contact */
  readonly clientFor: (address: string) => Client
  readonly answers: Answers
  readonly serve: (visit: Visit) => Promise<Response>
  readonly wordingFor: (language: string) => InboundWording
  /** for somebody whose language nobody knows */
  readonly wordingLike: (text: string) => InboundWording
  readonly clock: Clock
  /** within this, the same text without an id was brought again rather than sent again, as far as answers go */
  readonly repeatMs: number
}

const dayMs = 86_400_000

export function createAttend(deps: AttendDeps): Attend {
  const { channel, client, clientFor, answers, serve, wordingFor, wordingLike, clock, repeatMs } = deps

  const today = () => String(Math.floor(clock.now() / dayMs))

  async function recordConsent({ from }: Incoming, allowed: boolean, occasion: string): Promise<Answer> {
    const { language } = await client.recordConsent({ channel, address: from, allowed })
    const { started, stopped } = wordingFor(language)
    return { text: allowed ? started : stopped, key: `consent.${occasion}` }
  }

  async function redeem({ from, text }: Incoming, code: string, occasion: string): Promise<Answer> {
    try {
      const { name, language } = await client.redeem({ channel, address: from, code })
      return { text: wordingFor(language).linked(name), key: `linked.${occasion}` }
    } catch (error) {
      const { wrongCode, tooManyCodes } = wordingLike(text)
      if (isProblem(error, 'wrong-code', 'unknown-person')) return { text: wrongCode, key: `code.${occasion}` }
      if (!isProblem(error, 'too-many-codes')) throw error
      return { text: tooManyCodes, key: `codes.${digest(from, today())}` }
    }
  }

  async function respond(incoming: Incoming, name: string, occasion: string): Promise<Response | undefined> {
    const command = readCommand(incoming.text)
    try {
      switch (command.kind) {
        case 'stop':
        case 'start':
          return await recordConsent(incoming, command.kind === 'start', occasion)
        case 'code':
          return await redeem(incoming, command.code, occasion)
        default: {
          const person = clientFor(incoming.from)
          const who = await person.whoIsCalling()
          return await serve({
            address: incoming.from,
            command,
            who,
            person,
            name,
            answerKey: `answer.${occasion}`,
            dailyKey: `daily.${digest(incoming.from, incoming.text, today())}`,
          })
        }
      }
    } catch (error) {
      return whenNobody(error, incoming)
    }
  }

  /** The API keeps for a day what it has refused under a key: a stranger, and one who said STOP, hears this once a day. */
  function whenNobody(error: unknown, { from, text }: Incoming): Answer | undefined {
    const { stranger, optedOut } = wordingLike(text)
    if (isProblem(error, 'unknown-contact')) return { text: stranger, key: `stranger.${digest(from)}` }
    if (isProblem(error, 'opted-out')) return { text: optedOut, key: `optedOut.${digest(from)}` }
    // no contact that anybody could have: another machine
    if (isProblem(error, 'bad-address')) return undefined
    throw error
  }

  return async (incoming) => {
    const { from, to, text, id } = incoming
    const name = digest(from, to, text, id ?? '')
    // an answer is no more than words: where there is no id, the clock may decide what is the same text
    const occasion = id === undefined ? digest(name, String(Math.floor(clock.now() / repeatMs))) : name
    const response = await respond(incoming, name, occasion)
    const reply = response && (await answers.give(from, response))
    response?.afterwards?.()
    return { name, reply }
  }
}
