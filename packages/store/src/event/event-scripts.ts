/** The scripts that act on an event and on every message that hangs on it, in one step. */
import type { ReminderOutcome } from '@courier-fleet/api-types'
import type { Redis } from '../connection/client.ts'
import { lookingAgain } from '../growth.ts'
import { tagOf } from '../hash-tags.ts'
import { keys } from '../keys.ts'
import { listReply, textReply } from '../replies.ts'
import { type Argument, asProblem, defineScript } from '../script.ts'

/** As a message is named by its sender: the id is the sender's own. */
export interface EventRef {
  readonly shard: string
  readonly sender: string
  readonly id: string
}

/** Kept for so long after it is over: nothing hangs on it any more then, for a message is due within a year of its event. */
const keptMs = 400 * 86_400_000
const keptCancelledMs = 35 * 86_400_000

const keysOf = ({ shard, sender, id }: EventRef) => ({
  event: keys.event(shard, sender, id),
  reminders: keys.reminders(shard, sender, id),
  due: keys.due(shard),
})

/** Of each message, by the id of its history. */
export type ReminderOutcomes = ReadonlyMap<string, ReminderOutcome>

function outcomesIn(told: readonly string[]): ReminderOutcomes {
  const pairs = told.flatMap((id, i) => (i % 2 === 0 ? [[id, told[i + 1] as ReminderOutcome] as const] : []))
  return new Map(pairs)
}

const putScript = defineScript('put-event', {
  keys: ['event', 'reminders', 'due'],
  args: ['tag', 'sender', 'at', 'name', 'late', 'keptMs', 'anyhow', 'laidBy'],
  reply: listReply(textReply),
})

export interface EventInput {
  /** Unix ms */
  readonly atMs: number
  readonly name: string | undefined
  /** what would have been due by then: refuse all of it, or send that at once */
  readonly late: 'refuse' | 'send'
  /** of each reminder that is known, by the id of its history: its plan at the new time, JSON; empty where no rule holds for it */
  readonly plans: ReadonlyMap<string, string>
  /** by how many shards its shard was found: nothing new is made where another is meant by now */
  readonly laidBy: number
  /** a reminder that was added since the plans were made is moved without one */
  readonly anyhow?: boolean
}

export interface EventPut {
  readonly outcome: 'created' | 'moved' | 'unchanged'
  readonly reminders: ReminderOutcomes
}

/** @throws Problem 409 `late-reminders` · `event-moved` when a reminder was added since the plans were made, unless `anyhow` */
export async function putEvent(redis: Redis, ref: EventRef, input: EventInput): Promise<EventPut> {
  const { atMs, name = '', late, plans, laidBy, anyhow = false } = input
  const of = { tag: tagOf(ref.shard), sender: ref.sender, at: atMs, name }
  const fixed = { ...of, late, keptMs, anyhow: anyhow ? 1 : 0, laidBy }
  const more: Argument[] = [...plans].flat()
  const [outcome, ...told] = await asProblem(lookingAgain(redis, putScript(redis, keysOf(ref), fixed, more)), {
    AGAIN: [409, 'event-moved', 'at'],
    GROWN: [503, 'try-again'],
    LATE: [409, 'late-reminders', 'late'],
  })
  return { outcome: outcome as EventPut['outcome'], reminders: outcomesIn(told) }
}

const cancelScript = defineScript('cancel-event', {
  keys: ['event', 'reminders', 'due'],
  args: ['tag', 'sender', 'by', 'keptMs'],
  reply: listReply(textReply),
})

export interface EventCancel {
  readonly by: string
  /** of each reminder that is known, by the id of its history: what is left of its record */
  readonly left: ReadonlyMap<string, string>
}

/** @throws Problem 404 `unknown-event` */
export async function cancelEvent(redis: Redis, ref: EventRef, { by, left }: EventCancel): Promise<ReminderOutcomes> {
  const fixed = { tag: tagOf(ref.shard), sender: ref.sender, by, keptMs: keptCancelledMs }
  const told = await asProblem(cancelScript(redis, keysOf(ref), fixed, [...left].flat()), {
    UNKNOWN: [404, 'unknown-event'],
  })
  return outcomesIn(told)
}
