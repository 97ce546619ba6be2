/**
 * Why a receipt says what it says: one byte an ordinal and leg in `reasons:…`, written in the same step as the receipt. The
 * bytes are fixed for the fleet; what is one of a kind (the provider's own words) stands in the evidence beside it.
 */
import type { ReceiptState } from './receipt-state.ts'

/** Who says so: a rule about the time it is where somebody is, another rule about people, or something else, such as a wish or a provider. */
type SaidBy = 'hours' | 'rule' | 'other'

const table = {
  /** the person has blocked the sender, or never allowed it to write */
  blocked: ['failed', 'B', 'other'],
  /** the account behind the address is gone */
  deactivated: ['failed', 'D', 'other'],
  /** nobody can have this address, or nobody has it for us */
  invalid: ['failed', 'I', 'other'],
  /** the provider took it and says later that it did not arrive; of a delivery report only */
  undelivered: ['failed', 'U', 'other'],
  /** the provider refuses this message, whoever it is for */
  refused: ['failed', 'R', 'other'],
  /** a field of the text had no value for them any more when it was to be sent */
  'missing-field': ['failed', 'm', 'other'],
  /** the endpoint did not take it in any try before it expired; what it answered last stands in the detail */
  'not-taken': ['failed', 'W', 'other'],
  /** the person has switched this channel off */
  'opted-out': ['suppressed', 'o', 'other'],
  /** the person has switched this type of message off, everywhere or on this channel */
  'type-off': ['suppressed', 't', 'other'],
  /** they have not agreed to be written to there, and the fleet writes to nobody else */
  'no-consent': ['suppressed', 'a', 'other'],
  /** they were sent the same text a short while ago */
  duplicate: ['suppressed', 'd', 'rule'],
  /** they have had as many messages as they are to get in this time */
  capped: ['suppressed', 'k', 'rule'],
  /** they had one so short a time ago that there is to be none */
  'too-soon': ['suppressed', 'i', 'rule'],
  /** they have had so many messages today that only important ones go out */
  'not-important': ['suppressed', 'l', 'rule'],
  /** its SMS would cost more than is left of what the message may, or nobody knows what it costs */
  'over-ceiling': ['suppressed', 'b', 'other'],
  /** the same of what is left of the sender's day, and of the fleet's month */
  'over-day-budget': ['suppressed', 'S', 'other'],
  'over-month-budget': ['suppressed', 'M', 'other'],
  /** the address of the recheck said that it is not to be sent */
  'recheck-said-no': ['suppressed', 'e', 'rule'],
  /** the address of the recheck gave no answer, and the message says that it is not sent then */
  'recheck-dropped': ['suppressed', 'n', 'rule'],
  /** it was handed over, and no answer came */
  'no-answer': ['unknown', 'A', 'other'],
  /** the process that was sending ended before it could write the answer */
  'courier-ended': ['unknown', 'C', 'other'],
  /** an attempt was under way when the contact was removed */
  'contact-removed': ['unknown', 'G', 'other'],
  /** somebody has found out that it arrived; that it did not */
  'told-delivered': ['delivered', 'Y', 'other'],
  'told-failed': ['failed', 'N', 'other'],
  /** the first attempt is unknown, and it was sent again: a report of failure may be of either */
  'sent-again': ['sent', 'g', 'other'],
  'still-unknown': ['unknown', 'h', 'other'],
  /** the provider made it wait until it expired */
  throttled: ['expired', 'T', 'other'],
  /** it expired in their quiet hours */
  quiet: ['expired', 'q', 'hours'],
  /** it expired during an exam of theirs */
  exam: ['expired', 'x', 'hours'],
  /** the address of the recheck gave no answer until it expired */
  'recheck-silent': ['expired', 's', 'rule'],
  /** they were not online before it expired */
  'not-online': ['expired', 'w', 'rule'],
  /** the person has it by another leg of the message */
  'reached-elsewhere': ['cancelled', 'z', 'other'],
  /** of a correction: the message they had was edited; they were sent one of its own; they had not been sent the older text */
  edited: ['sent', 'E', 'other'],
  'followed-up': ['sent', 'F', 'other'],
  'nothing-to-correct': ['cancelled', 'v', 'other'],
  /** of a recall: the message they had is deleted; it says now that it was withdrawn */
  deleted: ['sent', 'L', 'other'],
  replaced: ['sent', 'P', 'other'],
} as const satisfies Record<string, readonly [state: ReceiptState, byte: string, SaidBy]>

export type Reason = keyof typeof table
export const reasons = Object.keys(table) as [Reason, ...Reason[]]

/** Reasons that rules about people give who are not sent it at all; that somebody has switched something off is a wish of theirs. */
export const ruleReasons: readonly Reason[] = reasons.filter((reason) => table[reason][2] !== 'other')

/** Those of rules that go by the time: whoever may be sent to at another hour is not sent it, for it expires before. */
export const hourReasons: readonly Reason[] = reasons.filter((reason) => table[reason][2] === 'hours')

/** How a provider's refusal is classed, once, by the channel's courier; every reader words the class. */
export const refusalClasses = ['blocked', 'deactivated', 'invalid', 'refused'] as const satisfies readonly Reason[]
export type RefusalClass = (typeof refusalClasses)[number]

/** The state a receipt has with this reason. */
export const stateOfReason = (reason: Reason): ReceiptState => table[reason][0]

export const reasonBytes = Object.fromEntries(
  reasons.map((reason) => [reason, table[reason][1].charCodeAt(0)]),
) as Record<Reason, number>

const names = new Map(reasons.map((reason) => [reasonBytes[reason], reason]))

/** `undefined` where no reason was written (NUL). @throws RangeError on a byte no script writes */
export function reasonOfByte(byte: number): Reason | undefined {
  if (byte === 0) return undefined
  const reason = names.get(byte)
  if (!reason) throw new RangeError(`no reason has the byte ${byte}`)
  return reason
}
