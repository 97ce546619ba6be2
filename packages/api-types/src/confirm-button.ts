/** What people are asked with where a message is to be confirmed. */
import type { Confirm } from './confirm.ts'

/** What the button says where the sender has said nothing else. */
const usualButton = { ru: 'Прочитано', en: 'I have read this' } as const

/** @param language a tag; whoever does not read Russian is asked in English */
export function confirmButton(asked: Confirm, language: string): string {
  const words = asked === true ? usualButton : asked.button
  return /^ru\b/i.test(language) ? words.ru : words.en
}
