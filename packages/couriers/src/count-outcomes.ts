/** Counts what has become of recipients: those whose receipt was written now, and is more than a mark. */
import { reasonOfByte, receiptBytes, receiptStateOf } from '@courier-fleet/api-types'
import type { Figures } from '@courier-fleet/store'
import type { Entry } from './claim-scripts.ts'
import { askByte, keepByte } from './outcome-meaning.ts'

const channelOfLeg = (leg: string) => leg.split('~', 1)[0] as string

const { pending, attempting } = receiptBytes

/** @param standing the receipts of the entry as they are now */
export function countOutcomes(
  figures: Pick<Figures, 'count'>,
  { claim, bytes, reasons }: Pick<Entry, 'claim' | 'bytes' | 'reasons'>,
  standing: Buffer,
): void {
  const counts = new Map<number, number>()
  for (const [at, wanted] of bytes.entries()) {
    const is = standing[at] as number
    if (wanted === keepByte || is === pending || is === attempting) continue
    // whoever was asked for and is told another thing by Redis (cancelled, expired) has an outcome, too; only its reason is not known here
    const wasAsked = wanted === attempting || wanted === askByte
    const reason = wanted === is ? (reasons?.[at] ?? 0) : 0
    if (wanted !== is && !wasAsked) continue
    const both = is * 256 + reason
    counts.set(both, (counts.get(both) ?? 0) + 1)
  }
  for (const [both, people] of counts)
    figures.count(
      'outcomes',
      [channelOfLeg(claim.leg), receiptStateOf(both >> 8), reasonOfByte(both & 255) ?? '-'],
      people,
    )
}
