/** The scripts that act on one history from outside: issue, stage, schedule, reschedule, cancel. */

import { type HistoryRef, memberOf } from '@courier-fleet/api-types'
import type { Redis } from 'ioredis'
import { tagOf } from '../hash-tags.ts'
import { keys } from '../keys.ts'
import { type Argument, asProblem, defineScript, type ProblemTable, problemOf } from '../script.ts'

const issueScript = defineScript('issue', { keys: ['history'], args: ['unusedMs'] })

/** @returns false when the key was there already */
export async function issue(redis: Redis, ref: HistoryRef, unusedMs: number): Promise<boolean> {
  return (await issueScript(redis, { history: keys.history(ref) }, { unusedMs })) === 1
}

const scheduleScript = defineScript('schedule', { keys: ['due'], args: ['tag'] })

/** An audience that needs no key of its own; one that was staged beforehand, in this attempt. */
export const inRecord = ''
export const stagedIn = (attempt: string) => `*${attempt}`

/** Most messages of one call: Redis serves nobody else meanwhile. */
export const mostScheduled = 64

export interface ScheduleInput {
  readonly ref: HistoryRef
  readonly issued: boolean
  readonly digest: string
  /** as packRecord() gives it */
  readonly record: string
  /** the packed ids; `inRecord` or `stagedIn()` when they are elsewhere */
  readonly audience: string
  readonly size: number
  readonly dueMs: number
  readonly expiresMs: number
  readonly class: string
  readonly channels: readonly string[]
}

/**
 * Accepts messages of one shard, `mostScheduled` at most.
 * @returns of each, in order: false when the same body was accepted before; or why not: Problem 404 · 409 · 503 when the
 * staged audience has lapsed
 */
export async function schedule(
  redis: Redis,
  shard: string,
  messages: readonly ScheduleInput[],
): Promise<(boolean | Error)[]> {
  const fields: Argument[] = []
  for (const { ref, issued, digest, record, audience, size, dueMs, expiresMs, class: cls, channels } of messages) {
    fields.push(
      memberOf(ref),
      issued ? 1 : 0,
      digest,
      record,
      audience,
      size,
      dueMs,
      expiresMs,
      cls,
      channels.join(','),
    )
  }
  const replies = (await scheduleScript(redis, { due: keys.due(shard) }, { tag: tagOf(shard) }, fields)) as (
    | number
    | Error
  )[]
  return replies.map((reply) => (reply instanceof Error ? (problemOf(reply, refusals) as Error) : reply === 1))
}

const stageScript = defineScript('stage', { keys: ['staged'], args: ['from', 'piece', 'lapseMs'] })

/** Puts a piece of a large audience where schedule() will take it from; in order. @throws Problem 503 when what came before is gone */
export async function stage(redis: Redis, staged: string, from: number, piece: string, lapseMs: number): Promise<void> {
  await asProblem(stageScript(redis, { staged }, { from, piece, lapseMs }), { STAGE: [503, 'try-again'] })
}

const refusals: ProblemTable = {
  UNKNOWN: [404, 'unknown-key', 'key'],
  CONFLICT: [409, 'another-body'],
  STAGE: [503, 'try-again'],
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
