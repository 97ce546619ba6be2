/** What a token says that leaves only some of those who are named, as one reads it beside their names. */
import { narrowingIn } from '@courier-fleet/api-types/narrowing'
import type { Language } from './catalogue.ts'
import { createPlural } from './plural.ts'

const inRussian = createPlural('ru')
const inEnglish = createPlural('en')

const words = {
  ru: {
    unread: (days: number) =>
      `только те, о ком за ${inRussian(days, { one: 'день', few: 'дня', many: 'дней', other: 'дня' })} не известно, что им что-то дошло`,
    unconfirmed:
      'только те, кто не отметил прежнее сообщение, а где об этом не просили — о ком не известно, что оно дошло',
    unreached: 'только те, до кого прежнее сообщение не дошло или неизвестно, дошло ли',
  },
  en: {
    unread: (days: number) =>
      `only those not known to have got anything for ${inEnglish(days, { one: 'day', other: 'days' })}`,
    unconfirmed:
      'only those who have not confirmed the earlier message, or are not known to have got it where it did not ask them to',
    unreached: 'only those the earlier message did not reach, or of whom that is not known',
  },
} as const satisfies Record<Language, unknown>

/** undefined for a token that names people. */
export function narrowingWords(language: Language, token: string): string | undefined {
  const narrowing = narrowingIn(token)
  if (!narrowing) return undefined
  return narrowing.kind === 'unread' ? words[language].unread(narrowing.days) : words[language][narrowing.kind]
}
