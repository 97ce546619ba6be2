/** What people with a linked number get by SMS: a message to groups, their limit, help. */
import type { LimitsView, MessageInput } from '@courier-fleet/api-types'
import { isRefusal } from '@courier-fleet/client'
import type { Clock } from '@courier-fleet/process'
import { isProblem } from '../api-problems.ts'
import type { Fleet } from '../fleet.ts'
import { momentOf } from '../moment.ts'
import type { Command } from '../read-command.ts'
import { readDeferral } from '../read-deferral.ts'
import { respondToWish } from '../respond-to-wish.ts'
import type { PersonalText, Response } from '../text-handler.ts'
import { respondToTopic } from '../topics.ts'
import { candidatesOf, nameOf } from './candidates.ts'
import { confirmMessage } from './confirm.ts'
import type { Decisions } from './decided.ts'
import type { Outcomes } from './outcomes.ts'
import { cancelLast, tellLast } from './past-messages.ts'
import type { SendOnce } from './send-once.ts'
import { plannedFor, type Wording, wordingFor } from './wording.ts'

export interface RespondDeps {
  readonly fleet: Pick<Fleet, 'own'>
  readonly sendOnce: Pick<SendOnce, 'send'>
  readonly outcomes: Pick<Outcomes, 'owe' | 'watch' | 'forget'>
  readonly clock: Clock
  /** how long an outcome is waited for */
  readonly outcomeMs: number
  readonly decisions: Pick<Decisions, 'of' | 'keep'>
}

export function createRespond(deps: RespondDeps): (text: PersonalText) => Promise<Response> {
  return async (incoming) => {
    const { command, who, answerKey, dailyKey } = incoming
    const { timeZone, wording } = preferencesOf(incoming)
    switch (command.kind) {
      case 'limit':
        if (who.role === 'student') return { text: wording.maySendNothing, key: dailyKey }
        return { text: wording.limits(who.limits, timeZone), key: answerKey }
      case 'topic':
        return respondToTopic(incoming, command, wording)
      case 'switch':
      case 'quiet':
        return respondToWish(incoming, command, wording)
      case 'confirm':
        return confirmMessage(incoming, command, { ...deps, wording, timeZone })
      case 'cancel':
        if (who.role === 'student') return { text: wording.studentCancels, key: dailyKey }
        return cancelLast(incoming, command, { ...deps, wording })
      case 'status':
        if (who.role === 'student') return { text: wording.maySendNothing, key: dailyKey }
        return tellLast(incoming, wording)
      case 'message':
        if (who.role === 'student') return { text: wording.maySendNothing, key: dailyKey }
        return send(incoming, command, deps)
      case 'unclear':
        if (command.lacks === 'hours') return { text: wording.badHours, key: dailyKey }
        return { text: who.role === 'student' ? wording.maySendNothing : wording.unclear[command.lacks], key: dailyKey }
      default:
        return { text: who.role === 'student' ? wording.studentHelp : wording.help, key: answerKey }
    }
  }
}

function preferencesOf({ who }: PersonalText) {
  const { language = '', timeZone = 'UTC' } = who.person ?? {}
  return { language, timeZone, wording: wordingFor(language) }
}

type MessageCommand = Extract<Command, { kind: 'message' }>

/** To exactly those that are meant, when it is meant, and to nobody when that is not certain. */
async function send(incoming: PersonalText, command: MessageCommand, deps: RespondDeps): Promise<Response> {
  const { who, person, dailyKey } = incoming
  const { language, timeZone, wording } = preferencesOf(incoming)
  const candidates = await candidatesOf(person, language)
  const meant = readDeferral(command, candidates, { now: deps.clock.now(), timeZone })
  if (meant.kind === 'no-text') return { text: wording.noTextYet, key: dailyKey }
  const { found, text } = meant
  if (found.kind === 'unknown') return { text: wording.unknown(found.name, found.nearest), key: dailyKey }
  if (found.kind === 'ambiguous') return { text: wording.ambiguous(found.name, found.candidates), key: dailyKey }
  const when = meant.kind === 'later' ? meant.when : undefined
  if (when && 'ask' in when) return { text: wording.askWhen(when, timeZone), key: dailyKey }
  const message = {
    to: [...found.to],
    text,
    ...(when ? { at: new Date(when.at).toISOString() } : {}),
    ...(command.isMeant ? { duplicates: 'allow' as const } : {}),
    forecast: true as const,
  }
  try {
    return await accept(incoming, message, found.to.map((token) => nameOf(token, candidates)).join(', '), deps)
  } catch (error) {
    return { text: whyNot(error, wording, who.limits, timeZone), key: dailyKey }
  }
}

async function accept(
  incoming: PersonalText,
  message: MessageInput,
  names: string,
  { sendOnce, outcomes, clock, outcomeMs }: RespondDeps,
): Promise<Response> {
  const { address, person, name } = incoming
  const { language, timeZone, wording } = preferencesOf(incoming)
  const { key, audience, plan, at } = await sendOnce.send(name, person, message)
  const due = message.at === undefined ? clock.now() : Date.parse(at)
  await outcomes.owe(key, { address, language, name: names, until: due + outcomeMs })
  const { left } = await person.limits()
  const text = wording.accepted({
    names,
    people: audience.size,
    left,
    ...(message.at === undefined ? { planned: plannedFor(language, plan, timeZone) } : { at: momentOf(at, timeZone) }),
  })
  return { text, key: `${key}.accepted`, afterwards: () => outcomes.watch(key) }
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
