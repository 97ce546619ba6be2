import type { ReceiptView } from '@courier-fleet/api-types'
import { channelName } from '../channel-name.ts'
import type { Words } from '../texts/en.ts'

/** The state of one person on each channel, and why; channels they do not have are left out while there are others. */
export function receiptWords(words: Words, { channels }: ReceiptView): string {
  const had = Object.entries(channels).filter(([, { state }]) => state !== 'no-contact')
  if (had.length === 0) return words.receipts['no-contact'] ?? ''
  return had
    .map(([channel, { state, reason, detail }]) => {
      const why = [reason && (words.reasons[reason] ?? reason), detail].filter(Boolean).join(': ')
      return `${channelName(words, channel)}: ${words.receipts[state] ?? state}${why ? ` (${why})` : ''}`
    })
    .join('; ')
}
