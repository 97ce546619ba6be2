/**
 * What people may do about receipts that are unknown, say what they have found out, or have them sent to again; and about those that
 * no endpoint took, have them tried again.
 */
import { type HistoryRef, memberOf } from '@courier-fleet/api-types'
import type { Redis } from '../connection/client.ts'
import { tagOf } from '../hash-tags.ts'
import { keys } from '../keys.ts'
import { numberReply } from '../replies.ts'
import { asProblem, defineScript } from '../script.ts'

/** of one call: Redis serves nobody else meanwhile, and a wave is woken in as many pieces */
const maxOrdinals = 200

const resolveScript = defineScript('resolve', {
  keys: ['history', 'receipts', 'reasons', 'evidence'],
  args: ['leg', 'message', 'tag', 'state', 'by'],
  reply: numberReply,
})
const resendScript = defineScript('resend', {
  keys: ['history', 'receipts', 'due'],
  args: ['leg', 'message', 'tag', 'by'],
  reply: numberReply,
})
const retryScript = defineScript('retry', {
  keys: ['history', 'receipts', 'reasons', 'due'],
  args: ['leg', 'message', 'tag', 'untilMs', 'maxAgeMs'],
  reply: numberReply,
})

/** so long after a message has settled it may be tried again */
const maxAgeMs = 14 * 86_400_000

/** Recipients of one leg, and whoever decides about them. */
export interface Decision {
  readonly ref: HistoryRef
  readonly leg: string
  /** ascending */
  readonly ordinals: readonly number[]
  readonly by: string
}

/** Settles those who are unknown. @returns how many there were. @throws Problem 404 */
export function resolveUnknown(redis: Redis, decision: Decision, outcome: 'delivered' | 'failed'): Promise<number> {
  const { ref, leg, by } = decision
  const names = {
    history: keys.history(ref),
    receipts: keys.receipts(ref, leg),
    reasons: keys.reasons(ref, leg),
    evidence: keys.evidence(ref, leg),
  }
  const args = { leg, message: memberOf(ref), tag: tagOf(ref.shard), state: outcome === 'delivered' ? 'd' : 'f', by }
  return inPieces(decision, (some) =>
    asProblem(resolveScript(redis, names, args, some), { UNKNOWN: [404, 'unknown-key', 'key'] }),
  )
}

/** Has those sent to again who are unknown. @returns how many there were. @throws Problem 404 · 409 `was-cancelled` `has-expired` */
export function resendUnknown(redis: Redis, decision: Decision): Promise<number> {
  const { ref, leg, by } = decision
  const names = { history: keys.history(ref), receipts: keys.receipts(ref, leg), due: keys.due(ref.shard) }
  const args = { leg, message: memberOf(ref), tag: tagOf(ref.shard), by }
  return inPieces(decision, (some) =>
    asProblem(resendScript(redis, names, args, some), {
      UNKNOWN: [404, 'unknown-key', 'key'],
      STOPPED: [409, 'was-cancelled'],
      EXPIRED: [409, 'has-expired'],
    }),
  )
}

/**
 * Has those tried again that no endpoint took. @returns how many there were
 * @throws Problem 404 · 409 `was-cancelled` `in-progress` (it has not settled) `has-expired` (it settled long ago)
 */
export function retryNotTaken(redis: Redis, which: Omit<Decision, 'by'>, untilMs: number): Promise<number> {
  const { ref, leg } = which
  const names = {
    history: keys.history(ref),
    receipts: keys.receipts(ref, leg),
    reasons: keys.reasons(ref, leg),
    due: keys.due(ref.shard),
  }
  const args = { leg, message: memberOf(ref), tag: tagOf(ref.shard), untilMs, maxAgeMs }
  return inPieces(which, (some) =>
    asProblem(retryScript(redis, names, args, some), {
      UNKNOWN: [404, 'unknown-key', 'key'],
      STOPPED: [409, 'was-cancelled'],
      RUNNING: [409, 'in-progress'],
      OLD: [409, 'has-expired'],
    }),
  )
}

async function inPieces(
  { ordinals }: Pick<Decision, 'ordinals'>,
  run: (some: readonly number[]) => Promise<number>,
): Promise<number> {
  let people = 0
  for (let at = 0; at < ordinals.length; at += maxOrdinals) people += await run(ordinals.slice(at, at + maxOrdinals))
  return people
}
