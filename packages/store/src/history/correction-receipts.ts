/** What became of the corrections of a message with each of its people, and of its recall. */
import { type ReceiptView, reasonOfByte, receiptBytes, receiptStateOf } from '@courier-fleet/api-types'
import type { Redis } from '../connection/client.ts'
import { keys } from '../keys.ts'
import { correctionLegsOf } from './ledger.ts'
import { readReceiptTimes } from './receipt-times.ts'
import type { Snapshot } from './snapshot.ts'

type Corrections = NonNullable<ReceiptView['corrections']>

interface Span {
  readonly ref: Snapshot['ref']
  readonly hash: Snapshot['hash']
  readonly from: number
  readonly to: number
}

/** Of the ordinals from … to-1; undefined of whoever had nothing to correct. Reads nothing where nothing was corrected. */
export async function readCorrections(
  redis: Redis,
  { ref, hash, from, to }: Span,
): Promise<(ordinal: number) => Corrections | undefined> {
  const span = { size: Number(hash.size), startedMs: Number(hash.started), from, to }
  const legs = await Promise.all(
    correctionLegsOf(hash).map(async (leg) => {
      const [states, reasons, at] = await Promise.all([
        redis.getrangeBuffer(keys.receipts(ref, leg), from, to - 1),
        redis.getrangeBuffer(keys.reasons(ref, leg), from, to - 1),
        readReceiptTimes(redis, ref, leg, span),
      ])
      return { leg, states, reasons, at }
    }),
  )
  return (ordinal) => {
    const found: Corrections = {}
    for (const { leg, states, reasons, at } of legs) {
      const reason = reasonOfByte(reasons[ordinal - from] ?? 0)
      if (reason === 'nothing-to-correct') continue
      const ms = at(ordinal)
      found[leg] = {
        state: receiptStateOf(states[ordinal - from] ?? receiptBytes.pending),
        ...(ms === undefined ? {} : { at: new Date(ms).toISOString() }),
        ...(reason ? { reason } : {}),
      }
    }
    return Object.keys(found).length > 0 ? found : undefined
  }
}
