/** What of the ceiling of a message is spent, in words: with those of both languages, for one page alone says it. */
import type { CeilingView } from '@courier-fleet/api-types'
import type { Language } from './catalogue.ts'
import { moneyWords } from './money-words.ts'
import { wordsIn } from './words-in.ts'

const said = {
  ru: (spent: string, limit: string) => `Потрачено на SMS: ${spent} из ${limit}`,
  en: (spent: string, limit: string) => `Spent on SMS: ${spent} of ${limit}`,
} as const

/** `Spent on SMS: 44 ₽ of 200 ₽` · `Spent on SMS: 22 of 300 SMS` */
export function spentWords(language: Language, { spent, parts, millionths = 0, currency = '' }: CeilingView): string {
  const { forecast, number } = wordsIn(language)
  if (parts !== undefined) return said[language](number(spent), forecast.sent(number(parts)))
  return said[language](moneyWords(language, spent, currency), moneyWords(language, millionths, currency))
}
