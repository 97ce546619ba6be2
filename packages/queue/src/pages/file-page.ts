/** What whoever follows the link of a file sees where there is no file. */
import type { Language } from '@courier-fleet/words'
import { plainPage } from './plain-page.ts'

/** `gone`: its time is over, or it was removed; `unknown`: the link is not ours */
export type FilePage = 'gone' | 'unknown'

const titles = { ru: 'Файл', en: 'File' } as const

const lines: Readonly<Record<Language, Readonly<Record<FilePage, string>>>> = {
  ru: {
    gone: 'Этого файла здесь больше нет: файлы хранятся ограниченное время. Попросите отправителя прислать его ещё раз.',
    unknown: 'Ссылка неполная или не наша. Откройте её из сообщения целиком.',
  },
  en: {
    gone: 'This file is no longer there: files are kept for a limited time. Ask the sender to send it again.',
    unknown: 'This link is cut or not ours. Open all of it from the message.',
  },
}

export const filePage = (language: Language, page: FilePage): string =>
  plainPage({ language, title: titles[language], lines: [lines[language][page]] })
