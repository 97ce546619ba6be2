/** How a text travels by SMS: in one part, or in several that the phone puts together again. */
import { createRequire } from 'node:module'

interface SplitSms {
  split(text: string): { characterSet: 'GSM' | 'Unicode'; parts: { content: string }[] }
}
const { split }: SplitSms = createRequire(import.meta.url)('split-sms')

export interface SmsParts {
  /** GSM 03.38 where the whole text can be written in it, else UCS-2 */
  readonly encoding: 'gsm' | 'ucs2'
  readonly parts: readonly string[]
}

export function smsPartsOf(text: string): SmsParts {
  const { characterSet, parts } = split(text)
  return { encoding: characterSet === 'GSM' ? 'gsm' : 'ucs2', parts: parts.map(({ content }) => content) }
}
