/** Why people of a message wait for a later wave of it. */
import type { Reason } from './reasons.ts'

/** `held`: a rule about people that calls them forward when it changes, of whom the sender may cancel whoever waits; `rule`: another rule; `other`: no rule about people. */
type Kind = 'held' | 'rule' | 'other'
/**
 * Why somebody was not reached who waited for this until the message expired; null: it says nothing of the person. That somebody's
 * quiet hours last until then is decided at once, not found out then.
 */
type AtExpiry = Reason | null

const table = {
  throttled: ['other', 'throttled'],
  'handed-back': ['other', null],
  'sent-again': ['other', null],
  /** it is night where they are, or they do not want to be written to at this hour */
  quiet: ['held', null],
  /** a group of theirs sits an exam */
  exam: ['held', null],
  /** they have had as many messages as they are to get in this time; one so short a time ago */
  capped: ['held', null],
  'too-soon': ['held', null],
  /** they are to be online first */
  online: ['held', 'not-online'],
  /** another message with the same text is on its way to them */
  'same-on-its-way': ['rule', null],
  /** the address of the recheck has not answered */
  recheck: ['rule', 'recheck-silent'],
  /** the endpoint has not taken it; it is tried again */
  'not-taken': ['other', 'not-taken'],
  /** they are sent it by the next channels, unless a former one reaches them by then */
  step: ['other', null],
  /** one contact of theirs certainly did not get it, and they have another on the channel */
  'next-contact': ['other', null],
  /** they have, or may have, an older text, and are to be corrected */
  corrected: ['other', null],
  /** they have, or may have, a message that was withdrawn */
  withdrawn: ['other', null],
} as const satisfies Record<string, readonly [Kind, AtExpiry]>

export type WaveCause = keyof typeof table
export const waveCauses = Object.keys(table) as [WaveCause, ...WaveCause[]]

type OfKind<K extends Kind> = { [C in WaveCause]: (typeof table)[C][0] extends K ? C : never }[WaveCause]

export type HeldCause = OfKind<'held'>
/** Who waits for one of these rules is called forward when it changes, and may be cancelled. */
export const heldCauses: readonly HeldCause[] = waveCauses.filter(
  (cause): cause is HeldCause => table[cause][0] === 'held',
)

export type RuleCause = OfKind<'held' | 'rule'>
/** Causes that rules about people have. The others are a provider's, or the fleet's own. */
export const ruleCauses: readonly RuleCause[] = waveCauses.filter(
  (cause): cause is RuleCause => table[cause][0] !== 'other',
)

/** Why whoever waited for this was not reached when the message expired; undefined: it says nothing of the person. */
export const reasonAtExpiry = (cause: WaveCause): Reason | undefined => table[cause][1] ?? undefined
