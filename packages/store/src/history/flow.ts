/** How far everybody of a message has come, as nine digits a channel: of the receipt's byte and its reason's, and nothing else. */
import {
  type FlowRow,
  flowOf,
  type HistoryRef,
  reasonOfByte,
  receiptOfFlow,
  receiptStateOf,
} from '@courier-fleet/api-types'
import type { Redis } from '../connection/client.ts'
import { keys } from '../keys.ts'
import { readAudience } from './audience.ts'
import type { FlowPage } from './histories.ts'
import { channelsOf } from './ledger.ts'
import { parseRecord } from './message-record.ts'
import type { Snapshot } from './snapshot.ts'

/** ordinals looked at in one step */
const window = 5000

const known = new Map<number, string>()
function flowOfBytes(state: number, reason: number): string {
  const both = state * 256 + reason
  const found = known.get(both) ?? flowOf(receiptStateOf(state), reasonOfByte(reason))
  known.set(both, found)
  return found
}

/** The next that fit, of a window at most. */
export async function readFlow(
  redis: Redis,
  { ref, hash, record }: Snapshot,
  { from, channel, stage }: FlowPage,
): Promise<{ rows: FlowRow[]; next?: number }> {
  // of what was cancelled before it started the people are not kept
  if (record === undefined || hash.state === 'cancelled') return { rows: [] }
  const size = Number(hash.size)
  const legs = channelsOf(hash).filter((leg) => channel === undefined || leg === channel)
  const to = Math.min(size, from + window)
  if (to <= from) return { rows: [] }
  const [people, ...flows] = await Promise.all([
    readAudience(redis, ref, parseRecord(record).width, from, to),
    ...legs.map((leg) => readFlows(redis, ref, leg, from, to)),
  ])
  const rows: FlowRow[] = []
  for (const [index, person] of people.entries()) {
    const flow = Object.fromEntries(legs.map((leg, at) => [leg, flows[at]?.(index) as string]))
    if (stage !== undefined && !Object.values(flow).some((each) => receiptOfFlow(each).stage === stage)) continue
    rows.push({ ordinal: from + index, person, flow })
  }
  return to < size ? { rows, next: to } : { rows }
}

/** How many have which nine digits, by channel. */
export async function countFlows(
  redis: Redis,
  { ref, hash }: Snapshot,
): Promise<Record<string, Record<string, number>>> {
  const size = Number(hash.size ?? 0)
  const counts: Record<string, Record<string, number>> = {}
  for (const leg of channelsOf(hash)) {
    const found: Record<string, number> = {}
    for (let from = 0; from < size; from += window) {
      const to = Math.min(size, from + window)
      const flow = await readFlows(redis, ref, leg, from, to)
      for (let at = 0; at < to - from; at += 1) found[flow(at)] = (found[flow(at)] ?? 0) + 1
    }
    counts[leg] = found
  }
  return counts
}

async function readFlows(redis: Redis, ref: HistoryRef, leg: string, from: number, to: number) {
  const [states, reasons] = await Promise.all([
    redis.getrangeBuffer(keys.receipts(ref, leg), from, to - 1),
    redis.getrangeBuffer(keys.reasons(ref, leg), from, to - 1),
  ])
  return (at: number) => flowOfBytes(states[at] ?? 0, reasons[at] ?? 0)
}
