import type { Catalogue, Language } from './catalogue.ts'
import { en } from './en.ts'
import { ru } from './ru.ts'

const catalogues: Readonly<Record<Language, Catalogue>> = { ru, en }

export const wordsIn = (language: Language): Catalogue => catalogues[language]

/** @param tag BCP 47 */
export const languageOf = (tag: string): Language => (/^ru\b/i.test(tag) ? 'ru' : 'en')
