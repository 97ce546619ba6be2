/** Why people of a message wait for a later wave of it. */
import type { Reason } from './reasons.ts'

export const waveCauses = [
  'throttled',
  'handed-back',
  'sent-again',
  /** it is night where they are, or they do not want to be written to at this hour */
  'quiet',
  /** a group of theirs sits an exam */
  'exam',
  /** they have had as many messages as they are to get in this time; one so short a time ago */
  'capped',
  'too-soon',
  /** another message with the same text is on its way to them */
  'same-on-its-way',
  /** they are to be online first */
  'online',
  /** the address of the recheck has not answered */
  'recheck',
  /** the endpoint has not taken it; it is tried again */
  'not-taken',
  /** they are sent it by the next channels, unless a former one reaches them by then */
  'step',
  /** one contact of theirs certainly did not get it, and they have another on the channel */
  'next-contact',
  /** they have, or may have, an older text, and are to be corrected */
  'corrected',
  /** they have, or may have, a message that was withdrawn */
  'withdrawn',
] as const
export type WaveCause = (typeof waveCauses)[number]

/** Causes that are rules about people: who waits for one of them may be sent to in spite of it, or cancelled. */
export const heldCauses = ['quiet', 'exam', 'capped', 'too-soon', 'online'] as const satisfies readonly WaveCause[]
export type HeldCause = (typeof heldCauses)[number]

/** Causes that rules about people have, those too that somebody waits for half a minute only. The others are a provider's, or the fleet's own. */
export const ruleCauses = [...heldCauses, 'same-on-its-way', 'recheck'] as const satisfies readonly WaveCause[]

/**
 * Why somebody was not reached who waited for this until the message expired; absent: it says nothing of the person. That somebody's
 * quiet hours last until then is decided at once, not found out then.
 */
export const reasonAtExpiry: Readonly<Partial<Record<WaveCause, Reason>>> = {
  throttled: 'throttled',
  online: 'not-online',
  recheck: 'recheck-silent',
  'not-taken': 'not-taken',
}
