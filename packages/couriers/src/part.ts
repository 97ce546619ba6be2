import { keys } from '@courier-fleet/core'
import type { Redis } from 'ioredis'
import type { Claim } from './claim-scripts.ts'
import type { Message } from './messages.ts'
import { keepByte } from './outcome-bytes.ts'

/** One claim inside a flight, with what is known of its recipients and not yet written. */
export interface Part {
  readonly claim: Claim
  readonly message: Message
  /** nobody has touched this range before */
  readonly isFresh: boolean
  /** the claim has gone to another process */
  lost: boolean
  set(ordinal: number, byte: number, evidence?: string): void
  take(): { bytes: Buffer; evidence: Map<number, string> }
  /** Returns what take() gave and could not be written, under anything set since. */
  putBack(bytes: Buffer, evidence: ReadonlyMap<number, string>): void
  /** The idempotency key of a place, computed once for neighbours that share it. */
  keyAt(place: number, compute: () => bigint): bigint
}

export function partOf(claim: Claim, message: Message): Part {
  const length = claim.to - claim.from
  let bytes = Buffer.alloc(length, keepByte)
  let evidence = new Map<number, string>()
  let lastPlace = -1
  let lastKey = 0n
  return {
    claim,
    message,
    isFresh: claim.deliveries === 1 && claim.tries === 0,
    lost: false,
    set(ordinal, byte, reason) {
      bytes[ordinal - claim.from] = byte
      if (reason !== undefined) evidence.set(ordinal, reason)
    },
    take() {
      const taken = { bytes, evidence }
      bytes = Buffer.alloc(length, keepByte)
      evidence = new Map()
      return taken
    },
    putBack(oldBytes, oldEvidence) {
      for (let i = 0; i < length; i += 1) if (bytes[i] === keepByte) bytes[i] = oldBytes[i] as number
      evidence = new Map([...oldEvidence, ...evidence])
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
