/** What one person needs to link a contact by a code: on a strip of a printed sheet, and on the page that a link leads to. */
import { agreementText } from '@courier-fleet/api-types'
import { findChannel } from '@courier-fleet/channels'
import type { Person } from '@courier-fleet/directory'
import { channelName, type Language, languageOf } from '@courier-fleet/words'
import { qrOf } from '../people/enrolment-way.ts'
import { escapeHtml } from './plain-page.ts'

export interface EnrolmentStrip {
  readonly person: Person
  readonly channel: string
  readonly code: string
  readonly expiresAt: string
  /** what opens the channel, and what is written to there; absent where that is not known */
  readonly url?: string | undefined
  readonly to?: string | undefined
}

interface StripWords {
  readonly scan: (channel: string) => string
  readonly code: (digits: string) => string
  readonly until: (at: string) => string
  readonly own: string
}

const words: Readonly<Record<Language, StripWords>> = {
  ru: {
    scan: (channel) =>
      `Чтобы получать сообщения в ${channel}, наведите камеру телефона на рисунок и отправьте то, что откроется.`,
    code: (digits) => `Код: ${digits}`,
    until: (at) => `Действует до ${at}, один раз.`,
    own: 'Код только ваш: кто его отправит, тот и будет получать ваши сообщения.',
  },
  en: {
    scan: (channel) =>
      `To get messages on ${channel}, point the camera of your phone at the picture and send what it opens.`,
    code: (digits) => `Code: ${digits}`,
    until: (at) => `Use it once, by ${at}.`,
    own: 'The code is yours alone: whoever sends it gets your messages.',
  },
}

const paragraph = (text: string) => `<p>${escapeHtml(text)}</p>`

/** HTML, in the language of the person. */
export function enrolmentStrip({ person, channel, code, expiresAt, url, to }: EnrolmentStrip): string {
  const language = languageOf(person.language)
  const said = words[language]
  const digits = code.replace(/(\d{4})(?=\d)/g, '$1 ')
  const lines = [
    ...(url === undefined ? [] : [said.scan(channelName(language, channel))]),
    findChannel(channel)?.words[language].link?.(digits, to) ?? said.code(digits),
    said.until(momentIn(language, person.timeZone, expiresAt)),
    said.own,
    agreementText('code', person.language).words,
  ]
  const picture = url === undefined ? '' : qrOf(url)
  return `<section class="strip" lang="${language}">${picture}<div><h2>${escapeHtml(person.name)}</h2>${lines.map(paragraph).join('')}</div></section>`
}

const momentIn = (language: Language, timeZone: string, at: string) =>
  new Date(at).toLocaleString(language, { dateStyle: 'long', timeStyle: 'short', timeZone })
