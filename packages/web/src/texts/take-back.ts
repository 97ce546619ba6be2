/** The words of lists that are taken back: loaded with the page of lists. */
import type { ImportList, TakeBackReportView } from '@courier-fleet/api-types'
import { useStores } from '../stores.ts'

type What = TakeBackReportView['people'][number]['what']
type Why = NonNullable<TakeBackReportView['people'][number]['why']>

interface TakeBackWords {
  readonly title: string
  readonly hint: string
  readonly summary: (list: ImportList['imports'][number]) => string
  readonly isTakenBack: string
  readonly look: string
  readonly lookOf: (at: string) => string
  readonly outcome: string
  readonly nothingYet: string
  readonly takeBack: string
  readonly done: string
  readonly soFar: (people: string, of: string) => string
  readonly counts: Readonly<Record<What | 'refused', string>>
  readonly who: Readonly<Record<What, string>>
  readonly refused: string
  readonly why: Readonly<Record<Why, string>>
  readonly groups: string
  readonly staying: string
  readonly used: string
  readonly lost: string
}

const en: TakeBackWords = {
  title: 'Lists of the last week',
  hint: 'What a list has changed can be taken back for a week. You are shown before what that does.',
  summary: ({ whole, created, updated, removed }) =>
    whole
      ? `created: ${created}, updated: ${updated}, removed: ${removed}`
      : 'cut off: what of it was loaded can be taken back',
  isTakenBack: 'taken back',
  look: 'Take back…',
  lookOf: (at) => `Take back the list of ${at}…`,
  outcome: 'What would be taken back',
  nothingYet: 'Nothing is changed yet.',
  takeBack: 'Take back',
  done: 'What was taken back',
  soFar: (people, of) => `${people} of ${of} so far`,
  counts: {
    removed: 'removed again',
    restored: 'as before',
    returned: 'there again',
    refused: 'left as they are',
  },
  who: { removed: 'Who goes', restored: 'Who is as before', returned: 'Who is there again' },
  refused: 'Who is left as they are',
  why: {
    changed: 'has been changed since',
    contact: 'has another contact or other wishes since, or said STOP',
    'address-taken': 'an address of theirs is linked to somebody else by now',
    group: 'is in another group or topic by now',
    'group-gone': 'a group or topic they were in is gone',
    erased: 'is being erased',
    self: 'this is you',
  },
  groups: 'Groups and cohorts that go',
  staying: 'New groups and cohorts that stay, for others are in them or own them',
  used: 'Of those who go: messages name them, so nobody gets their ids again',
  lost: 'Who is there again signs in anew: sessions, API keys and subscriptions do not come back.',
}

const ru: TakeBackWords = {
  title: 'Списки за неделю',
  hint: 'То, что изменил список, можно вернуть в течение недели. Сначала покажем, что получится.',
  summary: ({ whole, created, updated, removed }) =>
    whole
      ? `добавлено: ${created}, изменено: ${updated}, убрано: ${removed}`
      : 'загрузка прервалась: загруженное можно вернуть',
  isTakenBack: 'возвращено',
  look: 'Вернуть как было…',
  lookOf: (at) => `Вернуть как было до списка от ${at}…`,
  outcome: 'Что вернётся',
  nothingYet: 'Пока ничего не изменено.',
  takeBack: 'Вернуть как было',
  done: 'Что возвращено',
  soFar: (people, of) => `Пока ${people} из ${of}`,
  counts: {
    removed: 'снова убрано',
    restored: 'стало как было',
    returned: 'снова здесь',
    refused: 'оставлено как есть',
  },
  who: { removed: 'Кого уберём', restored: 'У кого станет как было', returned: 'Кто снова здесь' },
  refused: 'Кого оставим как есть',
  why: {
    changed: 'запись с тех пор изменили',
    contact: 'с тех пор другой контакт, другие пожелания или СТОП',
    'address-taken': 'прежний адрес теперь привязан к другому человеку',
    group: 'теперь в другой группе или теме',
    'group-gone': 'прежней группы или темы больше нет',
    erased: 'сейчас стирается',
    self: 'это вы',
  },
  groups: 'Группы и потоки, которых не станет',
  staying: 'Новые группы и потоки, которые останутся: в них есть другие люди или у них другой владелец',
  used: 'Из тех, кого уберём: о них есть сообщения, поэтому их обозначения больше никому не достанутся',
  lost: 'Кто снова здесь, входит заново: сеансы, ключи программ и подписки не возвращаются.',
}

const takeBackTexts = { en, ru } as const

export function useTakeBackWords(): TakeBackWords {
  return takeBackTexts[useStores().language.code.value]
}
