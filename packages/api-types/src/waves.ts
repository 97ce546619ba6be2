/** Why people of a message wait for a later wave of it. */
import type { Reason } from './reasons.ts'

export const waveCauses = ['throttled', 'handed-back', 'sent-again'] as const
export type WaveCause = (typeof waveCauses)[number]

/** Why somebody was not reached who waited for this until the message expired; absent: it says nothing of the person. */
export const reasonAtExpiry: Readonly<Partial<Record<WaveCause, Reason>>> = { throttled: 'throttled' }
