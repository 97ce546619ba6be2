/** When each receipt came to its state: four bytes an ordinal behind the state bytes, as lua/lib/times.lua writes them. */
import type { HistoryRef } from '@courier-fleet/api-types'
import type { Redis } from '../connection/client.ts'
import { keys } from '../keys.ts'

const bytesEach = 4
/** from here on whole seconds */
const inSeconds = 2 ** 31

/** Of the ordinals from … to-1. @returns of an ordinal: Unix ms; `undefined` when it has not come to any state yet */
export async function readReceiptTimes(
  redis: Redis,
  ref: HistoryRef,
  leg: string,
  span: TimeSpan,
): Promise<(ordinal: number) => number | undefined> {
  return readTimesBehind(redis, keys.receipts(ref, leg), span)
}

export interface TimeSpan {
  readonly size: number
  readonly startedMs: number
  readonly from: number
  readonly to: number
}

/** The same of any key that is written so. */
export async function readTimesBehind(
  redis: Redis,
  key: string,
  { size, startedMs, from, to }: TimeSpan,
): Promise<(ordinal: number) => number | undefined> {
  const at = size + bytesEach * from
  const bytes = await redis.getrangeBuffer(key, at, size + bytesEach * to - 1)
  return (ordinal) => {
    const offset = bytesEach * (ordinal - from)
    const value = offset + bytesEach <= bytes.length ? bytes.readUInt32BE(offset) : 0
    const sinceStart = offsetOf(value)
    return sinceStart === undefined ? undefined : startedMs + sinceStart
  }
}

/** Of four bytes as they are written: ms since the message has started; `undefined` for never. */
export function offsetOf(value: number): number | undefined {
  if (value === 0) return undefined
  return value < inSeconds ? value - 1 : (value - inSeconds) * 1000
}
