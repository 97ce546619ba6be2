/** What people with a linked number get by SMS: a message to groups, their limit, help. */

import type { LimitsView } from '@courier-fleet/api-types'
import type { Clock } from '@courier-fleet/process'
import type { Response, Visit } from '../attend.ts'
import { isProblem } from '../patiently.ts'
import { findAudience } from './find-audience.ts'
import type { Outcomes } from './outcomes.ts'
import type { SendOnce } from './send-once.ts'
import { type Wording, wordingFor } from './wording.ts'

export interface ServeDeps {
  readonly sendOnce: Pick<SendOnce, 'send'>
  readonly outcomes: Pick<Outcomes, 'owe' | 'watch'>
  readonly clock: Clock
  /** how long an outcome is waited for */
  readonly outcomeMs: number
}

export function createServe({ sendOnce, outcomes, clock, outcomeMs }: ServeDeps): (visit: Visit) => Promise<Response> {
  /** To exactly those that are meant, and to nobody when that is not certain. */
  async function send(visit: Visit, names: readonly string[], text: string): Promise<Response> {
    const { address, who, person, name, dailyKey } = visit
    const { language = '', timeZone = 'UTC' } = who.person ?? {}
    const wording = wordingFor(language)
    const say = (said: string): Response => ({ text: said, key: dailyKey })
    const [{ groups }, { cohorts }] = await Promise.all([person.groups(), person.cohorts()])
    const found = findAudience(names, [
      ...groups.map(({ id, name }) => ({ kind: 'group' as const, id, name })),
      ...cohorts.map(({ id, name }) => ({ kind: 'cohort' as const, id, name })),
    ])
    if (found.kind === 'unknown') return say(wording.unknown(found.name, found.nearest))
    if (found.kind === 'ambiguous') return say(wording.ambiguous(found.name, found.candidates))
    try {
      const { key, audience } = await sendOnce.send(name, person, { to: [...found.to], text })
      await outcomes.owe(key, { address, language, until: clock.now() + outcomeMs })
      const { left } = await person.limits()
      const accepted = wording.accepted(audience.size, left)
      return { text: accepted, key: `${key}.accepted`, afterwards: () => outcomes.watch(key) }
    } catch (error) {
      return say(whyNot(error, wording, who.limits, timeZone))
    }
  }

  return async (visit) => {
    const { command, who, answerKey, dailyKey } = visit
    const { language = '', timeZone = 'UTC' } = who.person ?? {}
    const wording = wordingFor(language)
    switch (command.kind) {
      case 'limit':
        return { text: wording.limits(who.limits, timeZone), key: answerKey }
      case 'message':
      case 'unclear': {
        const say = (text: string): Response => ({ text, key: dailyKey })
        if (who.role === 'student') return say(wording.maySendNothing)
        return command.kind === 'message' ? send(visit, command.to, command.text) : say(wording.unclear[command.lacks])
      }
      default:
        return { text: wording.help, key: answerKey }
    }
  }
}

function whyNot(error: unknown, wording: Wording, { limit }: LimitsView, timeZone: string): string {
  if (isProblem(error, 'quota')) return wording.overLimit(limit ?? undefined, error.problem.resetsAt, timeZone)
  if (isProblem(error, 'empty-audience')) return wording.nobodyInside
  if (isProblem(error, 'invalid', 'too-large')) return wording.tooLong
  // what was found a moment ago is gone, or somebody else's
  if (isProblem(error, 'unknown-audience', 'not-your-audience', 'not-allowed')) return wording.unclear.groups
  throw error
}
