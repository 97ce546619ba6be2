/** The scripts that act on one history from outside: issue, schedule, reschedule, cancel. */
import type { Redis } from 'ioredis'
import { type HistoryRef, keys, memberOf } from '../keys.ts'
import { asProblem, defineScript } from '../script.ts'

const issueScript = defineScript('issue', { keys: ['history'], args: ['unusedMs'] })

/** @returns false when the key was there already */
export async function issue(redis: Redis, ref: HistoryRef, unusedMs: number): Promise<boolean> {
  return (await issueScript(redis, { history: keys.history(ref) }, { unusedMs })) === 1
}

const scheduleScript = defineScript('schedule', {
  keys: ['history', 'record', 'audience', 'staged', 'delivery', 'due', 'sent'],
  args: ['member', 'issued', 'digest', 'record', 'audience', 'size', 'dueMs', 'expiresMs', 'class', 'channels'],
})

export interface ScheduleInput {
  readonly issued: boolean
  readonly digest: string
  readonly record: string
  /** the packed ids; empty when staged */
  readonly audience: Buffer | ''
  readonly size: number
  readonly dueMs: number
  readonly expiresMs: number
  readonly class: string
  readonly channels: readonly string[]
}

/** @returns false when the same body was accepted before. @throws Problem 404 · 409 · 503 when the staged audience has lapsed */
export async function schedule(redis: Redis, ref: HistoryRef, input: ScheduleInput): Promise<boolean> {
  const reply = await asProblem(
    scheduleScript(
      redis,
      {
        history: keys.history(ref),
        record: keys.record(ref),
        audience: keys.audience(ref),
        staged: keys.staged(ref, input.digest),
        delivery: keys.delivery(ref, 0),
        due: keys.due(ref.shard),
        sent: keys.sent(ref.shard, ref.sender),
      },
      {
        ...input,
        member: `${memberOf(ref)}:0`,
        issued: input.issued ? 1 : 0,
        channels: input.channels.join(','),
      },
    ),
    { UNKNOWN: [404, 'unknown-key', 'key'], CONFLICT: [409, 'another-body'], STAGE: [503, 'try-again'] },
  )
  return reply === 1
}

const rescheduleScript = defineScript('reschedule', { keys: ['history', 'delivery', 'due'], args: ['member', 'dueMs'] })

/** @returns the due time set, Unix ms. @throws Problem 404 · 409 `already-started` · 422 when it would expire first */
export async function reschedule(redis: Redis, ref: HistoryRef, dueMs: number): Promise<number> {
  const reply = await asProblem(
    rescheduleScript(
      redis,
      { history: keys.history(ref), delivery: keys.delivery(ref, 0), due: keys.due(ref.shard) },
      { member: `${memberOf(ref)}:0`, dueMs },
    ),
    { UNKNOWN: [404, 'unknown-key', 'key'], STARTED: [409, 'already-started'], EXPIRES: [422, 'expires-first', 'at'] },
  )
  return Number(reply)
}

const cancelScript = defineScript('cancel', { keys: ['history', 'delivery', 'due'], args: ['member'] })

/** @throws Problem 404 · 409 `already-settled` */
export async function cancel(redis: Redis, ref: HistoryRef): Promise<'cancelled' | 'stopping'> {
  const reply = await asProblem(
    cancelScript(
      redis,
      { history: keys.history(ref), delivery: keys.delivery(ref, 0), due: keys.due(ref.shard) },
      { member: memberOf(ref) },
    ),
    { UNKNOWN: [404, 'unknown-key', 'key'], SETTLED: [409, 'already-settled'] },
  )
  return String(reply) as 'cancelled' | 'stopping'
}
