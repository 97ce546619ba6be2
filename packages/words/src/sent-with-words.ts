/** One receipt in words, with the message it went with: by itself, for most pages say less. */
import type { ReceiptView } from '@courier-fleet/api-types'
import type { Language } from './catalogue.ts'
import { receiptWords } from './receipt-words.ts'

const inOneWith: Readonly<Record<Language, (key: string) => string>> = {
  en: (key) => `in one message with ${key}, which was due first`,
  ru: (key) => `одним сообщением с ${key}, чей срок настал раньше`,
}

/** @param moment Unix ms, on the clock of the reader */
export function wholeReceiptWords(
  language: Language,
  leg: string,
  receipt: ReceiptView['channels'][string],
  moment?: (ms: number) => string,
): string {
  const said = receiptWords(language, leg, receipt, moment)
  return receipt.sentWith ? `${said}, ${inOneWith[language](receipt.sentWith)}` : said
}
