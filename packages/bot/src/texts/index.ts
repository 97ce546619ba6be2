import { type Language, languageOf as languageOfTag } from '@courier-fleet/words'
import { en } from './messages.en.ts'
import { ru } from './messages.ru.ts'
import type { Words } from './words.ts'

export const wordsOf: Readonly<Record<Language, Words>> = { ru, en }

/** Of somebody whose language not even Telegram tells: Russian. */
export const languageOf = (tag: string | undefined): Language => languageOfTag(tag ?? 'ru')
