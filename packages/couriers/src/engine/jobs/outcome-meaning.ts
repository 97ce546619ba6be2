import { type Reason, receiptBytes } from '@courier-fleet/api-types'
import { evidenceOfDetail, evidenceOfId } from '@courier-fleet/store'
import type { Outcome } from '../../courier.ts'

/** `=` in a range handed to record.lua: leave this one as it is. */
export const keepByte = '='.charCodeAt(0)

/** `?`: settle this one if the message was cancelled or has expired, else leave it as it is. */
export const askByte = '?'.charCodeAt(0)

export interface Meaning {
  readonly byte: number
  readonly reason?: Reason
  readonly evidence?: string
  /** present when the recipient must be tried again, this many ms from now at the earliest */
  readonly retryAfterMs?: number
  /** that is for a later wave of this cause, however soon it is */
  readonly cause?: 'not-taken'
}

/** While nobody knows whether the provider has it, asking again soon is all that can be done. */
const resendAfterMs = 1_000

/** The job hands it back, for the courier has said that it is not ready. */
const notSentAfterMs = 100

/** What an outcome means for the receipt, and whether there will be another attempt. */
export function meaningOf(outcome: Outcome, foldsResends: boolean): Meaning {
  switch (outcome.kind) {
    case 'sent':
      return { byte: receiptBytes.sent, evidence: evidenceOfId(outcome.providerId) }
    case 'rejected':
      return { byte: receiptBytes.failed, reason: outcome.class, evidence: evidenceOfDetail(outcome.detail) }
    case 'throttled':
      return { byte: receiptBytes.pending, retryAfterMs: outcome.retryAfterMs }
    case 'not-taken': {
      const { retryAfterMs, detail } = outcome
      return { byte: receiptBytes.pending, evidence: evidenceOfDetail(detail), retryAfterMs, cause: 'not-taken' }
    }
    case 'not-sent':
      return { byte: receiptBytes.pending, retryAfterMs: notSentAfterMs }
    case 'unknown':
      // a resend with the same key is folded: it stays `attempting`, and is resolved by sending it again
      if (foldsResends && outcome.retryAfterMs !== undefined) {
        return { byte: keepByte, retryAfterMs: outcome.retryAfterMs, cause: 'not-taken' }
      }
      return foldsResends
        ? { byte: keepByte, retryAfterMs: resendAfterMs }
        : { byte: receiptBytes.unknown, reason: 'no-answer', evidence: evidenceOfDetail(outcome.why) }
  }
}
