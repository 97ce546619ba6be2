/** The words of settings, apart from all others: a page loads them where versions are looked at, and nowhere else. */
import type { Cap, ChannelTuning, FleetSettings, Weekday } from '@courier-fleet/api-types'
import type { Language } from './catalogue.ts'
import { createPlural } from './plural.ts'

/** Those that are set as a whole: types, roles and channels are told one by one. */
export type WholeSetting = Exclude<keyof FleetSettings, 'types' | 'formerTypes' | 'roles' | 'channels'>

export interface SettingCatalogue {
  readonly names: Readonly<Record<WholeSetting, string>>
  /** what holds where it is not set; of some that nothing is set may have been set, too */
  readonly unset: Readonly<Record<WholeSetting, string>>
  readonly tuning: Readonly<Record<keyof ChannelTuning, string>>
  readonly asStarted: string
  readonly noLimit: string
  readonly asManyAsNeeded: string
  readonly weekdays: Readonly<Record<Weekday, string>>
  quiet(from: string, to: string, days: string | undefined): string
  readonly atOnce: string
  spread(span: string): string
  readonly none: string
  exam(group: string, from: string, to: string): string
  readonly asManyAsThereAre: string
  perDay(n: number): string
  per(n: number, span: string): string
  readonly over: Readonly<Record<Cap['over'], string>>
  atLeast(span: string): string
  readonly everythingGoesOut: string
  level(after: number, least: number): string
  readonly anyTime: string
  oncePer(span: string): string
  days(count: number): string
  type(name: string): string
  readonly typeRemoved: string
  role(name: string): string
  readonly roleRemoved: string
  ofRole(rights: string, quota: number | null): string
  importance(level: number): string
  readonly mandatory: string
  readonly inQuietHours: string
  noDuplicates(span: string): string
  merged(span: string): string
  intervalOfType(span: string): string
  deadline(span: string): string
  inSteps(steps: string): string
  senders(roles: string): string
  readonly consent: Readonly<Record<FleetSettings['consent'], string>>
  readonly anyNumber: string
  budgetOfMonth(limit: string): string
  budgetOfDay(role: string, limit: string): string
  exempt(types: string): string
}

const everySetting = (words: string, others: Partial<Record<WholeSetting, string>>): SettingCatalogue['unset'] => ({
  quiet: words,
  quietJitterSeconds: words,
  exams: words,
  caps: words,
  interval: words,
  levels: words,
  onlineIntervalSeconds: words,
  retentionDays: words,
  weights: words,
  recheckHosts: words,
  tellRead: words,
  tariffs: words,
  budgets: words,
  consent: words,
  language: words,
  ...others,
})

const inRussian = createPlural('ru')
const inEnglish = createPlural('en')

const asStarted = { ru: 'как при запуске', en: 'as the fleet was started' }
const noneOrAsStarted = { ru: 'нет, или как при запуске', en: 'none, or as the fleet was started' }

const ru: SettingCatalogue = {
  names: {
    quiet: 'тихие часы',
    quietJitterSeconds: 'кто ждал конца тихих часов, тем пишем',
    exams: 'экзамены',
    caps: 'сообщений любого вида одному человеку',
    interval: 'между двумя сообщениями любого вида',
    levels: 'когда сообщений за день уже много',
    onlineIntervalSeconds: 'кто появился в сети, тем ждавшее уходит',
    retentionDays: 'сообщение хранится, когда с ним всё кончено',
    weights: 'доли срочных, обычных и массовых',
    recheckHosts: 'кого преподаватели могут переспрашивать перед отправкой',
    tellRead: 'где известно, кто прочитал',
    tariffs: 'цена одной SMS, по началу номера',
    budgets: 'бюджеты SMS',
    consent: 'кому можно писать',
    language: 'чей текст получают те, на чьём языке его нет',
  },
  unset: everySetting(asStarted.ru, {
    quiet: noneOrAsStarted.ru,
    interval: noneOrAsStarted.ru,
    tariffs: 'не задана',
    budgets: 'нет',
  }),
  tuning: {
    batchSize: 'человек в одном задании не больше',
    concurrency: 'заданий сразу в одном процессе',
    window: 'человек, о которых ещё нет ответа, в одном процессе не больше',
    perSecond: 'в секунду не больше',
    processes: 'процессов',
  },
  asStarted: asStarted.ru,
  noLimit: 'без предела с нашей стороны',
  asManyAsNeeded: 'сколько нужно',
  weekdays: { mon: 'пн', tue: 'вт', wed: 'ср', thu: 'чт', fri: 'пт', sat: 'сб', sun: 'вс' },
  quiet: (from, to, days) => `с ${from} до ${to}${days === undefined ? '' : `, если начинаются в эти дни: ${days}`}`,
  atOnce: 'сразу',
  spread: (span) => `не сразу всем, а за ${span}`,
  none: 'нет',
  exam: (group, from, to) => `${group}: ${from} – ${to}`,
  asManyAsThereAre: 'сколько есть',
  perDay: (n) => `не больше ${n} за день получателя`,
  per: (n, span) => `не больше ${n} за ${span}`,
  over: { drop: 'лишнее не отправляется', wait: 'лишнее ждёт, пока можно' },
  atLeast: (span) => `не меньше чем ${span}`,
  everythingGoesOut: 'уходят все',
  level: (after, least) => `после ${after} за день — только с важностью ${least} и выше`,
  anyTime: 'по одному каждый раз, как о них сообщат',
  oncePer: (span) => `не чаще чем по одному за ${span}`,
  days: (count) => inRussian(count, { one: 'день', few: 'дня', many: 'дней', other: 'дня' }),
  type: (name) => `вид «${name}»`,
  typeRemoved: 'удалён',
  role: (name) => `роль «${name}»`,
  roleRemoved: 'удалена',
  ofRole: (rights, quota) =>
    `права — ${rights}; ${quota === null ? 'сообщений за день без предела' : `сообщений за день не больше ${quota}`}`,
  importance: (level) => `важность ${level}`,
  mandatory: 'обязательные',
  inQuietHours: 'и в тихие часы',
  noDuplicates: (span) => `один и тот же текст не дважды за ${span}`,
  merged: (span) => `одним сообщением всё, что человеку за ${span}`,
  intervalOfType: (span) => `между двумя не меньше чем ${span}`,
  deadline: (span) => `срок – ${span}`,
  inSteps: (steps) => `по шагам (${steps})`,
  senders: (roles) => `отправляют только: ${roles}`,
  consent: { required: 'только кто согласился сам', 'import-is-enough': 'всем, чей адрес есть в списке' },
  anyNumber: 'любой номер',
  budgetOfMonth: (limit) => `на месяц всем вместе – ${limit}`,
  budgetOfDay: (role, limit) => `на день одному отправителю (${role}) – ${limit}`,
  exempt: (types) => `кроме видов: ${types}`,
}

const en: SettingCatalogue = {
  names: {
    quiet: 'quiet hours',
    quietJitterSeconds: 'after quiet hours people are written to',
    exams: 'exams',
    caps: 'messages of any type to one person',
    interval: 'between two messages of any type',
    levels: 'when somebody has had many messages in a day',
    onlineIntervalSeconds: 'who comes online is sent what has waited',
    retentionDays: 'a message is kept, once it is over, for',
    weights: 'shares of urgent, normal and bulk messages',
    recheckHosts: 'hosts that trainers may have asked before a message is sent',
    tellRead: 'where it is told who has read',
    tariffs: 'price of one SMS, by how the number begins',
    budgets: 'budgets of SMS',
    consent: 'who may be written to',
    language: 'whose text people get who read none of the others',
  },
  unset: everySetting(asStarted.en, {
    quiet: noneOrAsStarted.en,
    interval: noneOrAsStarted.en,
    tariffs: 'not set',
    budgets: 'none',
  }),
  tuning: {
    batchSize: 'people of one send job at most',
    concurrency: 'send jobs of one process at once',
    window: 'people of one process without an answer yet, at most',
    perSecond: 'a second at most',
    processes: 'processes',
  },
  asStarted: asStarted.en,
  noLimit: 'no limit on our side',
  asManyAsNeeded: 'as many as are needed',
  weekdays: { mon: 'Mon', tue: 'Tue', wed: 'Wed', thu: 'Thu', fri: 'Fri', sat: 'Sat', sun: 'Sun' },
  quiet: (from, to, days) => `from ${from} to ${to}${days === undefined ? '' : `, if they begin on: ${days}`}`,
  atOnce: 'at once',
  spread: (span) => `not all at once but within ${span}`,
  none: 'none',
  exam: (group, from, to) => `${group}: ${from} – ${to}`,
  asManyAsThereAre: 'as many as there are',
  perDay: (n) => `at most ${n} in a day of theirs`,
  per: (n, span) => `at most ${n} within ${span}`,
  over: { drop: 'one more is not sent', wait: 'one more waits until there is room' },
  atLeast: (span) => `at least ${span}`,
  everythingGoesOut: 'everything goes out',
  level: (after, least) => `after ${after} in a day only those of importance ${least} and above`,
  anyTime: 'one at a time, whenever they are reported',
  oncePer: (span) => `at most one within ${span}`,
  days: (count) => inEnglish(count, { one: 'day', other: 'days' }),
  type: (name) => `type "${name}"`,
  typeRemoved: 'removed',
  role: (name) => `role "${name}"`,
  roleRemoved: 'removed',
  ofRole: (rights, quota) =>
    `rights of ${rights}; ${quota === null ? 'any number of messages a day' : `at most ${quota} messages a day`}`,
  importance: (level) => `importance ${level}`,
  mandatory: 'mandatory',
  inQuietHours: 'in quiet hours, too',
  noDuplicates: (span) => `the same text not twice within ${span}`,
  merged: (span) => `as one message what a person is to get within ${span}`,
  intervalOfType: (span) => `at least ${span} between two`,
  deadline: (span) => `to be sent within ${span}`,
  inSteps: (steps) => `in steps (${steps})`,
  senders: (roles) => `sent only by: ${roles}`,
  consent: {
    required: 'only who has agreed by themselves',
    'import-is-enough': 'everyone whose address is in the list',
  },
  anyNumber: 'any number',
  budgetOfMonth: (limit) => `of everybody together a month: ${limit}`,
  budgetOfDay: (role, limit) => `of one sender (${role}) a day: ${limit}`,
  exempt: (types) => `but for the types ${types}`,
}

export const settingCatalogues: Readonly<Record<Language, SettingCatalogue>> = { ru, en }
