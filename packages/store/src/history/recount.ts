/** The counters of a message beside a count of its receipts. */
import { type HistoryRef, memberOf, receiptStateOf, receiptStates } from '@courier-fleet/api-types'
import type { Redis } from '../connection/client.ts'
import { tagOf } from '../hash-tags.ts'
import { keys } from '../keys.ts'
import { bytesReply, listReply } from '../replies.ts'
import { defineScript } from '../script.ts'
import type { Recount } from './histories.ts'
import { type Counts, channelsOf, correctionLegsOf, countsOf, noCounts } from './ledger.ts'

const recountScript = defineScript('recount', {
  keys: ['history'],
  args: ['tag', 'message'],
  reply: listReply(listReply(bytesReply)),
})

/** Of every channel and correction that has a line in this history when it is asked, all of one moment. */
export async function recount(redis: Redis, ref: HistoryRef): Promise<Recount[]> {
  const history = keys.history(ref)
  const known = await redis.hgetall(history)
  const legs = [...channelsOf(known), ...correctionLegsOf(known)]
  const args = { tag: tagOf(ref.shard), message: memberOf(ref) }
  const [fields = [], receipts = []] = await recountScript(redis, { history }, args, legs)
  const hash = hashOf(fields)
  // it may have been purged meanwhile
  if (hash.size === undefined) return []
  return legs.map((channel, index) => {
    const ledger = countsOf(hash, channel)
    const bytes = countBytes(receipts[index] as Buffer, Number(hash.size))
    return { channel, ledger, bytes, balanced: receiptStates.every((state) => ledger[state] === bytes[state]) }
  })
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
