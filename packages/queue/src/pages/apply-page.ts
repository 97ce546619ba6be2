/** What somebody sees who is not in the list: what they fill in, then their code, then what has become of the application. */
import { agreementText } from '@courier-fleet/api-types'
import { findChannel } from '@courier-fleet/channels'
import { channelName, type Language } from '@courier-fleet/words'
import { qrOf } from '../people/enrolment-way.ts'
import { escapeHtml, hashOf, htmlPage, plainPage, plainPageHeaders } from './plain-page.ts'

interface ApplyForm {
  readonly language: Language
  /** what the group is called whose link was followed */
  readonly group?: string | undefined
  /** those on which a contact can be proved */
  readonly channels: readonly string[]
  readonly filled?: Readonly<Record<string, string>>
  readonly wrong?: boolean
}

interface ApplyCode {
  readonly language: Language
  readonly channel: string
  readonly code: string
  readonly to?: string | undefined
  readonly url?: string | undefined
}

const words = {
  ru: {
    title: 'Получать сообщения университета',
    intro: 'Заполните заявку. Её рассмотрит деканат; кто есть в списках, здесь не видно.',
    name: 'Фамилия, имя, отчество',
    wish: 'Группа',
    forGroup: (group: string) => `Группа: ${group}`,
    channel: 'Где вам писать',
    send: 'Продолжить',
    wrong: 'Напишите имя и группу и выберите, где вам писать: не длиннее 100 знаков каждое и без невидимых знаков.',
    scan: (channel: string) => `Остался один шаг: докажите, что контакт ваш. Откройте ${channel} и отправьте код.`,
    open: (channel: string) => `Открыть ${channel} с кодом`,
    code: (digits: string) => `Код: ${digits}`,
    until: 'Код действует 10 минут, один раз. Оставьте эту страницу открытой: она обновляется сама.',
    closed: 'Сейчас заявку подать нельзя: ни один канал не принимает сообщений. Обратитесь в деканат.',
  },
  en: {
    title: 'Getting messages of the university',
    intro: 'Fill in the application. The office decides about it; who is in its lists is not shown here.',
    name: 'Your full name',
    wish: 'Group',
    forGroup: (group: string) => `Group: ${group}`,
    channel: 'Where to write to you',
    send: 'Continue',
    wrong:
      'Write your name and group and choose where to write to you: at most 100 characters each, none of them invisible.',
    scan: (channel: string) => `One step is left: prove that the contact is yours. Open ${channel} and send the code.`,
    open: (channel: string) => `Open ${channel} with the code`,
    code: (digits: string) => `Code: ${digits}`,
    until: 'The code is good for 10 minutes, once. Leave this page open: it updates by itself.',
    closed: 'You cannot apply now: no channel takes messages. Ask the office.',
  },
} as const

/** What there is to be told, and nothing to be done on the page. */
export type ApplyState = 'unknown' | 'lapsed' | 'open' | 'accepted' | 'too-often' | 'full'

const states: Readonly<Record<Language, Readonly<Record<ApplyState, string>>>> = {
  ru: {
    unknown: 'Ссылка неполная или устарела. Попросите новую у того, кто её дал.',
    lapsed: 'Код не отправили вовремя, или срок заявки вышел. Заполните заявку заново.',
    open: 'Контакт подтверждён, заявка у деканата. Ответ появится на этой странице: сохраните её адрес. Если за 14 дней ответа не будет, заявка удалится.',
    accepted: 'Заявка принята: сообщения будут приходить вам. Прекратить их можно в любое время: СТОП.',
    'too-often': 'Слишком часто. Повторите через 15 минут.',
    full: 'Сейчас слишком много заявок. Повторите завтра или зайдите в деканат.',
  },
  en: {
    unknown: 'This link is cut or has lapsed. Ask whoever gave it to you for another.',
    lapsed: 'The code was not sent in time, or the application has lapsed. Fill it in anew.',
    open: 'The contact is proved, and the office has the application. The answer appears on this page: keep its address. Without an answer it is removed after 14 days.',
    accepted: 'The application was accepted: messages will come to you. You can stop them at any time: STOP.',
    'too-often': 'Too often. Try again in 15 minutes.',
    full: 'There are too many applications now. Try again tomorrow, or ask the office.',
  },
}
const refused = {
  ru: (answer: string) => `Деканат отклонил заявку: ${answer}`,
  en: (answer: string) => `The office has refused the application: ${answer}`,
} as const

/** While there is a code on the page it looks whether something has become of it, and shows that in its place, without being loaded anew. */
const script = `const timer = setInterval(async () => {
  const answer = await fetch(location.href).then((answer) => answer.text()).catch(() => '')
  const now = new DOMParser().parseFromString(answer, 'text/html').querySelector('.apply')
  if (!now || now.querySelector('svg')) return
  clearInterval(timer)
  document.querySelector('.apply').replaceChildren(...now.childNodes)
}, 3000)`
/** of the answer with a code */
export const applyPageHeaders = {
  ...plainPageHeaders,
  'content-security-policy': `${plainPageHeaders['content-security-policy']}; script-src ${hashOf(script)}; connect-src 'self'`,
} as const

const live = (body: string) => `<div class="apply" aria-live="polite">${body}</div>`

const paragraph = (text: string, more = '') => `<p${more}>${escapeHtml(text)}</p>`

/** @param group as a link has it; without one the applicant writes it */
export function applyForm({ language, group, channels, filled = {}, wrong }: ApplyForm): string {
  const said = words[language]
  if (channels.length === 0) return plainPage({ language, title: said.title, lines: [said.closed] })
  const field = (name: string, label: string) =>
    `<p><label for="${name}">${escapeHtml(label)}</label><br><input id="${name}" name="${name}" required maxlength="100" autocomplete="${name === 'name' ? 'name' : 'off'}" value="${escapeHtml(filled[name] ?? '')}"></p>`
  const choice = (channel: string, index: number) =>
    `<p><label><input type="radio" name="channel" value="${channel}" required${filled.channel === channel || (channels.length === 1 && index === 0) ? ' checked' : ''}> ${escapeHtml(channelName(language, channel))}</label></p>`
  const form = [
    field('name', said.name),
    group === undefined ? field('wish', said.wish) : paragraph(said.forGroup(group)),
    `<fieldset><legend>${escapeHtml(said.channel)}</legend>${channels.map(choice).join('')}</fieldset>`,
    paragraph(agreementText('application', language).words),
    `<button>${escapeHtml(said.send)}</button>`,
  ].join('\n')
  const above = wrong ? paragraph(said.wrong, ' role="alert"') : paragraph(said.intro)
  return htmlPage({ language, title: said.title, body: `${above}\n<form method="post">${form}</form>` })
}

export function applyCode({ language, channel, code, to, url }: ApplyCode): string {
  const said = words[language]
  const name = channelName(language, channel)
  const digits = code.replace(/(\d{4})(?=\d)/g, '$1 ')
  const body = [
    paragraph(said.scan(name)),
    ...(url === undefined ? [] : [`<p><a href="${escapeHtml(url)}">${escapeHtml(said.open(name))}</a></p>`, qrOf(url)]),
    paragraph(findChannel(channel)?.words[language].link?.(digits, to) ?? said.code(digits)),
    paragraph(said.until),
  ].join('\n')
  return htmlPage({ language, title: said.title, body: live(body), script })
}

export const applyState = (language: Language, state: ApplyState): string => told(language, states[language][state])

export const applyRefused = (language: Language, answer: string): string => told(language, refused[language](answer))

const told = (language: Language, line: string) =>
  htmlPage({ language, title: words[language].title, body: live(paragraph(line)) })
