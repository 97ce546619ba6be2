import type { Outcome } from '../courier.ts'
import type { Segment } from './segments.ts'

/** What a provider said to one segment, whatever the transport. */
export type Answer =
  | { readonly kind: 'accepted'; readonly id: string; readonly reportId?: string }
  /** certainly not accepted, and worth trying again */
  | Extract<Outcome, { kind: 'throttled' }>
  /** it never left this process, for there is no way to the provider */
  | Extract<Outcome, { kind: 'not-sent' }>
  /** certainly refused for good */
  | Extract<Outcome, { kind: 'rejected' }>
  /** it left this process, and nothing came back */
  | Extract<Outcome, { kind: 'unknown' }>

export interface Submission {
  /** E.164 with + */
  readonly address: string
  readonly segment: Segment
  /** the recipient's idempotency key: the same on every resend, and whichever of their contacts it goes to */
  readonly key: bigint
  /** ask for a delivery receipt */
  readonly wantsReceipt: boolean
}

/** A way to the provider, which says whether there is one now (`readiness`); knows nothing of long messages, batches or pace. */
export interface Transport {
  start(signal: AbortSignal): Promise<void>
  /** Never rejects; answers at once when `limit` is aborted. */
  submit(submission: Submission, limit: AbortSignal): Promise<Answer>
  stop(): Promise<void>
}

export function throttled(retryAfterMs: number, reason: string): Answer {
  return { kind: 'throttled', retryAfterMs, scope: 'account', reason }
}

/** The provider was not asked. */
export const noRoom: Answer = {
  kind: 'throttled',
  retryAfterMs: 500,
  scope: 'account',
  reason: 'no room in the window',
  isOwn: true,
}
