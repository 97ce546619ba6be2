import { createUpdate, type ReceiptChange, type ReceiptUpdate } from '../jobs/receipt-update.ts'
import type { Message } from '../texts/messages.ts'
import type { Claim } from './claim.ts'

/** One claim of a send job, with what is known of its recipients and not yet written. */
export interface ClaimBuffer {
  readonly claim: Claim
  readonly message: Message
  /** nobody has touched this range before */
  readonly isFresh: boolean
  /** the claim has gone to another process */
  lost: boolean
  /** a mark was refused, for the message has another text by now: whoever is not marked is handed back */
  isOutdated: boolean
  /** something was set since the last take() */
  readonly isDirty: boolean
  set(change: ReceiptChange): void
  take(): ReceiptUpdate
  /** The idempotency key of a span of ordinals, computed once for neighbours that share it. */
  keyAt(span: number, compute: () => bigint): bigint
}

export function createClaimBuffer(claim: Claim, message: Message): ClaimBuffer {
  let update = createUpdate(claim.from, claim.to)
  let isDirty = false
  let lastSpan = -1
  let lastKey = 0n
  return {
    claim,
    message,
    isFresh: claim.deliveries === 1 && claim.cause === undefined,
    lost: false,
    isOutdated: false,
    get isDirty() {
      return isDirty
    },
    set(change) {
      isDirty = true
      update.set(change)
    },
    take() {
      const taken = update.read()
      update = createUpdate(claim.from, claim.to)
      isDirty = false
      return taken
    },
    keyAt(span, compute) {
      if (span !== lastSpan) {
        lastKey = compute()
        lastSpan = span
      }
      return lastKey
    },
  }
}
