/** What whoever opens a one-click address sees. */
import type { Language } from '@courier-fleet/words'
import { plainPage } from './plain-page.ts'

/** What the address stands for, and what has become of it. */
export type UnsubscribeState = 'offer' | 'done' | 'mandatory' | 'gone' | 'unknown' | 'no-button' | 'too-often'

export interface UnsubscribePage {
  readonly language: Language
  readonly state: UnsubscribeState
  /** what the type is called; absent: it is about the whole mailbox */
  readonly type?: string | undefined
  /** how the type is named in a command */
  readonly id?: string | undefined
  /** types that come all the same */
  readonly mandatory?: readonly string[]
}

interface Said {
  readonly title: string
  readonly lines: readonly string[]
  readonly button?: string
}

const russian = ({ state, type, id, mandatory = [] }: UnsubscribePage): Said => {
  const title = 'Сообщения на почту'
  const stay = mandatory.length > 0 ? [`Обязательные придут всё равно: ${mandatory.join(', ')}.`] : []
  switch (state) {
    case 'offer':
      return type === undefined
        ? {
            title,
            lines: ['Не присылать на эту почту никаких сообщений? На других каналах всё останется.'],
            button: 'Не присылать',
          }
        : { title, lines: [`Не присылать на эту почту «${type}»? Остальное останется.`], button: 'Не присылать' }
    case 'done':
      return type === undefined
        ? { title, lines: ['Готово: на эту почту больше ничего не придёт.', 'Вернуть: на своей странице, у почты.'] }
        : {
            title,
            lines: [
              `Готово: «${type}» на эту почту больше не придёт.`,
              ...stay,
              `Вернуть: на своей странице, боту /unmute ${id} или по SMS СТАРТ ${id}.`,
            ],
          }
    case 'mandatory':
      return {
        title,
        lines: [
          `«${type}» теперь обязательные сообщения, отдельно их не отключить.`,
          'Не писать на эту почту совсем можно на своей странице.',
        ],
      }
    case 'gone':
      return { title, lines: ['На эту почту уже ничего не отправляется: она ни к кому не привязана.'] }
    case 'no-button':
      return { title, lines: ['Ничего не изменилось. Откройте ссылку из письма и нажмите кнопку.'] }
    case 'too-often':
      return { title, lines: ['Слишком часто, ничего не изменилось. Повторите через 15 минут.'] }
    case 'unknown':
      return { title, lines: ['Ссылка неполная или не наша, ничего не изменилось. Откройте её из письма целиком.'] }
  }
}

const english = ({ state, type, id, mandatory = [] }: UnsubscribePage): Said => {
  const title = 'Messages by e-mail'
  const stay = mandatory.length > 0 ? [`Mandatory ones still come: ${mandatory.join(', ')}.`] : []
  switch (state) {
    case 'offer':
      return type === undefined
        ? {
            title,
            lines: ['Send nothing to this mailbox any more? Other channels stay as they are.'],
            button: 'Send nothing',
          }
        : {
            title,
            lines: [`Do not send "${type}" to this mailbox any more? All else stays.`],
            button: 'Do not send it',
          }
    case 'done':
      return type === undefined
        ? {
            title,
            lines: [
              'Done: nothing comes to this mailbox any more.',
              'To undo it: on your own page, beside the mailbox.',
            ],
          }
        : {
            title,
            lines: [
              `Done: "${type}" does not come to this mailbox any more.`,
              ...stay,
              `To undo it: on your own page, /unmute ${id} to the bot, or START ${id} by SMS.`,
            ],
          }
    case 'mandatory':
      return {
        title,
        lines: [
          `"${type}" is mandatory now and cannot be switched off by itself.`,
          'You can stop all mail on your own page.',
        ],
      }
    case 'gone':
      return { title, lines: ['Nothing is sent to this mailbox: it is linked to nobody.'] }
    case 'no-button':
      return { title, lines: ['Nothing has changed. Open the link of the message, and press the button.'] }
    case 'too-often':
      return { title, lines: ['Too often, and nothing has changed. Try again in 15 minutes.'] }
    case 'unknown':
      return {
        title,
        lines: ['This link is cut or not ours, and nothing has changed. Open all of it from the message.'],
      }
  }
}

export function unsubscribePage(page: UnsubscribePage): string {
  const { language } = page
  const { button, ...said } = language === 'ru' ? russian(page) : english(page)
  return plainPage({
    language,
    ...said,
    button: button === undefined ? undefined : { label: button, name: 'List-Unsubscribe', value: 'One-Click' },
  })
}
