import { keys } from '@courier-fleet/store'
import type { Redis } from 'ioredis'
import type { Claim } from './claim-scripts.ts'
import type { Message } from './messages.ts'
import { keepByte } from './outcome-bytes.ts'

/** What is to be written of a claim's recipients, in order. */
export interface Findings {
  /** one an ordinal */
  readonly bytes: Buffer
  /** one line an ordinal, empty where there is none; nothing at all when nobody has any */
  readonly evidence: readonly string[]
}

/** The same of some neighbours among them. */
export interface RangeFindings extends Findings {
  /** ordinal of the first */
  readonly from: number
}

/** One claim inside a flight, with what is known of its recipients and not yet written. */
export interface Part {
  readonly claim: Claim
  readonly message: Message
  /** nobody has touched this range before */
  readonly isFresh: boolean
  /** the claim has gone to another process */
  lost: boolean
  /** something was set since the last take() */
  readonly isDirty: boolean
  set(ordinal: number, byte: number, evidence?: string): void
  take(): RangeFindings
  /** The idempotency key of a place, computed once for neighbours that share it. */
  keyAt(place: number, compute: () => bigint): bigint
}

/** Findings to be filled in: as they are they change nothing. */
export function blankFindings(from: number, to: number) {
  const bytes = Buffer.alloc(to - from, keepByte)
  let evidence: string[] = []
  return {
    set(ordinal: number, byte: number, reason?: string): void {
      bytes[ordinal - from] = byte
      if (reason === undefined) return
      if (evidence.length === 0) evidence = new Array(to - from).fill('')
      evidence[ordinal - from] = reason.includes('\n') ? reason.replaceAll('\n', ' ') : reason
    },
    findings: (): RangeFindings => ({ from, bytes, evidence }),
  }
}

export function partOf(claim: Claim, message: Message): Part {
  let found = blankFindings(claim.from, claim.to)
  let isDirty = false
  let lastPlace = -1
  let lastKey = 0n
  return {
    claim,
    message,
    isFresh: claim.deliveries === 1 && claim.tries === 0,
    lost: false,
    get isDirty() {
      return isDirty
    },
    set(ordinal, byte, evidence) {
      isDirty = true
      found.set(ordinal, byte, evidence)
    },
    take() {
      const taken = found.findings()
      found = blankFindings(claim.from, claim.to)
      isDirty = false
      return taken
    },
    keyAt(place, compute) {
      if (place !== lastPlace) {
        lastKey = compute()
        lastPlace = place
      }
      return lastKey
    },
  }
}

/** The receipts of a range as they stand; what was never written is missing at the end. */
export function readReceiptBytes(redis: Redis, { claim }: Part, channel: string): Promise<Buffer> {
  return redis.getrangeBuffer(keys.receipts(claim.ref, channel), claim.from, claim.to - 1)
}
