/** One receipt in words, and one person's. */
import type { ReceiptView } from '@courier-fleet/api-types'
import { whyOf } from '@courier-fleet/api-types/people-classes'
import type { Language } from './catalogue.ts'
import { channelName, sentWords } from './outcome-words.ts'
import { wordsIn } from './words-in.ts'

type Receipt = ReceiptView['channels'][string]

/** What a receipt says, in words a teacher uses; the provider's own words are not among them. */
export function receiptWords(language: Language, leg: string, { state, reason }: Receipt): string {
  if (state === 'sent') return sentWords(language, leg)
  const words = wordsIn(language)
  const why = whyOf(state, reason)
  const what = words.receipts[state]
  return why === undefined || words.whys[why] === what || why === state ? what : `${what} (${words.whys[why]})`
}

/** `Telegram: not delivered (has blocked us)`, of each channel on which the person has a contact. */
export function personWords(language: Language, { channels }: Pick<ReceiptView, 'channels'>): string {
  const tried = Object.entries(channels).filter(([, { state }]) => state !== 'no-contact')
  if (tried.length === 0) return wordsIn(language).receipts['no-contact']
  return tried
    .map(([leg, receipt]) => `${channelName(language, leg)}: ${receiptWords(language, leg, receipt)}`)
    .join(', ')
}
