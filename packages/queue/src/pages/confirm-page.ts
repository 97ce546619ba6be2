/** What whoever follows the link of a mail sees that asks to be confirmed. */
import { type Confirm, confirmButton } from '@courier-fleet/api-types'
import type { Language } from '@courier-fleet/words'
import { plainPage } from './plain-page.ts'

/** What has become of it. */
export type ConfirmState = 'offer' | 'done' | 'unknown' | 'older' | 'no-button' | 'too-often'

export interface ConfirmPage {
  readonly language: Language
  readonly state: ConfirmState
  /** how the message begins */
  readonly text?: string
  readonly asked?: Confirm | undefined
  /** when it was confirmed, in words */
  readonly at?: string
}

/** what the button posts: a scanner that opens links posts nothing */
export const confirmField = { name: 'confirm', value: 'yes' } as const

const titles = { ru: 'Подтверждение', en: 'Confirmation' } as const

const lines: Readonly<Record<Language, Readonly<Record<ConfirmState, (at: string) => string>>>> = {
  ru: {
    offer: () => 'Нажмите кнопку, чтобы отправитель знал об этом.',
    done: (at) => `Отмечено: ${at}.`,
    unknown: () =>
      'Ничего не отмечено: ссылка неполная или не наша, письмо было на другую почту, или сообщение больше не хранится.',
    older: () => 'Ничего не отмечено: с тех пор текст исправили. Прочитайте новое письмо и подтвердите его.',
    'no-button': () => 'Ничего не отмечено. Откройте ссылку из письма и нажмите кнопку.',
    'too-often': () => 'Слишком часто, ничего не отмечено. Повторите через 15 минут.',
  },
  en: {
    offer: () => 'Press the button to let the sender know.',
    done: (at) => `Noted: ${at}.`,
    unknown: () =>
      'Nothing was noted. The link is cut or not ours, the mail went to another mailbox, or the message is no longer kept.',
    older: () => 'Nothing was noted: the text has been corrected since. Read the newer mail, and confirm that.',
    'no-button': () => 'Nothing was noted. Open the link of the message, and press the button.',
    'too-often': () => 'Too often, and nothing was noted. Try again in 15 minutes.',
  },
}

export function confirmPage({ language, state, text, asked, at = '' }: ConfirmPage): string {
  const quote = text === undefined ? [] : [`«${text}»`]
  return plainPage({
    language,
    title: titles[language],
    lines: [...quote, lines[language][state](at)],
    button: state === 'offer' ? { label: confirmButton(asked ?? true, language), ...confirmField } : undefined,
  })
}
