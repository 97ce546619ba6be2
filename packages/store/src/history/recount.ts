/** The counters of a message beside a count of its receipts, of one moment: every script that writes receipts counts them in the same step. */
import { type HistoryRef, receiptStateOf, receiptStates } from '@courier-fleet/api-types'
import type { Redis } from '../connection/client.ts'
import { keys } from '../keys.ts'
import type { Recount } from './histories.ts'
import { type Counts, channelsOf, correctionLegsOf, countsOf, noCounts } from './ledger.ts'

/** Of every channel and correction that has a line in this history when it is asked. @throws ReplyError when Redis answers with one */
export async function recount(redis: Redis, ref: HistoryRef): Promise<Recount[]> {
  const known = await redis.hgetall(keys.history(ref))
  const legs = [...channelsOf(known), ...correctionLegsOf(known)]
  const size = Number(known.size)
  // one step: a report between the two would be a difference that never was
  const reading = redis.multi().hgetall(keys.history(ref))
  for (const leg of legs) reading.getrangeBuffer(keys.receipts(ref, leg), 0, size - 1)
  const [hash, ...receipts] = ((await reading.exec()) ?? []).map(([error, found]) => {
    if (error) throw error
    return found
  }) as [Record<string, string>, ...Buffer[]]
  return legs.map((channel, index) => {
    const ledger = countsOf(hash, channel)
    const bytes = countBytes(receipts[index] as Buffer, size)
    return { channel, ledger, bytes, balanced: receiptStates.every((state) => ledger[state] === bytes[state]) }
  })
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
