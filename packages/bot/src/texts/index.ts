import { en } from './messages.en.ts'
import { ru } from './messages.ru.ts'
import type { Language, Words } from './words.ts'

export const wordsOf: Readonly<Record<Language, Words>> = { ru, en }

/** From a language tag such as ru-RU: what is not Russian is told in English. */
export function languageOf(tag: string | undefined): Language {
  return tag === undefined || /^ru\b/i.test(tag) ? 'ru' : 'en'
}
