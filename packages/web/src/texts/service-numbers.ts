/** The words of what came of messages, on the operators' page: loaded with its numbers. */
import { createPlural } from '@courier-fleet/words'
import { useStores } from '../stores.ts'

const further = ['sent', 'delivered', 'read', 'confirmed'] as const
/** `pending`: for whom it began */
export const numberColumns = ['pending', ...further, 'failed', 'suppressed', 'expired', 'unknown'] as const
export type NumberColumn = (typeof numberColumns)[number]

/** Of whoever came so far or further. */
export const isFurther = (column: NumberColumn): column is (typeof further)[number] =>
  further.some((each) => each === column)

const rare: readonly NumberColumn[] = ['read', 'confirmed', 'suppressed', 'expired', 'unknown']
/** Left out where nobody is in it: on a phone there is no room for zeros. */
export const isRare = (column: NumberColumn): boolean => rare.includes(column)

export interface NumbersWords {
  readonly numbers: string
  readonly day: string
  readonly week: string
  readonly nothing: string
  readonly type: string
  /** what the fleet itself says: codes, answers, alarms */
  readonly own: string
  readonly channel: string
  readonly columns: Readonly<Record<NumberColumn, string>>
  readonly countsHint: string
  readonly behind: (column: string, type: string, channel: string) => string
  readonly open: (number: string, column: string, type: string, channel: string) => string
  readonly accepted: string
  readonly acceptedOf: (type: string, messages: number, people: string, cancelled: number) => string
  readonly why: string
  readonly anyReason: string
  readonly who: string
  /** how many were found of how many that are counted, and that older messages have not been looked at, or that all have */
  readonly foundOf: (found: string, count: string) => string
  readonly searchedSince: (moment: string) => string
  readonly searchedAll: string
  readonly notAll: string
  readonly searchOn: string
  readonly lateness: string
  readonly latenessOf: (cls: string, share: string, messages: string) => string
  readonly classes: Readonly<Record<string, string>>
}

const enCount = createPlural('en')

const en: NumbersWords = {
  numbers: 'What came of messages',
  day: '24 hours',
  week: '7 days',
  nothing: 'Nothing was sent in this time.',
  type: 'Type',
  own: 'Codes and answers',
  channel: 'Channel',
  columns: {
    pending: 'begun for',
    sent: 'sent',
    delivered: 'delivered',
    read: 'read',
    confirmed: 'confirmed',
    failed: 'not delivered',
    suppressed: 'not sent, by a rule',
    expired: 'expired',
    unknown: 'unknown',
  },
  countsHint:
    'People, counted for each message. Whoever was delivered to counts under “sent”, too. Each underlined number leads to its people.',
  behind: (column, type, channel) => `${type}, ${channel}: ${column}`,
  open: (number, column, type, channel) => `${number} ${column}, ${type}, ${channel}: show who and why`,
  accepted: 'Accepted messages',
  acceptedOf: (type, messages, people, cancelled) =>
    `${type}: ${enCount(messages, { one: 'message', other: 'messages' })} for ${people}${cancelled > 0 ? `; ${cancelled} cancelled before they began` : ''}`,
  why: 'Why',
  anyReason: 'all',
  who: 'Who',
  foundOf: (found, count) => `Found: ${found} of ${count}.`,
  searchedSince: (moment) => `Messages accepted since ${moment} have been looked at.`,
  searchedAll: 'All messages that are kept have been looked at.',
  notAll:
    'The number and the list may differ: the number still counts whoever has gone on to another state since, and messages that are not kept any more; and the list goes by the time of the latest state alone.',
  searchOn: 'Look at older messages',
  lateness: 'How late messages began',
  latenessOf: (cls, share, messages) => `${cls}: ${share} of ${messages} within a second`,
  classes: { urgent: 'Urgent', normal: 'Normal', bulk: 'Bulk' },
}

const ruCount = createPlural('ru')

const ru: NumbersWords = {
  numbers: 'Что стало с сообщениями',
  day: '24 часа',
  week: '7 дней',
  nothing: 'За это время ничего не отправляли.',
  type: 'Вид',
  own: 'Коды и ответы',
  channel: 'Канал',
  columns: {
    pending: 'началось для',
    sent: 'отправлено',
    delivered: 'доставлено',
    read: 'прочитано',
    confirmed: 'подтверждено',
    failed: 'не дошло',
    suppressed: 'не слали по правилу',
    expired: 'вышел срок',
    unknown: 'неизвестно',
  },
  countsHint:
    'Люди, по каждому сообщению отдельно. «Доставлено» входит в «отправлено». Подчёркнутое число ведёт к своим людям.',
  behind: (column, type, channel) => `${type}, ${channel}: ${column}`,
  open: (number, column, type, channel) => `${number} ${column}, ${type}, ${channel}: показать, кто и почему`,
  accepted: 'Принятые сообщения',
  acceptedOf: (type, messages, people, cancelled) =>
    `${type}: ${ruCount(messages, { one: 'сообщение', few: 'сообщения', many: 'сообщений', other: 'сообщения' })}, всего ${people}${cancelled > 0 ? `; отменено до начала: ${cancelled}` : ''}`,
  why: 'Почему',
  anyReason: 'все',
  who: 'Кто',
  foundOf: (found, count) => `Найдено: ${found} из ${count}.`,
  searchedSince: (moment) => `Просмотрены сообщения, принятые не раньше ${moment}.`,
  searchedAll: 'Просмотрены все сообщения, которые ещё хранятся.',
  notAll:
    'Число и список могут расходиться: в числе остаются и те, чьё состояние с тех пор изменилось, и сообщения, которые уже не хранятся, а список составлен по времени последнего состояния.',
  searchOn: 'Смотреть более старые сообщения',
  lateness: 'С каким опозданием начинались сообщения',
  latenessOf: (cls, share, messages) => `${cls}: ${share} из ${messages} в пределах секунды`,
  classes: { urgent: 'Срочные', normal: 'Обычные', bulk: 'Массовые' },
}

export const numbersTexts = { en, ru } as const

export function useNumbersWords(): NumbersWords {
  return numbersTexts[useStores().language.code.value]
}
