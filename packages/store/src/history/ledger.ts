/** Counters of the history hash, as the API shows them, and the bytes they must agree with. */

import type { ChannelLedger } from '@courier-fleet/api-types'
import { type HistoryRef, type ReceiptState, receiptBytes, receiptStates } from '@courier-fleet/api-types'
import type { Redis } from '../connection/client.ts'
import { keys } from '../keys.ts'

export type Counts = Record<ReceiptState, number>

export const noCounts = (): Counts => Object.fromEntries(receiptStates.map((state) => [state, 0])) as Counts

/** `telegram:s`; of a correction it is `telegram~2:s`, and what waits for a later wave stands under `wave:1` */
const counterField = /^(\w+):[a-z]$/

/** Every channel that has a line in this history: those expected, and those that have counted anything. */
export function channelsOf(hash: Readonly<Record<string, string>>): string[] {
  const names = new Set((hash.expected ?? '').split(',').filter(Boolean))
  for (const field of Object.keys(hash)) {
    const [, channel] = counterField.exec(field) ?? []
    if (channel) names.add(channel)
  }
  return [...names].sort()
}

/** Of all corrections there were. */
export const correctionLegsOf = (hash: Readonly<Record<string, string>>): string[] =>
  (hash.corrections ?? '').split(',').filter(Boolean)

/** What is not counted is pending: the sum is the size by construction, and a recount shows whether it is so by fact. */
export function countsOf(hash: Readonly<Record<string, string>>, channel: string): Counts {
  const counts = noCounts()
  let settled = 0
  for (const state of receiptStates) {
    if (state === 'pending') continue
    counts[state] = Number(hash[`${channel}:${String.fromCharCode(receiptBytes[state])}`] ?? 0)
    settled += counts[state]
  }
  counts.pending = Number(hash.size ?? 0) - settled
  return counts
}

export function ledgerLine(hash: Readonly<Record<string, string>>, channel: string): ChannelLedger {
  const counts = countsOf(hash, channel)
  const size = Number(hash.size ?? 0)
  const state = hash[`${channel}:settled`] ? 'settled' : counts.pending < size ? 'running' : 'waiting'
  return { state, accepted: size, ...counts }
}

const chunkBytes = 1 << 18

/** Receipts of neighbouring ordinals on one channel. */
export interface Chunk {
  readonly states: Buffer
  /** of the same ordinals; read when they are asked for */
  reasons(): Promise<Buffer>
}

/** Receipt bytes of one channel in chunks; what was never written reads as NUL. */
export async function* receiptChunks(
  redis: Redis,
  ref: HistoryRef,
  channel: string,
  size: number,
): AsyncGenerator<Chunk> {
  for (let at = 0; at < size; at += chunkBytes) {
    const length = Math.min(chunkBytes, size - at)
    const read = async (key: string) => {
      const bytes = await redis.getrangeBuffer(key, at, at + length - 1)
      return bytes.length === length ? bytes : Buffer.concat([bytes, Buffer.alloc(length - bytes.length)])
    }
    yield { states: await read(keys.receipts(ref, channel)), reasons: () => read(keys.reasons(ref, channel)) }
  }
}
