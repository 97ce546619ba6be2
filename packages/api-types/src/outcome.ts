/** What a history and its receipts say in the end. Free of zod, so that a page may load it. */
import { type ReceiptState, reachedStates } from './receipt-state.ts'
import type { HistoryView, ReceiptView } from './schemas.ts'

export function isOver({ state }: Pick<HistoryView, 'state'>): boolean {
  return state === 'settled' || state === 'cancelled'
}

/** Whether this person has it on at least one channel. */
export function isReached({ channels }: Pick<ReceiptView, 'channels'>): boolean {
  return Object.values(channels).some(({ state }) => reachedStates.has(state))
}

/** How many have it on one channel. */
export function reachedOn(ledger: Readonly<Record<ReceiptState, number>>): number {
  let sum = 0
  for (const state of reachedStates) sum += ledger[state]
  return sum
}
