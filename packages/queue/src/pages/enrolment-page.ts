/** What whoever follows the link of a code sees. */
import { channelName, type Language, languageOf } from '@courier-fleet/words'
import { type EnrolmentStrip, enrolmentStrip } from './enrolment-strip.ts'
import { escapeHtml, htmlPage, plainPage } from './plain-page.ts'

/** What has become of the code. */
export type EnrolmentPage =
  | { readonly state: 'offer'; readonly strip: EnrolmentStrip }
  | { readonly state: 'used' | 'unknown' | 'too-often'; readonly language: Language }

const titles = { ru: 'Получать сообщения', en: 'Getting messages' } as const
const open = {
  ru: (channel: string) => `Открыть ${channel} с кодом`,
  en: (channel: string) => `Open ${channel} with the code`,
} as const
const lines = {
  ru: {
    used: 'Контакт по этому коду уже привязан, второй раз он не действует. Если это были не вы, скажите тому, кто дал вам ссылку.',
    unknown: 'Ссылка неполная, устарела или заменена новой. Попросите новую у того, кто её дал.',
    'too-often': 'Слишком часто. Повторите через 15 минут.',
  },
  en: {
    used: 'A contact was linked with this code already, and it is not good twice. If that was not you, tell whoever gave you the link.',
    unknown: 'This link is cut, has lapsed, or was replaced by a newer one. Ask whoever gave it to you for another.',
    'too-often': 'Too often. Try again in 15 minutes.',
  },
} as const

export function enrolmentPage(page: EnrolmentPage): string {
  if (page.state !== 'offer') {
    const { language, state } = page
    return plainPage({ language, title: titles[language], lines: [lines[language][state]] })
  }
  const { strip } = page
  const language = languageOf(strip.person.language)
  const label = open[language](channelName(language, strip.channel))
  const link = strip.url === undefined ? '' : `<p><a href="${escapeHtml(strip.url)}">${escapeHtml(label)}</a></p>`
  return htmlPage({ language, title: titles[language], body: `${link}\n${enrolmentStrip(strip)}` })
}
