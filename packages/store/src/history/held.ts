/** What is done about people of a message who wait for a later wave: they are called forward, or cancelled. */
import { type HeldCause, type HistoryRef, heldCauses, memberOf, Problem, refOfMember } from '@courier-fleet/api-types'
import type { Redis } from '../connection/client.ts'
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

/** read in one command: Redis does nothing else meanwhile */
const pageWaves = 500

/**
 * Has everybody in a shard who waits for a rule about people decided anew now: the rules have changed. Safe to repeat, and where it is
 * broken off the rest waits as before.
 * @returns how many were waiting
 */
export async function callShardForward(redis: Redis, shard: string): Promise<number> {
  let people = 0
  for (const [member, causes] of await heldIn(redis, shard))
    for (const cause of causes)
      people += await callForward(redis, refOfMember(shard, member), cause).catch(unlessItIsOver)
  return people
}

/** Cancelled, or purged, since it was read. */
const unlessItIsOver = (error: unknown): number => {
  if (error instanceof Problem) return 0
  throw error
}

/** Messages of which somebody waits for such a rule, `<sender>:<id>`, and for which ones. */
async function heldIn(redis: Redis, shard: string): Promise<Map<string, Set<HeldCause>>> {
  const waves = await laterWaves(redis, shard)
  const found = new Map<string, Set<HeldCause>>()
  for (let from = 0; from < waves.length; from += pageWaves) {
    const page = waves.slice(from, from + pageWaves)
    const texts = await Promise.all(
      page.map(({ member, number }) => redis.hget(keys.history(refOfMember(shard, member)), `wave:${number}`)),
    )
    for (const [index, { member }] of page.entries()) {
      const cause = heldCauses.find((each) => each === texts[index]?.split(' ')[1])
      if (cause) found.set(member, (found.get(member) ?? new Set()).add(cause))
    }
  }
  return found
}

/** Of all that is due in a shard, now or later, what is not the start of a message. */
async function laterWaves(redis: Redis, shard: string): Promise<{ member: string; number: string }[]> {
  const found = new Map<string, { member: string; number: string }>()
  let cursor = '0'
  // bounded: Redis ends the scan once all of the set was seen
  do {
    const [next, page] = await redis.zscan(keys.due(shard), cursor, 'COUNT', 1000)
    for (let at = 0; at < page.length; at += 2) {
      const [, member = '', number = '0'] = /^(.+):(\d+)$/.exec(page[at] as string) ?? []
      if (number !== '0') found.set(page[at] as string, { member, number })
    }
    cursor = next
  } while (cursor !== '0')
  return [...found.values()]
}
