import { receiptBytes } from '@courier-fleet/api-types'
import type { ReceiptWriter } from './receipt-writer.ts'
import type { Recipient } from './recipients.ts'

/** Writes this byte for each. @returns how they stand then; undefined where the claim is lost */
export async function mark(
  recipients: readonly Recipient[],
  byte: number,
  writer: Pick<ReceiptWriter, 'flush'>,
): Promise<(number | undefined)[]> {
  const isMark = byte === receiptBytes.attempting
  for (const { buffer, ordinal, cost, tried } of recipients)
    buffer.set({ ordinal, byte, cost, evidence: isMark ? tried : undefined })
  const standing = await writer.flush(new Set(recipients.map(({ buffer }) => buffer)))
  return recipients.map(({ buffer, ordinal }) => standing.get(buffer)?.[ordinal - buffer.claim.from])
}
