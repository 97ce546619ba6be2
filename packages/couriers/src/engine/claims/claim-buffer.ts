import { memberOf, type Reason } from '@courier-fleet/api-types'
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
  /** a mark was not granted, or a refusal not taken, for the message has another text by now: whoever is not marked is handed back */
  isOutdated: boolean
  /** ordinals of those who were refused for what an older text said: it is decided of them anew */
  refusedByOlder: Set<number> | undefined
  /** since the last take() somebody was refused for what the text says, or costs */
  readonly goesByText: boolean
  /** something was set since the last take() */
  readonly isDirty: boolean
  set(change: ReceiptChange): void
  take(): ReceiptUpdate
  /** The idempotency key of a span of ordinals, computed once for neighbours that share it. */
  keyAt(span: number): bigint
}

export const createClaimBuffer = (claim: Claim, message: Message): ClaimBuffer => new OneClaim(claim, message)

/** of refusals that another text may not lead to: record.lua takes none of an older text than the newest */
const reasonsOfText: ReadonlySet<Reason> = new Set<Reason>([
  'duplicate',
  'missing-field',
  'over-day-budget',
  'over-month-budget',
])

/** A class: a job has hundreds of them, and closures of its own for each would be most of what it leaves to be collected. */
class OneClaim implements ClaimBuffer {
  readonly claim: Claim
  readonly message: Message
  readonly isFresh: boolean
  lost = false
  isOutdated = false
  goesByText = false
  refusedByOlder: Set<number> | undefined = undefined
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
    if (change.reason !== undefined && reasonsOfText.has(change.reason)) this.goesByText = true
  }

  take(): ReceiptUpdate {
    const taken = this.#update ?? this.#unchanged()
    this.#update = undefined
    this.goesByText = false
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
