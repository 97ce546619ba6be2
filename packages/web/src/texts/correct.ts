/** The words of the dialog that gives a message another text: loaded with it. */
import type { FollowUp } from '@courier-fleet/api-types'
import { ApiError } from '@courier-fleet/client'
import { useStores } from '../stores.ts'

type Values = Readonly<Record<string, string>>

const called = (code: string, language: string) =>
  new Intl.DisplayNames(code, { type: 'language' }).of(language) ?? language

/** What the message says to everybody. */
const sameForAll = (values: Values) =>
  Object.entries(values)
    .map(([name, value]) => ` {{${name}}}: ${value}.`)
    .join('')

/** Of a text that is refused because it says what is not known of some people. */
function missingIn(error: unknown, say: (fields: string, people: number) => string): string | undefined {
  if (!(error instanceof ApiError) || error.problem.code !== 'missing-field') return undefined
  const { fields = [], people = 0 } = error.problem
  return say(fields.map((name) => `{{${name}}}`).join(', '), people)
}

const ru = {
  text: 'Новый текст',
  textIn: (language: string) => `Новый текст: ${called('ru', language)}`,
  fields: (values: Values) => `Вместо {{…}} каждый прочитает своё, как и прежде.${sameForAll(values)}`,
  missing: (error: unknown) =>
    missingIn(error, (fields, people) => `Не знаем, что поставить вместо ${fields}: таких людей — ${people}.`),
  whom: 'Те, кому ещё не отправлено, получат новый текст. Прежний исправим прямо в Telegram и ВКонтакте, если это ещё возможно.',
  tell: 'Прислать исправление ещё и отдельным сообщением',
  followUps: {
    'where-needed': 'Тем, у кого прежний текст не изменить (по SMS — ещё одним SMS)',
    always: 'Всем, кто получил прежний: об изменении в чате телефон не сообщает',
    never: 'Никому: у остальных останется прежний текст',
  } satisfies Record<FollowUp, string>,
  save: 'Сохранить новый текст',
  done: 'Прежний текст больше никому не отправим.',
}

const en: typeof ru = {
  text: 'New text',
  textIn: (language) => `New text: ${called('en', language)}`,
  fields: (values) => `In the place of {{…}} everybody reads their own, as before.${sameForAll(values)}`,
  missing: (error) =>
    missingIn(
      error,
      (fields, people) =>
        `We do not know what to put in the place of ${fields} for ${people} ${people === 1 ? 'person' : 'people'}.`,
    ),
  whom: 'People who have not been sent it yet get the new text. In Telegram and VK we edit the old one, where that is still possible.',
  tell: 'Send the correction as a separate message, too',
  followUps: {
    'where-needed': 'Where the old text cannot be edited (by SMS: one more SMS)',
    always: 'To everyone who got the old text: phones do not announce an edit',
    never: 'To nobody: where it cannot be edited the old text stays',
  },
  save: 'Save the new text',
  done: 'Nobody else will be sent the old text.',
}

const correctWords = { ru, en } as const

export const useCorrectWords = (): typeof ru => correctWords[useStores().language.code.value]
