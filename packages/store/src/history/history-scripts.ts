/** The scripts that act on one history from outside: issue, upload, schedule, reschedule, cancel. */

import { type HistoryRef, memberOf } from '@courier-fleet/api-types'
import type { Redis } from '../connection/client.ts'
import { isGrown, lookAtShards } from '../growth.ts'
import { tagOf } from '../hash-tags.ts'
import { keys } from '../keys.ts'
import { flagReply, listReply, numberReply, outcomeReply, textReply } from '../replies.ts'
import { type Argument, asProblem, defineScript, type ProblemTable, problemOf } from '../script.ts'

const issueScript = defineScript('issue', { keys: ['history'], args: ['unusedMs'], reply: flagReply })

/** @returns false when the key was there already */
export async function issue(redis: Redis, ref: HistoryRef, unusedMs: number): Promise<boolean> {
  return issueScript(redis, { history: keys.history(ref) }, { unusedMs })
}

/** A message that was accepted now; Unix ms. */
export interface Created {
  readonly created: true
  readonly dueMs: number
  readonly acceptedMs: number
}
/** What became of a message that was put: not created where the same body was accepted before. */
export type Put = Created | { readonly created: false }

const asBefore: Put = { created: false }

function putReply(reply: unknown): Put {
  if (reply === null) return asBefore
  const [dueMs, acceptedMs] = textReply(reply).split(' ')
  return { created: true, dueMs: Number(dueMs), acceptedMs: Number(acceptedMs) }
}

const scheduleScript = defineScript('schedule', {
  keys: ['due'],
  args: ['tag'],
  reply: listReply(outcomeReply(putReply)),
})

/** An audience that needs no key of its own; one that was uploaded before, in this attempt. */
export const inRecord = ''
export const uploadedIn = (attempt: string) => `*${attempt}`

/** Messages of one call: Redis serves nobody else meanwhile. */
export const maxScheduled = 64

export interface ScheduleInput {
  readonly ref: HistoryRef
  readonly issued: boolean
  readonly digest: string
  /** as packRecord() gives it */
  readonly record: string
  /** the packed ids; `inRecord` or `uploadedIn()` when they are elsewhere */
  readonly audience: string
  readonly size: number
  readonly dueMs: number
  /** instead of `dueMs`: after its acceptance */
  readonly delayMs?: number | undefined
  readonly expiresMs: number
  /** as PutInput has it */
  readonly lastsMs?: number | undefined
  readonly class: string
  /** empty for `general` */
  readonly type: string
  /** JSON; empty where no rule holds for it */
  readonly plan: string
  readonly channels: readonly string[]
  /** empty for none */
  readonly secret: string
  /** `<person>:<thing>`; empty for none */
  readonly about: string
  readonly event?: HangsOn | undefined
  /** whether its people are asked to confirm it */
  readonly confirm: boolean
  /** as packSteps() gives them; empty for none */
  readonly steps: string
  /** of its type; undefined for none */
  readonly deadlineMs: number | undefined
  /** in parts or millionths; absent for none */
  readonly ceiling: number | undefined
  /** absent for one that goes by itself */
  readonly merge?: Merge | undefined
  /** as PutInput has it */
  readonly laidBy?: number | undefined
}

/** It may go out as one with others of its sender, of its type and to the same person, that are due so long after it. */
export interface Merge {
  readonly person: string
  readonly windowMs: number
  /** that join texts */
  readonly channels: readonly string[]
}

/** The event a message hangs on, which lies in its shard. */
export interface HangsOn {
  readonly id: string
  /** s after the event */
  readonly offset: number
  /** when the event is, as it was read, Unix ms: by another time nothing is accepted */
  readonly atMs: number
}

/**
 * Accepts messages of one shard, `maxScheduled` at most.
 * @returns of each, in order, what became of it, or why it was not accepted: Problem 404 · 409 · 503 when the uploaded audience has
 * lapsed
 */
export async function schedule(
  redis: Redis,
  shard: string,
  messages: readonly ScheduleInput[],
): Promise<(Put | Error)[]> {
  const fields = messages.flatMap(argumentsOf)
  const outcomes = await scheduleScript(redis, { due: keys.due(shard) }, { tag: tagOf(shard) }, fields)
  // what is put again is to be laid where it lies now
  if (outcomes.some(isGrown)) await lookAtShards(redis)
  return outcomes.map((outcome) => (outcome instanceof Error ? problemOf(outcome, refusals) : outcome))
}

/** As schedule.lua reads them: what every message has, then by name what this one has besides. */
function argumentsOf(message: ScheduleInput): Argument[] {
  const { ref, issued, digest, record, audience, size, dueMs, delayMs, class: cls, event } = message
  const due = delayMs === undefined ? dueMs : `+${delayMs}`
  const fields: Argument[] = [memberOf(ref), issued ? 1 : 0, digest, record, audience, size, due, cls, 0]
  const add = (name: string, value: Argument) => fields.push(name, value)
  if (message.laidBy !== undefined) add('laid_by', message.laidBy)
  if (message.about) add('about', message.about)
  if (event) add('event', `${event.id} ${event.offset} ${event.atMs}`)
  if (message.secret) add('secret', message.secret)
  if (message.expiresMs) add('expires', message.expiresMs)
  if (message.lastsMs !== undefined) add('lasts', message.lastsMs)
  if (message.channels.length > 0) add('channels', message.channels.join(','))
  if (message.type) add('type', message.type)
  if (message.plan) add('plan', message.plan)
  if (message.confirm) add('confirm', 1)
  if (message.steps) add('steps', message.steps)
  if (message.deadlineMs !== undefined) add('deadline', message.deadlineMs)
  if (message.ceiling !== undefined) add('ceiling', message.ceiling)
  if (message.merge) add('merge', packMerge(message.merge))
  fields[alwaysGiven - 1] = fields.length - alwaysGiven
  return fields
}

/** the last of them says how many more there are */
const alwaysGiven = 9

const packMerge = ({ windowMs, channels, person }: Merge) => `${windowMs} ${channels.join(',')} ${person}`

const uploadScript = defineScript('upload', {
  keys: ['upload'],
  args: ['from', 'piece', 'lapseMs'],
  reply: numberReply,
})

/** Puts a piece of a large audience where schedule() will take it from; in order. @throws Problem 503 when what came before is gone */
export async function upload(redis: Redis, key: string, from: number, piece: string, lapseMs: number): Promise<void> {
  await asProblem(uploadScript(redis, { upload: key }, { from, piece, lapseMs }), { UPLOAD: [503, 'try-again'] })
}

const refusals: ProblemTable = {
  UNKNOWN: [404, 'unknown-key', 'key'],
  CONFLICT: [409, 'another-body'],
  ABOUT: [409, 'another-reminder', 'about'],
  CANCELLED: [409, 'cancelled', 'key'],
  EVENT: [422, 'unknown-event', 'event'],
  MOVED: [409, 'event-moved', 'event'],
  REMINDERS: [409, 'too-many-reminders', 'event'],
  GROWN: [503, 'try-again'],
  UPLOAD: [503, 'try-again'],
}

const rescheduleScript = defineScript('reschedule', {
  keys: ['history', 'due'],
  args: ['message', 'tag', 'dueMs', 'plan'],
  reply: numberReply,
})

/** @returns the due time set, Unix ms. @throws Problem 404 · 409 `already-started` · 422 when it would expire first */
export async function reschedule(redis: Redis, ref: HistoryRef, dueMs: number, plan = ''): Promise<number> {
  return asProblem(
    rescheduleScript(
      redis,
      { history: keys.history(ref), due: keys.due(ref.shard) },
      { message: memberOf(ref), tag: tagOf(ref.shard), dueMs, plan },
    ),
    { UNKNOWN: [404, 'unknown-key', 'key'], STARTED: [409, 'already-started'], EXPIRES: [422, 'expires-first', 'at'] },
  )
}

const releaseScript = defineScript('release', {
  keys: ['history', 'due'],
  args: ['message', 'tag', 'by'],
  reply: flagReply,
})

/** @returns whether it waited for this, and goes out now. @throws Problem 404 · 409 `already-started` */
export async function release(redis: Redis, ref: HistoryRef, by: string): Promise<boolean> {
  return asProblem(
    releaseScript(
      redis,
      { history: keys.history(ref), due: keys.due(ref.shard) },
      { message: memberOf(ref), tag: tagOf(ref.shard), by },
    ),
    { UNKNOWN: [404, 'unknown-key', 'key'], STARTED: [409, 'already-started'] },
  )
}

const cancelScript = defineScript('cancel', {
  keys: ['history', 'due'],
  args: ['message', 'tag', 'left', 'by', 'unstarted'],
  reply: textReply,
})

interface Cancel {
  /** what the record says from then on, where nobody was sent it: without the text, and without the people */
  readonly left: string
  readonly by: string
  /** it is left alone once it has started */
  readonly unstarted: boolean
}

/** @throws Problem 404 · 409 `already-settled`, `already-started` */
export async function cancel(redis: Redis, ref: HistoryRef, how: Cancel): Promise<'cancelled' | 'stopping'> {
  const { left, by, unstarted } = how
  const reply = await asProblem(
    cancelScript(
      redis,
      { history: keys.history(ref), due: keys.due(ref.shard) },
      { message: memberOf(ref), tag: tagOf(ref.shard), left, by, unstarted: unstarted ? 1 : 0 },
    ),
    { UNKNOWN: [404, 'unknown-key', 'key'], SETTLED: [409, 'already-settled'], STARTED: [409, 'already-started'] },
  )
  return reply === 'cancelled' ? 'cancelled' : 'stopping'
}
