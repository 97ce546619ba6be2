/** What people with a linked number get by SMS: a message to groups, their limit, help. */
import type { LimitsView } from '@courier-fleet/api-types'
import type { Client } from '@courier-fleet/client'
import type { Clock } from '@courier-fleet/process'
import { languageOf } from '@courier-fleet/words'
import { isProblem, isRefusal } from '../api-problems.ts'
import { type Candidate, findAudience } from '../find-audience.ts'
import type { Command } from '../read-command.ts'
import { respondToWish } from '../respond-to-wish.ts'
import type { PersonalText, Response } from '../text-handler.ts'
import { candidateOf, respondToTopic } from '../topics.ts'
import type { Outcomes } from './outcomes.ts'
import type { SendOnce } from './send-once.ts'
import { plannedFor, type Wording, wordingFor } from './wording.ts'

export interface RespondDeps {
  readonly sendOnce: Pick<SendOnce, 'send'>
  readonly outcomes: Pick<Outcomes, 'owe' | 'watch'>
  readonly clock: Clock
  /** how long an outcome is waited for */
  readonly outcomeMs: number
}

export function createRespond(deps: RespondDeps): (text: PersonalText) => Promise<Response> {
  return async (incoming) => {
    const { command, who, answerKey, dailyKey } = incoming
    const { timeZone, wording } = preferencesOf(incoming)
    switch (command.kind) {
      case 'limit':
        return { text: wording.limits(who.limits, timeZone), key: answerKey }
      case 'topic':
        return respondToTopic(incoming, command, wording)
      case 'switch':
      case 'quiet':
        return respondToWish(incoming, command, wording)
      case 'message':
        if (who.role === 'student') return { text: wording.maySendNothing, key: dailyKey }
        return send(incoming, command, deps)
      case 'unclear':
        if (command.lacks === 'hours') return { text: wording.badHours, key: dailyKey }
        return { text: who.role === 'student' ? wording.maySendNothing : wording.unclear[command.lacks], key: dailyKey }
      default:
        return { text: wording.help, key: answerKey }
    }
  }
}

function preferencesOf({ who }: PersonalText) {
  const { language = '', timeZone = 'UTC' } = who.person ?? {}
  return { language, timeZone, wording: wordingFor(language) }
}

type MessageCommand = Extract<Command, { kind: 'message' }>

/** To exactly those that are meant, and to nobody when that is not certain. */
async function send(
  incoming: PersonalText,
  { to, text, isMeant }: MessageCommand,
  deps: RespondDeps,
): Promise<Response> {
  const { sendOnce, outcomes, clock, outcomeMs } = deps
  const { address, who, person, name, dailyKey } = incoming
  const { language, timeZone, wording } = preferencesOf(incoming)
  const found = findAudience(to, await candidatesOf(person, language))
  if (found.kind === 'unknown') return { text: wording.unknown(found.name, found.nearest), key: dailyKey }
  if (found.kind === 'ambiguous') return { text: wording.ambiguous(found.name, found.candidates), key: dailyKey }
  try {
    const message = { to: [...found.to], text, ...(isMeant ? { duplicates: 'allow' as const } : {}) }
    const { key, audience, plan } = await sendOnce.send(name, person, message)
    await outcomes.owe(key, { address, language, until: clock.now() + outcomeMs })
    const { left } = await person.limits()
    const accepted = wording.accepted(audience.size, left, plannedFor(language, plan, timeZone))
    return { text: accepted, key: `${key}.accepted`, afterwards: () => outcomes.watch(key) }
  } catch (error) {
    return { text: whyNot(error, wording, who.limits, timeZone), key: dailyKey }
  }
}

async function candidatesOf(person: Client, language: string): Promise<Candidate[]> {
  const [{ groups }, { cohorts }, { topics }] = await Promise.all([person.groups(), person.cohorts(), person.topics()])
  return [
    ...groups.map(({ id, name }) => ({ kind: 'group' as const, id, name })),
    ...cohorts.map(({ id, name }) => ({ kind: 'cohort' as const, id, name })),
    ...topics.filter(({ mayWrite }) => mayWrite).map((topic) => candidateOf(topic, languageOf(language))),
  ]
}

const notOfTheMessage: ReadonlySet<string> = new Set(['unknown-contact', 'opted-out', 'bad-address'])

function whyNot(error: unknown, wording: Wording, { limit }: LimitsView, timeZone: string): string {
  if (isProblem(error, 'quota')) return wording.overLimit(limit ?? undefined, error.problem.resetsAt, timeZone)
  if (isProblem(error, 'same-again')) return wording.sameAgain(error.problem.sentAt ?? '', timeZone)
  if (isProblem(error, 'empty-audience')) return wording.nobodyInside
  if (isProblem(error, 'invalid', 'too-large')) return wording.tooLong
  // what was found a moment ago is gone, or somebody else's
  if (isProblem(error, 'unknown-audience', 'not-your-audience', 'not-allowed')) return wording.unclear.groups
  // whoever may not be spoken to is answered elsewhere; a key that is not known and calls that come too fast pass
  if (!isRefusal(error)) throw error
  const { status, code } = error.problem
  if (status === 401 || notOfTheMessage.has(code)) throw error
  return wording.refused(code)
}
