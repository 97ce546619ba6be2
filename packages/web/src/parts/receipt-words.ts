import type { ReceiptView } from '@courier-fleet/api-types'
import { channelName } from '../channel-name.ts'
import { reasonWords } from '../reason-words.ts'
import type { Words } from '../texts/en.ts'

/** What became of one person on each channel; channels they do not have are left out while there are others. */
export function receiptWords(words: Words, { channels }: ReceiptView): string {
  const had = Object.entries(channels).filter(([, { state }]) => state !== 'no-contact')
  if (had.length === 0) return words.receipts['no-contact'] ?? ''
  return had
    .map(([channel, { state, reason }]) => {
      const why = reason ? ` (${reasonWords(words, reason)})` : ''
      return `${channelName(words, channel)}: ${words.receipts[state] ?? state}${why}`
    })
    .join('; ')
}
