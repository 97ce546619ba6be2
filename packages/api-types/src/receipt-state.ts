/**
 * What one recipient's receipt on one channel can say. One byte each in `receipts:…`; the transitions are enforced by
 * lua/record.lua (drawn in lua/README.md), the names are what the API and the ledger show.
 */
export const receiptStates = [
  'pending',
  'sent',
  'delivered',
  'read',
  'confirmed',
  'failed',
  'suppressed',
  'no-contact',
  'expired',
  'cancelled',
  'unknown',
] as const
export type ReceiptState = (typeof receiptStates)[number]

/**
 * `attempting` is pending to everyone outside: handed to a provider, answer not yet recorded. Whoever is to be sent to again, because
 * somebody decided so, stays unknown, and so they do while that attempt is under way.
 */
export const receiptBytes = {
  pending: 0,
  attempting: 'a'.charCodeAt(0),
  'to-send-again': 'w'.charCodeAt(0),
  'attempting-again': 'b'.charCodeAt(0),
  sent: 's'.charCodeAt(0),
  delivered: 'd'.charCodeAt(0),
  read: 'r'.charCodeAt(0),
  confirmed: 'c'.charCodeAt(0),
  failed: 'f'.charCodeAt(0),
  suppressed: 'p'.charCodeAt(0),
  'no-contact': 'n'.charCodeAt(0),
  expired: 'e'.charCodeAt(0),
  cancelled: 'x'.charCodeAt(0),
  unknown: 'u'.charCodeAt(0),
} as const

const names = new Map<number, ReceiptState>(receiptStates.map((name) => [receiptBytes[name], name]))
names.set(receiptBytes.attempting, 'pending')
names.set(receiptBytes['to-send-again'], 'unknown')
names.set(receiptBytes['attempting-again'], 'unknown')

/** @throws RangeError on a byte no script writes */
export function receiptStateOf(byte: number): ReceiptState {
  const name = names.get(byte)
  if (!name) throw new RangeError(`no receipt state has the byte ${byte}`)
  return name
}
