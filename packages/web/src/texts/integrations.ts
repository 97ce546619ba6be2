/** The words of the page of integrations, which few people open: loaded with it. */
import type { DisabledReason, SubscriptionResource, SubscriptionView } from '@courier-fleet/api-types'
import { useStores } from '../stores.ts'

interface IntegrationWords {
  readonly title: string
  readonly intro: string
  readonly none: string
  readonly ofOthers: string
  readonly add: string
  readonly url: string
  readonly urlHint: string
  readonly resource: string
  readonly resources: Readonly<Record<SubscriptionResource, string>>
  readonly which: string
  readonly whichHint: Readonly<Record<SubscriptionResource, string>>
  readonly subscribe: string
  readonly secret: string
  readonly secretOnce: string
  readonly secretAgain: string
  readonly all: string
  readonly of: (owner: string) => string
  readonly notYours: (owner: string) => string
  readonly open: (url: string) => string
  readonly states: Readonly<Record<SubscriptionView['state'], string>>
  readonly disabled: Readonly<Record<DisabledReason, string>>
  readonly next: (at: string) => string
  readonly since: (at: string) => string
  readonly test: string
  readonly taken: (status: number, ms: number) => string
  readonly refused: (status: number) => string
  readonly noAnswer: string
  readonly rotate: string
  readonly replay: string
  readonly replayed: string
  readonly remove: string
  readonly removeSure: string
  readonly removeYes: string
  readonly keep: string
  readonly removed: string
  readonly deliveries: string
  readonly noDeliveries: string
  readonly aTest: string
  readonly attempt: (number: number) => string
  readonly body: string
}

const en: IntegrationWords = {
  title: 'Integrations',
  intro: 'Systems that we tell about changes. We send each a signed message, in order, until it takes it.',
  none: 'No system is told of anything yet.',
  ofOthers: 'Those of others, too',
  add: 'A new subscription',
  url: 'Address',
  urlHint: 'Begins with https:// and can be reached from outside, such as https://lms.example.org/changes',
  resource: 'What it is told of',
  resources: {
    history: 'Messages',
    person: 'People',
    group: 'Groups',
    cohort: 'Cohorts',
    channel: 'Channels',
    type: 'Types of message',
    ownership: 'Who may write to a group',
  },
  which: 'Which one',
  whichHint: {
    history: 'The key of a message. Leave empty for all that you may see.',
    person: 'The id of a person. Leave empty for all that you may see.',
    group: 'The id of a group. Leave empty for all that you may see.',
    cohort: 'The id of a cohort. Leave empty for all that you may see.',
    channel: 'The name of a channel, such as sms. Leave empty for all.',
    type: 'The id of a type. Leave empty for all.',
    ownership: 'group: or cohort: and its id. Leave empty for all that you may see.',
  },
  subscribe: 'Subscribe',
  secret: 'The secret for its signatures',
  secretOnce: 'It is shown only now. Keep it where the system that is told can read it, and nobody else.',
  secretAgain: 'The old one works for one more day.',
  all: 'all',
  of: (owner) => `of ${owner}`,
  notYours: (owner) => `It belongs to ${owner}: its secret and what it is sent are theirs to see.`,
  open: (url) => `Open ${url}`,
  states: { active: 'works', failing: 'does not answer as it should', disabled: 'switched off' },
  disabled: {
    owner: 'The person who made it may no longer see this.',
    gone: 'The address said that it is gone for good.',
    failing: 'The address has taken nothing for days.',
  },
  next: (at) => `Tried again ${at}.`,
  since: (at) => `Since ${at}.`,
  test: 'Try it',
  taken: (status, ms) => `Taken: answered ${status} in ${ms} ms.`,
  refused: (status) => `Not taken: answered ${status}.`,
  noAnswer: 'Not taken: no answer came.',
  rotate: 'A new secret',
  replay: 'Send a day again',
  replayed: 'What has changed in a day is sent again.',
  remove: 'Remove',
  removeSure: 'Nothing more will be sent to it, and its secret will stop working. This cannot be undone.',
  removeYes: 'Yes, remove it',
  keep: 'No, keep it',
  removed: 'The subscription is removed.',
  deliveries: 'The last day',
  noDeliveries: 'Nothing was sent in the last day.',
  aTest: 'a try',
  attempt: (number) => (number > 1 ? `attempt ${number}` : ''),
  body: 'What was sent',
}

const ru: IntegrationWords = {
  title: 'Интеграции',
  intro:
    'Системы, которым мы сообщаем об изменениях. Каждой отправляем подписанный запрос, по порядку, пока она не примет.',
  none: 'Пока никакой системе ни о чём не сообщают.',
  ofOthers: 'И чужие тоже',
  add: 'Новая подписка',
  url: 'Адрес',
  urlHint: 'Начинается с https:// и доступен снаружи, например https://lms.example.org/changes',
  resource: 'О чём сообщать',
  resources: {
    history: 'Сообщения',
    person: 'Люди',
    group: 'Группы',
    cohort: 'Потоки',
    channel: 'Каналы',
    type: 'Виды сообщений',
    ownership: 'Кому можно писать группе',
  },
  which: 'О чём именно',
  whichHint: {
    history: 'Номер сообщения. Пусто: обо всех, которые вам видны.',
    person: 'Номер человека. Пусто: обо всех, кто вам виден.',
    group: 'Номер группы. Пусто: обо всех, которые вам видны.',
    cohort: 'Номер потока. Пусто: обо всех, которые вам видны.',
    channel: 'Название канала, например sms. Пусто: обо всех.',
    type: 'Номер вида. Пусто: обо всех.',
    ownership: 'group: или cohort: и номер. Пусто: обо всех, которые вам видны.',
  },
  subscribe: 'Подписать',
  secret: 'Секрет для подписей',
  secretOnce: 'Он показан только сейчас. Сохраните его там, где его прочтёт ваша система и больше никто.',
  secretAgain: 'Прежний годится ещё сутки.',
  all: 'все',
  of: (owner) => `владелец ${owner}`,
  notYours: (owner) => `Владелец ${owner}: секрет и отправленное видит только он.`,
  open: (url) => `Открыть ${url}`,
  states: { active: 'работает', failing: 'отвечает не так, как надо', disabled: 'отключена' },
  disabled: {
    owner: 'Тому, кто её создал, это больше не показывают.',
    gone: 'Адрес ответил, что его больше нет.',
    failing: 'Адрес ничего не принимал несколько дней.',
  },
  next: (at) => `Следующая попытка ${at}.`,
  since: (at) => `С ${at}.`,
  test: 'Проверить',
  taken: (status, ms) => `Принято: ответ ${status} за ${ms} мс.`,
  refused: (status) => `Не принято: ответ ${status}.`,
  noAnswer: 'Не принято: ответа нет.',
  rotate: 'Новый секрет',
  replay: 'Повторить за сутки',
  replayed: 'Изменения за сутки отправляются ещё раз.',
  remove: 'Удалить',
  removeSure: 'Больше ничего отправляться не будет, и секрет станет бесполезен. Отменить это нельзя.',
  removeYes: 'Да, удалить',
  keep: 'Нет, оставить',
  removed: 'Подписка удалена.',
  deliveries: 'За сутки',
  noDeliveries: 'За сутки ничего не отправляли.',
  aTest: 'проверка',
  attempt: (number) => (number > 1 ? `попытка ${number}` : ''),
  body: 'Что отправлено',
}

export const integrationTexts = { en, ru } as const

export function useIntegrationWords(): IntegrationWords {
  return integrationTexts[useStores().language.code.value]
}
