import { receiptBytes } from '@courier-fleet/api-types'
import type { Facts } from '@courier-fleet/rules'

const open: ReadonlyMap<number, Facts['receipt']> = new Map([
  [receiptBytes.pending, 'pending'],
  [receiptBytes.attempting, 'attempting'],
  [receiptBytes['to-send-again'], 'pending'],
  [receiptBytes['attempting-again'], 'attempting'],
])

/** What is left to do about a receipt; undefined where it is final, or only a report or a person can change it. */
export const openReceipt = (byte: number | undefined): Facts['receipt'] | undefined =>
  byte === undefined ? undefined : open.get(byte)
