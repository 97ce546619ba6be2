/** What is done about people of a message who wait for a later wave: they are called forward, or cancelled. */
import { type HeldCause, type HistoryRef, memberOf } from '@courier-fleet/api-types'
import type { Redis } from 'ioredis'
import { tagOf } from '../hash-tags.ts'
import { keys } from '../keys.ts'
import { listReply, numberReply } from '../replies.ts'
import { asProblem, defineScript, type ProblemTable } from '../script.ts'

const refusals: ProblemTable = { UNKNOWN: [404, 'unknown-key', 'key'], STOPPED: [409, 'cancelled', 'key'] }

const callForwardScript = defineScript('call-forward', {
  keys: ['history', 'due'],
  args: ['message', 'tag', 'cause', 'by'],
  reply: numberReply,
})

/**
 * Has everybody who waits for this cause decided anew now, by the rules as they are now. With `by` the message goes out in spite of
 * the cause from then on, because that person has said so: of `quiet`, in the fleet's hours, while a person's own still hold. Without,
 * whoever has to wait waits on. Safe to repeat.
 * @returns how many were waiting. @throws Problem 404 · 409 `cancelled`
 */
export async function callForward(redis: Redis, ref: HistoryRef, cause: HeldCause, by = ''): Promise<number> {
  const at = { history: keys.history(ref), due: keys.due(ref.shard) }
  const args = { message: memberOf(ref), tag: tagOf(ref.shard), cause, by }
  return asProblem(callForwardScript(redis, at, args), refusals)
}

const cancelHeldScript = defineScript('cancel-held', {
  keys: ['history', 'due'],
  args: ['message', 'tag', 'cause', 'by'],
  reply: listReply(numberReply),
})

/**
 * Cancels those who wait for this cause and nobody else; whoever of the message comes to wait for it later is cancelled then.
 * Safe to repeat, also where an earlier call did not come to its end.
 * @returns how many were cancelled by this call, counted on each channel. @throws Problem 404 · 409 `cancelled`
 */
export async function cancelHeld(redis: Redis, ref: HistoryRef, cause: HeldCause, by: string): Promise<number> {
  const at = { history: keys.history(ref), due: keys.due(ref.shard) }
  const args = { message: memberOf(ref), tag: tagOf(ref.shard), cause, by }
  let people = 0
  for (;;) {
    const [cancelled = 0, hasMore] = await asProblem(cancelHeldScript(redis, at, args), refusals)
    people += cancelled
    if (hasMore !== 1) return people
  }
}
