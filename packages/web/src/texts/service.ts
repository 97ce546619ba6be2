/** The words of the operators' page: loaded with it. */
import { shortSpan } from '@courier-fleet/words/short-span'
import { useStores } from '../stores.ts'

export interface ServiceWords {
  readonly title: string
  readonly allWell: string
  readonly nobodyLost: string
  readonly asOf: (time: string) => string
  /** while nothing newer is told */
  readonly lastKnown: (time: string) => string
  readonly redisAway: string
  readonly span: (ms: number) => string
  readonly ms: string
  readonly channels: string
  readonly state: Readonly<Record<'works' | 'slow' | 'silent' | 'stuck' | 'away' | 'paused', string>>
  readonly waiting: string
  readonly waitingHint: string
  readonly byClass: Readonly<Record<'urgent' | 'normal' | 'bulk', string>>
  readonly upTo: (people: string) => string
  readonly atLeast: (people: string) => string
  readonly takes: (span: string) => string
  readonly share: (percent: string, people: string) => string
  readonly weight: (weight: number, of: number, percent: string) => string
  readonly oldest: (span: string) => string
  readonly nobody: string
  readonly rate: string
  readonly perSecond: (people: string) => string
  readonly allowed: (rate: string) => string
  readonly noLimit: string
  readonly answer: string
  readonly answers: (median: string, p99: string) => string
  readonly noAnswers: string
  readonly couriers: string
  readonly readyOf: (ready: number, all: number) => string
  readonly pause: (channel: string) => string
  readonly resume: (channel: string) => string
  readonly settingsOf: (channel: string) => string
  readonly retire: (channel: string) => string
  readonly processes: string
  readonly since: (span: string) => string
  readonly seen: (span: string) => string
  readonly ready: string
  readonly notReady: string
  /** of a process whose sign of life is overdue */
  readonly silent: string
  readonly silentOf: (couriers: number) => string
  readonly target: Readonly<Record<string, string>>
  readonly settings: (version: number) => string
  readonly memory: (used: string, max: string | undefined) => string
  readonly held: string
  readonly heldUntil: (time: string) => string
  readonly messages: string
  readonly noMessages: string
}

const en: ServiceWords = {
  title: 'Service',
  allWell: 'All channels work.',
  nobodyLost: 'Nobody is lost: everyone who waits is accounted for.',
  asOf: (time) => `As of ${time}; the page follows by itself.`,
  lastKnown: (time) => `Below is what was known at ${time}.`,
  redisAway:
    'Redis, or a part of it, does not answer: what lies there is not sent, and changes are refused. A replica takes over by itself, mostly within seconds; where there is none, start Redis.',
  span: (ms) => shortSpan('en', ms),
  ms: 'ms',
  channels: 'Channels',
  state: {
    works: 'works',
    slow: 'slowed down',
    silent: 'no sign of life',
    stuck: 'stands still',
    away: 'cannot send',
    paused: 'paused',
  },
  waiting: 'Waiting',
  waitingHint: 'Somebody who waits for two messages is counted twice.',
  byClass: { urgent: 'urgent', normal: 'normal', bulk: 'bulk' },
  upTo: (people) => `up to ${people} waiting`,
  atLeast: (people) => `at least ${people} waiting`,
  takes: (span) => `${span} at the allowed rate`,
  share: (percent, people) => `${percent} of the last minute (${people})`,
  weight: (weight, of, percent) => `weight ${weight} of ${of}: ${percent} while all classes wait`,
  oldest: (span) => `the first for ${span}`,
  nobody: 'nobody',
  rate: 'Rate',
  perSecond: (people) => `${people} people a second`,
  allowed: (rate) => `${rate} calls a second are allowed`,
  noLimit: 'no limit on our side',
  answer: 'Answers',
  answers: (median, p99) => `after ${median}, one in a hundred after more than ${p99}`,
  noAnswers: 'nothing was sent in the last minute',
  couriers: 'Couriers',
  readyOf: (ready, all) => `${ready} of ${all} can send`,
  pause: (channel) => `Pause ${channel}`,
  resume: (channel) => `Resume ${channel}`,
  settingsOf: (channel) => `Settings of ${channel}…`,
  retire: (channel) => `Take ${channel} out of use…`,
  processes: 'Processes',
  since: (span) => `runs for ${span}`,
  seen: (span) => `last sign ${span} ago`,
  ready: 'ready',
  notReady: 'not ready',
  silent: 'no sign of life',
  silentOf: (couriers) => `no sign of life from ${couriers} of them`,
  target: { sandbox: 'sandbox', real: 'real' },
  settings: (version) => `settings ${version}`,
  memory: (used, max) => (max ? `Redis uses ${used} of ${max}.` : `Redis uses ${used}; it has no limit.`),
  held: 'Who waits for a later time',
  heldUntil: (time) => `The first of them go on at ${time}.`,
  messages: 'Messages in trouble',
  noMessages: 'None of the latest messages is in trouble.',
}

const ru: ServiceWords = {
  title: 'Служба',
  allWell: 'Все каналы работают.',
  nobodyLost: 'Никто не потерян: каждый, кто ждёт, учтён.',
  asOf: (time) => `На ${time}; страница обновляется сама.`,
  lastKnown: (time) => `Ниже то, что было известно на ${time}.`,
  redisAway:
    'Redis или часть его не отвечает: что в нём лежит, не отправляется, изменения не принимаются. Реплика заменяет его сама, обычно за секунды; если реплик нет, запустите Redis.',
  span: (ms) => shortSpan('ru', ms),
  ms: 'мс',
  channels: 'Каналы',
  state: {
    works: 'работает',
    slow: 'притормаживает',
    silent: 'не подаёт знаков',
    stuck: 'стоит',
    away: 'не может отправлять',
    paused: 'приостановлен',
  },
  waiting: 'Ждут',
  waitingHint: 'Кто ждёт два сообщения, сосчитан дважды.',
  byClass: { urgent: 'срочные', normal: 'обычные', bulk: 'массовые' },
  upTo: (people) => `ждут до ${people}`,
  atLeast: (people) => `ждут не меньше ${people}`,
  takes: (span) => `${span} при разрешённой скорости`,
  share: (percent, people) => `за минуту ${percent} (${people})`,
  weight: (weight, of, percent) => `вес ${weight} из ${of}: ${percent}, когда ждут все`,
  oldest: (span) => `первый ждёт ${span}`,
  nobody: 'никто',
  rate: 'Скорость',
  perSecond: (people) => `${people} чел. в секунду`,
  allowed: (rate) => `разрешено ${rate} обращений в секунду`,
  noLimit: 'с нашей стороны без предела',
  answer: 'Ответы',
  answers: (median, p99) => `через ${median}, один из ста дольше ${p99}`,
  noAnswers: 'за последнюю минуту ничего не отправляли',
  couriers: 'Курьеры',
  readyOf: (ready, all) => `могут отправлять ${ready} из ${all}`,
  pause: (channel) => `Приостановить ${channel}`,
  resume: (channel) => `Возобновить ${channel}`,
  settingsOf: (channel) => `Настройки: ${channel}…`,
  retire: (channel) => `Вывести из работы: ${channel}…`,
  processes: 'Процессы',
  since: (span) => `работает ${span}`,
  seen: (span) => `последний знак ${span} назад`,
  ready: 'готов',
  notReady: 'не готов',
  silent: 'не подаёт знаков',
  silentOf: (couriers) => `не подают знаков: ${couriers}`,
  target: { sandbox: 'песочница', real: 'по-настоящему' },
  settings: (version) => `настройки ${version}`,
  memory: (used, max) => (max ? `Redis занимает ${used} из ${max}.` : `Redis занимает ${used}, предела нет.`),
  held: 'Кто ждёт своего времени',
  heldUntil: (time) => `Первым продолжим в ${time}.`,
  messages: 'Сообщения, у которых не всё хорошо',
  noMessages: 'Среди последних сообщений таких нет.',
}

export const serviceTexts = { en, ru } as const

export function useServiceWords(): ServiceWords {
  return serviceTexts[useStores().language.code.value]
}
