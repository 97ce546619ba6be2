/** The counters of a message beside a count of its receipts. */
import { type HistoryRef, receiptStateOf, receiptStates } from '@courier-fleet/api-types'
import type { Redis } from '../connection/client.ts'
import { keys } from '../keys.ts'
import { bytesReply, listReply } from '../replies.ts'
import { defineScript } from '../script.ts'
import type { Recount } from './histories.ts'
import { type Counts, channelsOf, correctionLegsOf, countsOf, noCounts } from './ledger.ts'

const recountScript = defineScript('recount', {
  keys: ['history', 'receipts'],
  args: [],
  reply: listReply(bytesReply),
})

/** Of every channel and correction that has a line in this history when it is asked; what is said of each is of one moment. */
export async function recount(redis: Redis, ref: HistoryRef): Promise<Recount[]> {
  const hash = await redis.hgetall(keys.history(ref))
  const legs = [...channelsOf(hash), ...correctionLegsOf(hash)]
  const found = await Promise.all(legs.map((leg) => recountLeg(redis, ref, leg)))
  return found.filter((each) => each !== undefined)
}

/** @returns undefined where the message has been purged meanwhile */
async function recountLeg(redis: Redis, ref: HistoryRef, leg: string): Promise<Recount | undefined> {
  const read = { history: keys.history(ref), receipts: keys.receipts(ref, leg) }
  const [receipts = Buffer.alloc(0), ...fields] = await recountScript(redis, read, {})
  const hash = hashOf(fields)
  if (hash.size === undefined) return undefined
  const ledger = countsOf(hash, leg)
  const bytes = countBytes(receipts, Number(hash.size))
  return { channel: leg, ledger, bytes, balanced: receiptStates.every((state) => ledger[state] === bytes[state]) }
}

function hashOf(fields: readonly Buffer[]): Record<string, string> {
  const hash: Record<string, string> = {}
  for (let at = 0; at < fields.length; at += 2) hash[String(fields[at])] = String(fields[at + 1])
  return hash
}

/** What was never written is pending. */
function countBytes(receipts: Buffer, size: number): Counts {
  const histogram = new Array<number>(256).fill(0)
  for (const byte of receipts) histogram[byte] = (histogram[byte] as number) + 1
  histogram[0] = (histogram[0] as number) + size - receipts.length
  const counts = noCounts()
  for (const [byte, count] of histogram.entries()) if (count > 0) counts[receiptStateOf(byte)] += count
  return counts
}
