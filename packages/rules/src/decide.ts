/**
 * What is to be done about one recipient on one channel. Pure: the couriers ask before they send, a rehearsal asks without
 * sending, and both get the same answer for the same facts. A new rule about people is a fact, a setting and a step here.
 */
import type { ContactState, Reason, ReceiptState, WaveCause } from '@courier-fleet/api-types'

/** What is known of one recipient. */
export interface Facts {
  /** `attempting`: an attempt was marked by a process that did not write its answer */
  readonly receipt: 'pending' | 'attempting'
  /** on this channel; absent where the person has none */
  readonly contact?: { readonly state: ContactState; readonly reason?: string } | undefined
  /** the provider has refused this recipient for now: not before this time, after so many tries */
  readonly throttled?: { readonly untilMs: number; readonly tries: number }
}

/** What holds for everyone of the channel. Times are of the clock that `now` is of. */
export interface Policy {
  /** the provider folds a resend under the same key */
  readonly foldsResends: boolean
  /** who must wait longer than this, or has been tried so often, is handed back to a later wave */
  readonly maxWaitMs: number
  readonly maxTries: number
}

export type Decision =
  | { readonly kind: 'send' }
  | { readonly kind: 'settle'; readonly state: ReceiptState; readonly reason?: Reason; readonly detail?: string }
  | { readonly kind: 'hold'; readonly untilMs: number; readonly cause: WaveCause }

const send: Decision = { kind: 'send' }

export function decide(facts: Facts, policy: Policy, nowMs: number): Decision {
  const verdict = facts.receipt === 'attempting' ? judgeAttempt(facts, policy) : judgeContact(facts)
  return verdict ?? judgeThrottling(facts, policy, nowMs) ?? send
}

/**
 * Somebody may have it already. Where the provider folds resends it is sent again, whatever has become of the contact since: who is
 * marked was allowed before, and a STOP said meanwhile holds for whoever is not marked yet. Elsewhere nobody can know.
 */
function judgeAttempt({ contact }: Facts, { foldsResends }: Policy): Decision | undefined {
  if (!foldsResends) return { kind: 'settle', state: 'unknown', reason: 'courier-ended' }
  return contact ? undefined : { kind: 'settle', state: 'unknown', reason: 'contact-removed' }
}

function judgeContact({ contact }: Facts): Decision | undefined {
  if (!contact) return { kind: 'settle', state: 'no-contact' }
  if (contact.state === 'active') return undefined
  if (contact.state === 'opted-out') return { kind: 'settle', state: 'suppressed', reason: 'opted-out' }
  const detail = contact.reason === undefined ? {} : { detail: contact.reason }
  return { kind: 'settle', state: 'failed', reason: contact.state, ...detail }
}

function judgeThrottling({ throttled }: Facts, { maxWaitMs, maxTries }: Policy, nowMs: number): Decision | undefined {
  if (!throttled) return undefined
  const { untilMs, tries } = throttled
  const isLong = untilMs - nowMs > maxWaitMs || tries >= maxTries
  return isLong ? { kind: 'hold', untilMs, cause: 'throttled' } : undefined
}
