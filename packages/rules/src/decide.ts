/**
 * What is to be done about one recipient on one channel. Pure: the couriers ask before they send, a rehearsal asks without
 * sending, and both get the same answer for the same facts. A new rule about people is a fact, a setting and a step here.
 */
import type { ContactState, Reason, ReceiptState, WaveCause, Wishes } from '@courier-fleet/api-types'
import type { QuietFact } from './quiet-policy.ts'
import { isSwitchedOff } from './switches.ts'

/** What is known of one recipient. */
export interface Facts {
  /** `attempting`: an attempt was marked by a process that did not write its answer */
  readonly receipt: 'pending' | 'attempting'
  /** on this channel; absent where the person has none */
  readonly contact?:
    | {
        readonly state: ContactState
        readonly reason?: string
        readonly wishes?: Pick<Wishes, 'off'>
        readonly agreed?: object
      }
    | undefined
  /** their quiet hours; absent where it is not quiet now */
  readonly quiet?: QuietFact | undefined
  /** an exam of theirs that is on, and its end; absent where there is none now */
  readonly exam?: { readonly untilMs: number } | undefined
  /** they have waited for a rule about people, in a wave of that cause */
  readonly wasHeld?: boolean
  /** the provider has refused this recipient for now: not before this time, after so many tries */
  readonly throttled?:
    | {
        readonly untilMs: number
        readonly tries: number
        /** for a later wave of this cause, however soon that is: it is their own endpoint that has not taken it */
        readonly cause?: 'not-taken' | undefined
      }
    | undefined
}

/** What holds for everyone of the channel. Times are of the clock that `now` is of. */
export interface Policy {
  /** the provider folds a resend under the same key */
  readonly foldsResends: boolean
  /** who must wait longer than this, or has been tried so often, is handed back to a later wave */
  readonly maxWaitMs: number
  readonly maxTries: number
  /** what a person has switched off who is not to get this message on this channel; see switchesOf() */
  readonly switches: readonly string[]
  /** only who has agreed to be written to there is; absent: that somebody has the address is enough */
  readonly needsAgreement?: boolean
  /** nobody waits for longer than the message is worth anything; absent where that does not come */
  readonly expiresMs?: number | undefined
  /** somebody has said that whoever is held is not to be sent it at all */
  readonly cancelsHeld?: boolean
}

export type Decision =
  | { readonly kind: 'send' }
  | { readonly kind: 'settle'; readonly state: ReceiptState; readonly reason?: Reason; readonly detail?: string }
  | { readonly kind: 'hold'; readonly untilMs: number; readonly cause: WaveCause }

const send: Decision = { kind: 'send' }

export function decide(facts: Facts, policy: Policy, nowMs: number): Decision {
  const verdict = facts.receipt === 'attempting' ? judgeAttempt(facts, policy) : judgePerson(facts, policy)
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

/** The order is that of the reasons people are told: the first that says no. */
const judgePerson = (facts: Facts, policy: Policy): Decision | undefined =>
  judgeContact(facts) ?? judgeAgreement(facts, policy) ?? judgeType(facts, policy) ?? judgeHeld(facts, policy)

function judgeContact({ contact }: Facts): Decision | undefined {
  if (!contact) return { kind: 'settle', state: 'no-contact' }
  if (contact.state === 'active') return undefined
  if (contact.state === 'opted-out') return { kind: 'settle', state: 'suppressed', reason: 'opted-out' }
  const detail = contact.reason === undefined ? {} : { detail: contact.reason }
  return { kind: 'settle', state: 'failed', reason: contact.state, ...detail }
}

const judgeAgreement = ({ contact }: Facts, { needsAgreement }: Policy): Decision | undefined =>
  needsAgreement && !contact?.agreed ? { kind: 'settle', state: 'suppressed', reason: 'no-consent' } : undefined

function judgeType({ contact }: Facts, { switches }: Policy): Decision | undefined {
  return isSwitchedOff(contact?.wishes, switches)
    ? { kind: 'settle', state: 'suppressed', reason: 'type-off' }
    : undefined
}

function judgeHeld(facts: Facts, policy: Policy): Decision | undefined {
  const held = judgeExam(facts, policy) ?? judgeQuiet(facts, policy)
  return policy.cancelsHeld && (held || facts.wasHeld) ? { kind: 'settle', state: 'cancelled' } : held
}

/** As with quiet hours, that it will have expired by the end is said now. */
function judgeExam({ exam }: Facts, { expiresMs = Number.POSITIVE_INFINITY }: Policy): Decision | undefined {
  if (!exam) return undefined
  if (exam.untilMs >= expiresMs) return { kind: 'settle', state: 'expired', reason: 'exam' }
  return { kind: 'hold', untilMs: exam.untilMs, cause: 'exam' }
}

/** That it will have expired by the end of their quiet hours is said now, not then. */
function judgeQuiet({ quiet }: Facts, { expiresMs = Number.POSITIVE_INFINITY }: Policy): Decision | undefined {
  if (!quiet) return undefined
  const { untilMs, jitterMs } = quiet
  if (untilMs >= expiresMs) return { kind: 'settle', state: 'expired', reason: 'quiet' }
  const spreadMs = untilMs + jitterMs
  return { kind: 'hold', untilMs: spreadMs < expiresMs ? spreadMs : untilMs, cause: 'quiet' }
}

function judgeThrottling({ throttled }: Facts, { maxWaitMs, maxTries }: Policy, nowMs: number): Decision | undefined {
  if (!throttled) return undefined
  const { untilMs, tries, cause } = throttled
  if (cause) return { kind: 'hold', untilMs, cause }
  const isLong = untilMs - nowMs > maxWaitMs || tries >= maxTries
  return isLong ? { kind: 'hold', untilMs, cause: 'throttled' } : undefined
}
