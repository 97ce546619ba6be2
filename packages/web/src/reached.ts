/**
 * Which receipts say that somebody has it, and which that they have not, in the order in which they are shown. Not core's own
 * list: what a browser loads imports only types of core.
 */
import type { ReceiptState } from '@courier-fleet/api-types'

export const reachedStates: readonly ReceiptState[] = ['sent', 'delivered', 'read', 'confirmed']

export const unreachedStates: readonly ReceiptState[] = [
  'failed',
  'unknown',
  'suppressed',
  'expired',
  'cancelled',
  'no-contact',
]
