/**
 * What is done about a text somebody has written, on any channel: STOP, START and codes for whoever it is; the rest only for
 * those who have linked the contact they write from, and then as the channel responds to it.
 */
import type { SessionView } from '@courier-fleet/api-types'
import type { Client } from '@courier-fleet/client'
import type { Clock, Log } from '@courier-fleet/process'
import type { Answer, Answers } from './answers.ts'
import { isProblem, refusesText } from './api-problems.ts'
import { digest } from './digest.ts'
import type { Fleet } from './fleet.ts'
import { hear } from './heard.ts'
import { type Command, isStop, readCommand } from './read-command.ts'
import type { SetAside } from './set-aside.ts'
import type { Speaker } from './wishes.ts'

/** A whole text. */
export interface IncomingText {
  /** the address it came from, as the channel has it */
  readonly from: string
  /** what it was written to, where there are several */
  readonly to: string
  readonly text: string
  /** the provider's own id of it: another id is another text, whatever it says */
  readonly id?: string | undefined
}

export interface HandledText {
  /** names the text: the same every time it is brought */
  readonly name: string
  /** to be sent by the channel itself, at most once: the fleet may not write to this contact */
  readonly reply?: string | undefined
}

/**
 * May be repeated with the same text at any point. A text that is refused, and would be again, is taken and set aside; a STOP never is.
 * @throws ApiError · UnreachableError: not taken, to be brought again
 */
export type HandleText = (incoming: IncomingText) => Promise<HandledText>

/** What every channel says, in one language. */
export interface CommonWording {
  readonly stopped: string
  readonly started: string
  readonly linked: (name: string) => string
  /** somebody who is not in the list has proved their contact */
  readonly applied: string
  readonly tooManyApplications: string
  readonly wrongCode: string
  readonly tooManyCodes: string
  readonly unlinkFirst: string
  readonly stranger: string
  readonly optedOut: string
}

/** A text of a person who is known, and that is not STOP, START or a code. */
export interface PersonalText {
  readonly address: string
  readonly command: Command
  readonly who: SessionView
  /** calls for the person */
  readonly person: Client
  /** STOP or START of a type, as the contact said it */
  readonly consent: Speaker['consent']
  /** of the text */
  readonly name: string
  /** of an answer to this text, every time it is sent */
  readonly answerKey: string
  /** of an answer to this text that is not given again the same day, so that a phone that answers by itself gets no more */
  readonly dailyKey: string
  /** the day (UTC), for keys of answers that are given once a day whatever the text */
  readonly today: string
}

export interface Response extends Answer {
  /** called once the answer was given */
  readonly afterwards?: () => void
}

export interface TextHandlerDeps {
  readonly channel: string
  readonly fleet: Fleet
  readonly answers: Answers
  readonly setAside: SetAside
  readonly respond: (text: PersonalText) => Promise<Response>
  readonly wordingFor: (language: string) => CommonWording
  /** for somebody whose language is not known */
  readonly wordingLike: (text: string) => CommonWording
  readonly clock: Clock
  readonly log: Log
  /** the same text without an id within this time gets no second answer: it was brought again rather than written again */
  readonly repeatMs: number
}

const dayMs = 86_400_000

export function createTextHandler(deps: TextHandlerDeps): HandleText {
  const { clock, repeatMs, setAside } = deps

  async function handle(text: NamedText): Promise<string | undefined> {
    const response = await responseTo(text, deps)
    const reply = response && (await giveAnswer(text.from, response, deps))
    response?.afterwards?.()
    return reply
  }

  return async (incoming) => {
    const { from, to, text, id } = incoming
    const name = digest(from, to, text, id ?? '')
    const today = String(Math.floor(clock.now() / dayMs))
    // an answer is only words, so where there is no id the clock may decide what is the same text
    const occasion = id === undefined ? digest(name, String(Math.floor(clock.now() / repeatMs))) : name
    try {
      return { name, reply: await handle({ ...incoming, name, today, occasion }) }
    } catch (error) {
      if (!refusesText(error) || isStop(text)) throw error
      setAside({ id: id ?? name }, error)
      return { name }
    }
  }
}

/** What the text ordered is done, so it is taken; the fleet has told its contact until when it gets no answers. */
async function giveAnswer(
  from: string,
  answer: Answer,
  { answers, log }: TextHandlerDeps,
): Promise<string | undefined> {
  try {
    return await answers.give(from, answer)
  } catch (error) {
    if (!isProblem(error, 'too-many-answers')) throw error
    log.warn({ detail: error.problem.detail }, 'a text was taken and not answered: too many answers to its contact')
    return undefined
  }
}

interface NamedText extends IncomingText {
  readonly name: string
  readonly today: string
  /** in the keys of answers: texts with the same occasion are answered once */
  readonly occasion: string
}

/** With the words for whoever wrote it. */
interface HeardText extends NamedText {
  readonly wording: CommonWording
}

async function responseTo(text: NamedText, deps: TextHandlerDeps): Promise<Response | undefined> {
  const { channel, fleet, wordingFor, wordingLike } = deps
  const heard = await hear(fleet.own, { channel, address: text.from, heard: 'message' })
  const incoming = { ...text, wording: heard ? wordingFor(heard.language) : wordingLike(text.text) }
  const command = readCommand(text.text)
  try {
    switch (command.kind) {
      case 'stop':
      case 'start':
        return await recordConsent(incoming, command.kind === 'start', deps)
      case 'code':
        return await redeem(incoming, command.code, deps)
      default:
        return await respondToPerson(incoming, command, deps)
    }
  } catch (error) {
    return answerToNobody(error, incoming)
  }
}

async function recordConsent({ from, occasion }: NamedText, allowed: boolean, deps: TextHandlerDeps): Promise<Answer> {
  const { channel, fleet, wordingFor } = deps
  const { language } = await fleet.own.recordConsent({ channel, address: from, allowed })
  const { started, stopped } = wordingFor(language)
  return { text: allowed ? started : stopped, key: `consent.${occasion}` }
}

async function redeem(incoming: HeardText, code: string, deps: TextHandlerDeps): Promise<Answer> {
  const { from, today, occasion } = incoming
  const { channel, fleet, wordingFor } = deps
  try {
    const { name, language, applied } = await fleet.own.redeem({ channel, address: from, code })
    if (applied) return { text: wordingFor(language).applied, key: `applied.${occasion}` }
    return { text: wordingFor(language).linked(name), key: `linked.${occasion}` }
  } catch (error) {
    const { wrongCode, tooManyCodes, unlinkFirst, tooManyApplications } = incoming.wording
    if (isProblem(error, 'too-many-applications')) return { text: tooManyApplications, key: `full.${occasion}` }
    if (isProblem(error, 'unlink-first')) return { text: unlinkFirst, key: `unlink.${occasion}` }
    if (isProblem(error, 'wrong-code', 'unknown-person')) return { text: wrongCode, key: `code.${occasion}` }
    if (!isProblem(error, 'too-many-codes')) throw error
    return { text: tooManyCodes, key: `codes.${digest(from, today)}` }
  }
}

async function respondToPerson(incoming: NamedText, command: Command, deps: TextHandlerDeps): Promise<Response> {
  const { from, text, name, today, occasion } = incoming
  const { channel, fleet } = deps
  const person = fleet.forContact(from)
  return deps.respond({
    address: from,
    command,
    who: await person.whoIsCalling(),
    person,
    consent: (type, allowed) => fleet.own.recordConsent({ channel, address: from, allowed, type }),
    name,
    answerKey: `answer.${occasion}`,
    dailyKey: `daily.${digest(from, text, today)}`,
    today,
  })
}

/** The API keeps for a day what it has refused under a key: a stranger, and one who said STOP, is told so once a day. */
function answerToNobody(error: unknown, { from, wording }: HeardText): Answer | undefined {
  if (isProblem(error, 'unknown-contact')) return { text: wording.stranger, key: `stranger.${digest(from)}` }
  if (isProblem(error, 'opted-out')) return { text: wording.optedOut, key: `optedOut.${digest(from)}` }
  // not an address that anybody could have: another machine
  if (isProblem(error, 'bad-address')) return undefined
  throw error
}
