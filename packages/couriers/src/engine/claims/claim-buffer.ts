import { memberOf } from '@courier-fleet/api-types'
import { idempotencyKey } from '../idempotency.ts'
import { type ReceiptChange, type ReceiptUpdate, Update } from '../jobs/receipt-update.ts'
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
  keyAt(span: number): bigint
}

export const createClaimBuffer = (claim: Claim, message: Message): ClaimBuffer => new OneClaim(claim, message)

/** A class: a job has hundreds of them, and closures of its own for each would be most of what it leaves to be collected. */
class OneClaim implements ClaimBuffer {
  readonly claim: Claim
  readonly message: Message
  readonly isFresh: boolean
  lost = false
  isOutdated = false
  #update: Update | undefined
  #lastSpan = -1
  #lastKey = 0n

  constructor(claim: Claim, message: Message) {
    this.claim = claim
    this.message = message
    this.isFresh = claim.deliveries === 1 && claim.cause === undefined
  }

  get isDirty(): boolean {
    return this.#update !== undefined
  }

  set(change: ReceiptChange): void {
    this.#update ??= this.#unchanged()
    this.#update.set(change)
  }

  take(): ReceiptUpdate {
    const taken = this.#update ?? this.#unchanged()
    this.#update = undefined
    return taken
  }

  keyAt(span: number): bigint {
    if (span !== this.#lastSpan) {
      const { ref, leg } = this.claim
      this.#lastKey = idempotencyKey(`${ref.shard}:${memberOf(ref)}`, leg, span)
      this.#lastSpan = span
    }
    return this.#lastKey
  }

  #unchanged(): Update {
    return new Update(this.claim.from, this.claim.to)
  }
}
