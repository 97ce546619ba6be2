/** What of a message that is withdrawn somebody has, by what the legs of its texts say of each: docs/decisions/0070. */
import { receiptBytes } from '@courier-fleet/api-types'
import type { Redis } from '../connection/client.ts'
import { keys } from '../keys.ts'
import { type Correcting, hasIt, isOpen, mayHaveIt, messageLegsOf, readIds, type Span } from './whom-to-correct.ts'

interface Recalled {
  readonly channel: string
  /** of the recall */
  readonly version: number
  /** the channel can */
  readonly canRecall: boolean
}

/** @returns of an ordinal of the span what a recall is to do */
export async function readWhomToRecall(
  redis: Redis,
  span: Span,
  { channel, version, canRecall }: Recalled,
): Promise<(ordinal: number) => Correcting> {
  const legs = [channel, ...messageLegsOf(channel, version)]
  const [first, ...others] = await Promise.all(legs.map((leg) => readLeg(redis, span, leg)))
  return (ordinal) => {
    const place = ordinal - span.from
    const byte = first?.byteAt(place) ?? receiptBytes.pending
    const later = others.map((leg) => leg.byteAt(place))
    if ([byte, ...later].some((each) => isOpen.has(each))) return { kind: 'wait' }
    if (!hasIt.has(byte) && !mayHaveIt.has(byte)) return { kind: 'nothing' }
    const having = [first, ...others].filter((leg) => leg !== undefined && hasIt.has(leg.byteAt(place)))
    const ids = new Set(having.flatMap((leg) => leg?.idAt(place)?.split(',') ?? []))
    if (!canRecall || ids.size === 0) return { kind: 'stays' }
    const mayLeaveOne = [byte, ...later].some((each) => mayHaveIt.has(each))
    const recalls = [...ids].join(',')
    return { kind: 'correct', correction: { reason: 'deleted', recalls, ...(mayLeaveOne ? { mayLeaveOne } : {}) } }
  }
}

async function readLeg(redis: Redis, span: Span, leg: string) {
  const [bytes, ids] = await Promise.all([
    redis.getrangeBuffer(keys.receipts(span.ref, leg), span.from, span.to - 1),
    readIds(redis, span, leg),
  ])
  return {
    byteAt: (place: number): number => bytes[place] ?? receiptBytes.pending,
    idAt: (place: number) => ids[place],
  }
}
