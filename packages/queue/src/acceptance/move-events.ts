/**
 * Makes or moves an event. Who is sent each of its reminders when is worked out for the new time first; then one script moves all of
 * them, or, where another was hung on the event meanwhile, nothing, and it begins again; where others are hung on it all the time, those
 * are moved without a plan in the end.
 */
import { historyKeyOf, Problem } from '@courier-fleet/api-types'
import type { Clock } from '@courier-fleet/process'
import type { EventInput, EventPut, EventRef, Events, Histories, Reminder } from '@courier-fleet/store'
import { requireKeptFiles } from '../files/kept-files.ts'
import type { Forecasts } from '../plan/forecast.ts'
import { dueAfter, endOfSending, requireReminderWithinAYear } from './times.ts'

export interface MoveEvents {
  /** @throws Problem 409 `late-reminders` `files-end-first` · 422 `too-far` `nobody-in-time` */
  put(ref: EventRef, input: Move): Promise<EventPut>
}

type Move = Pick<EventInput, 'atMs' | 'name' | 'late'>

interface MoveDeps {
  readonly events: Pick<Events, 'reminders' | 'put'>
  readonly histories: Pick<Histories, 'snapshot' | 'message'>
  readonly forecasts: Pick<Forecasts, 'planOf'>
  readonly clock: Clock
}

const maxTries = 5

export function createMoveEvents(deps: MoveDeps): MoveEvents {
  const { events, clock } = deps

  async function tryPut(ref: EventRef, input: Move, anyhow: boolean): Promise<EventPut> {
    const moved = (await events.reminders(ref))
      .map((reminder) => ({ reminder, dueMs: dueAfter({ atMs: input.atMs, offset: reminder.offset }) }))
      .filter(({ reminder, dueMs }) => reminder.state === 'scheduled' && reminder.dueMs !== dueMs)
    for (const { dueMs } of moved) requireReminderWithinAYear(dueMs, clock.now())
    const plans = await Promise.all(
      moved.map(async ({ reminder, dueMs }) => [reminder.ref.id, await planAt(deps, reminder, dueMs)] as const),
    )
    return events.put(ref, { ...input, plans: new Map(plans), anyhow })
  }

  return {
    async put(ref, input) {
      for (let tries = 1; ; tries += 1) {
        try {
          return await tryPut(ref, input, tries === maxTries)
        } catch (error) {
          if (!(error instanceof Problem && error.code === 'event-moved')) throw error
        }
      }
    },
  }
}

/** JSON; empty where no rule holds for it. @throws Problem that names the reminder */
async function planAt({ histories, forecasts }: MoveDeps, { ref, dueMs: before }: Reminder, dueMs: number) {
  const snapshot = await histories.snapshot(ref)
  const message = snapshot && histories.message(snapshot)
  if (!message) return ''
  // it expires as long after it is due as before
  const expiresMs = message.expiresMs === 0 ? 0 : message.expiresMs + dueMs - before
  const judged = async () => {
    requireKeptFiles(message.files, endOfSending(dueMs, expiresMs, dueMs), 'at')
    return forecasts.planOf(message, { ...message, dueMs, expiresMs })
  }
  const plan = await judged().catch((error: unknown) => {
    if (!(error instanceof Problem)) throw error
    throw new Problem(
      error.status,
      error.code,
      `nothing was moved: reminder ${historyKeyOf(ref)}: ${error.message}`,
      'at',
    )
  })
  return plan ? JSON.stringify(plan) : ''
}
