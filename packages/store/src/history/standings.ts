/** How each receipt of a message stands and since when, as small as it is kept: what a replay is drawn from. */
import { type ReceiptState, receiptStateOf, receiptStates } from '@courier-fleet/api-types'
import type { Redis } from '../connection/client.ts'
import { keys } from '../keys.ts'
import { bytesReply, listReply } from '../replies.ts'
import { defineScript } from '../script.ts'
import { channelsOf } from './ledger.ts'
import { offsetOf } from './receipt-times.ts'
import type { Snapshot } from './snapshot.ts'

/** ordinals of one block */
export const standingsBlock = 5000
/** a byte of the state and at most seven of the time */
const maxBytesEach = 8

/** A state and the time of another would be a moment that never was. */
const standingsScript = defineScript('standings', {
  keys: ['receipts'],
  args: ['size', 'first', 'after'],
  reply: listReply(bytesReply),
})

export interface Standings {
  readonly size: number
  /** in the order of a block */
  readonly channels: readonly string[]
  /** Unix ms; absent until it has started */
  readonly startedMs?: number
}

/** Nobody, where the people are not kept: it was cancelled before it started. */
export function standingsOf({ hash, record }: Snapshot): Standings {
  if (record === undefined || hash.state === 'cancelled' || !hash.started) return { size: 0, channels: [] }
  return { size: Number(hash.size), channels: channelsOf(hash), startedMs: Number(hash.started) }
}

/**
 * The block from an ordinal on. Of each channel the states, a byte each, which is a position in `receiptStates`; then when each came to
 * it: milliseconds since the start and one, or 0 for never, in seven bits a byte, the lowest first, the highest bit where more follow.
 */
export async function readStandings(
  redis: Redis,
  { ref }: Pick<Snapshot, 'ref'>,
  { size, channels }: Standings,
  from: number,
): Promise<Buffer> {
  const to = Math.min(size, from + standingsBlock)
  const parts = await Promise.all(
    channels.map(async (leg) => {
      const read = { receipts: keys.receipts(ref, leg) }
      const [states = Buffer.alloc(0), times = Buffer.alloc(0)] = await standingsScript(redis, read, {
        size,
        first: from,
        after: to,
      })
      return packBlock(to - from, states, times)
    }),
  )
  return Buffer.concat(parts)
}

function packBlock(count: number, states: Buffer, times: Buffer): Buffer {
  const packed = Buffer.alloc(count * maxBytesEach)
  for (let index = 0; index < count; index += 1) packed[index] = numberOf(receiptStateOf(states[index] ?? 0))
  let at = count
  for (let index = 0; index < count; index += 1) {
    const offset = 4 * index
    let rest = offset + 4 <= times.length ? (offsetOf(times.readUInt32BE(offset)) ?? -1) + 1 : 0
    for (; rest > 127; rest = Math.floor(rest / 128)) {
      packed[at] = (rest % 128) + 128
      at += 1
    }
    packed[at] = rest
    at += 1
  }
  return packed.subarray(0, at)
}

const numberOf = (state: ReceiptState) => receiptStates.indexOf(state)
