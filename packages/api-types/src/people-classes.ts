/**
 * What is known of one person and one message, over all channels: everyone of the audience is in exactly one class. Free of
 * zod, so that a page may load it.
 */
import { type Reason, stateOfReason } from './reasons.ts'
import type { ReceiptState } from './receipt-state.ts'

/** Each person is in the first of these that fits one of their receipts. */
export const peopleClasses = [
  /** it is known that it arrived, on some channel */
  'delivered',
  /** handed to the person's chat, and that is all the channel can ever say */
  'sentToChat',
  /** taken by a provider that may still tell: it may come yet, or fail */
  'handedOver',
  /** still to be sent */
  'pending',
  /** somebody says that they have told them themselves; no channel is known to have */
  'toldByVoice',
  /** nobody knows whether it was sent */
  'unknown',
  /** every try ended without it */
  'notDelivered',
  /** no address on any channel */
  'withoutContact',
] as const
export type PeopleClass = (typeof peopleClasses)[number]

const classes: Readonly<Record<Exclude<ReceiptState, 'sent'>, PeopleClass>> = {
  pending: 'pending',
  delivered: 'delivered',
  read: 'delivered',
  confirmed: 'delivered',
  failed: 'notDelivered',
  suppressed: 'notDelivered',
  'no-contact': 'withoutContact',
  expired: 'notDelivered',
  cancelled: 'notDelivered',
  unknown: 'unknown',
}

/** @param tellsMore whether the channel may say more of a message than that it was taken */
export function classOfState(state: ReceiptState, tellsMore: boolean): PeopleClass {
  if (state === 'sent') return tellsMore ? 'handedOver' : 'sentToChat'
  return classes[state]
}

/** The first of them in the order of the classes; where no channel has begun, all is still to come. */
export function firstClass(found: Iterable<PeopleClass>): PeopleClass {
  const all = new Set(found)
  return peopleClasses.find((name) => all.has(name)) ?? 'pending'
}

/**
 * Why somebody does not have it: one reason a person, that of the try which came nearest to them. Where no reason was
 * written, the state says it.
 */
export const whyNotDelivered = [
  'told-failed',
  'undelivered',
  'cancelled',
  'throttled',
  'not-taken',
  'expired',
  'refused',
  'missing-field',
  'quiet',
  'exam',
  'not-online',
  'recheck-silent',
  'recheck-said-no',
  'recheck-dropped',
  'duplicate',
  'capped',
  'too-soon',
  'not-important',
  'over-ceiling',
  'over-day-budget',
  'over-month-budget',
  'type-off',
  'no-consent',
  'opted-out',
  'blocked',
  'deactivated',
  'invalid',
  'failed',
  'suppressed',
  'reached-elsewhere',
  'nothing-to-correct',
] as const satisfies readonly (Reason | ReceiptState)[]
export type WhyNotDelivered = (typeof whyNotDelivered)[number]

/** Why it is not known whether somebody has it. */
export const whyUnknown = [
  'still-unknown',
  'no-answer',
  'courier-ended',
  'contact-removed',
  'unknown',
] as const satisfies readonly (Reason | ReceiptState)[]
export type WhyUnknown = (typeof whyUnknown)[number]

export type Why = WhyNotDelivered | WhyUnknown
export const whys: readonly Why[] = [...whyNotDelivered, ...whyUnknown]

/** What a receipt says of itself: its reason, or its state where there is none that fits it. */
export function whyOf(state: ReceiptState, reason: Reason | undefined): Why | undefined {
  const said = reason && stateOfReason(reason) === state ? reason : state
  return whys.find((why) => why === said)
}
