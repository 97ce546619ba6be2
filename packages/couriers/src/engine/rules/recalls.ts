/** What of a message that is withdrawn somebody has, by what the legs of its texts say of each: docs/decisions/0070. */
import { receiptBytes } from '@courier-fleet/api-types'
import { keys, type Redis } from '@courier-fleet/store'
import type { Courier } from '../../courier.ts'
import { type Claim, versionOf } from '../claims/claim.ts'
import type { ClaimBuffer } from '../claims/claim-buffer.ts'
import { type Correcting, hasIt, isOpen, mayHaveIt, readIds } from './corrections.ts'

/** @returns of an ordinal of this claim what is to be done; `undefined` where the claim is of no recall */
export async function readRecall(
  { claim, message }: ClaimBuffer,
  { redis, courier }: { readonly redis: Redis; readonly courier: Pick<Courier, 'channel' | 'recall'> },
): Promise<((ordinal: number) => Correcting) | undefined> {
  const version = versionOf(claim)
  if (version === undefined || message.recall !== version) return undefined
  const { channel } = courier
  const corrections = Array.from({ length: version - 2 }, (_, at) => `${channel}~${at + 2}`)
  const [first, ...others] = await Promise.all([channel, ...corrections].map((leg) => readLeg(redis, claim, leg)))
  return (ordinal) => {
    const place = ordinal - claim.from
    const byte = first?.byteAt(place) ?? receiptBytes.pending
    const later = others.map((leg) => leg.byteAt(place))
    if ([byte, ...later].some((each) => isOpen.has(each))) return { kind: 'wait' }
    if (!hasIt.has(byte) && !mayHaveIt.has(byte)) return { kind: 'nothing' }
    const legs = [first, ...others].filter((leg) => leg !== undefined && hasIt.has(leg.byteAt(place)))
    const ids = new Set(legs.flatMap((leg) => leg?.idAt(place)?.split(',') ?? []))
    if (!courier.recall || ids.size === 0) return { kind: 'stays' }
    const mayLeaveOne = [byte, ...later].some((each) => mayHaveIt.has(each))
    const recalls = [...ids].join(',')
    return { kind: 'correct', correction: { reason: 'deleted', recalls, ...(mayLeaveOne ? { mayLeaveOne } : {}) } }
  }
}

async function readLeg(redis: Redis, claim: Claim, leg: string) {
  const [bytes, ids] = await Promise.all([
    redis.getrangeBuffer(keys.receipts(claim.ref, leg), claim.from, claim.to - 1),
    readIds(redis, claim, leg),
  ])
  return {
    byteAt: (place: number): number => bytes[place] ?? receiptBytes.pending,
    idAt: (place: number) => ids[place],
  }
}
