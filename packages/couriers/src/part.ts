import { keys } from '@courier-fleet/core'
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

/** One claim inside a flight, with what is known of its recipients and not yet written. */
export interface Part {
  readonly claim: Claim
  readonly message: Message
  /** nobody has touched this range before */
  readonly isFresh: boolean
  /** the claim has gone to another process */
  lost: boolean
  /** the receipts as the last write left them; empty before the first */
  standing: Buffer
  standingAt(ordinal: number): number | undefined
  set(ordinal: number, byte: number, evidence?: string): void
  take(): Findings
  /** Returns what take() gave and could not be written, under anything set since. */
  putBack(findings: Findings): void
  /** The idempotency key of a place, computed once for neighbours that share it. */
  keyAt(place: number, compute: () => bigint): bigint
}

export function partOf(claim: Claim, message: Message): Part {
  const length = claim.to - claim.from
  let bytes = Buffer.alloc(length, keepByte)
  let evidence: string[] = []
  let lastPlace = -1
  let lastKey = 0n
  return {
    claim,
    message,
    isFresh: claim.deliveries === 1 && claim.tries === 0,
    lost: false,
    standing: Buffer.alloc(0),
    standingAt(ordinal) {
      return this.standing[ordinal - claim.from]
    },
    set(ordinal, byte, reason) {
      const at = ordinal - claim.from
      bytes[at] = byte
      if (reason === undefined) return
      if (evidence.length === 0) evidence = new Array(length).fill('')
      evidence[at] = reason.includes('\n') ? reason.replaceAll('\n', ' ') : reason
    },
    take() {
      const taken = { bytes, evidence }
      bytes = Buffer.alloc(length, keepByte)
      evidence = []
      return taken
    },
    putBack(old) {
      for (let i = 0; i < length; i += 1) if (bytes[i] === keepByte) bytes[i] = old.bytes[i] as number
      evidence = evidence.length === 0 ? [...old.evidence] : evidence.map((line, i) => line || (old.evidence[i] ?? ''))
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
