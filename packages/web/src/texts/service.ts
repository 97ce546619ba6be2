/** The words of the operators' page: loaded with it. */
import type { ErasureReason } from '@courier-fleet/api-types'
import { createPlural } from '@courier-fleet/words'
import { useStores } from '../stores.ts'
import type { Trouble } from '../troubles.ts'

type Of<K extends Trouble['kind']> = Extract<Trouble, { kind: K }>
/** how a moment, a length of time and a channel are called */
export interface Naming {
  readonly time: (at: string | number) => string
  readonly channel: (channel: string) => string
}

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
  readonly trouble: { readonly [K in Trouble['kind']]: (trouble: Of<K>, naming: Naming) => string }
  readonly channels: string
  readonly state: Readonly<Record<'works' | 'slow' | 'silent' | 'stuck' | 'away' | 'paused', string>>
  readonly waiting: string
  readonly waitingHint: string
  readonly byClass: Readonly<Record<'urgent' | 'normal' | 'bulk', string>>
  readonly upTo: (people: string) => string
  readonly pieces: (entries: string) => string
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
  readonly isHeld: string
  readonly isLate: (span: string) => string
  readonly hasFailed: (failed: string, of: string) => string
  readonly lookUp: string
  readonly lookUpHint: string
  readonly lookUpWhom: string
  readonly nobodyFound: string
  readonly noMessagesFor: string
  readonly older: string
  readonly data: string
  readonly erase: string
  readonly eraseTitle: (name: string) => string
  readonly eraseText: string
  readonly eraseWhy: string
  readonly eraseReasons: Readonly<Record<ErasureReason, string>>
  readonly eraseYes: string
  readonly eraseNo: string
  readonly erasing: string
  readonly notBegun: string
  readonly acceptedAt: (moment: string) => string
  readonly toldByVoice: (by: string, moment: string) => string
  readonly confirmed: (channel: string, moment: string) => string
  readonly events: string
  readonly eventsHint: string
  readonly started: (name: string) => string
  readonly takenOver: (channel: string, people: number) => string
  readonly actions: Readonly<Record<string, string>>
  /** what the audit says more of a change of settings, or of a list that was loaded (`created=3, …`) */
  readonly details: (detail: string) => string
}

/** Of a text with names as the audit has them the same with ours; others stay. */
const inWords = (names: Readonly<Record<string, string>>) => (detail: string) =>
  detail.replace(/\b(\w+)=(\d+)/g, (whole, name, count) => (names[name] ? `${names[name]} ${count}` : whole))

const spanIn = (units: readonly [string, string, string, string]) => (ms: number) => {
  const seconds = Math.max(0, Math.round(ms / 1000))
  const [s, min, h, d] = units
  if (seconds < 60) return `${seconds} ${s}`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return seconds % 60 === 0 ? `${minutes} ${min}` : `${minutes} ${min} ${seconds % 60} ${s}`
  const hours = Math.floor(minutes / 60)
  if (hours < 48) return minutes % 60 === 0 ? `${hours} ${h}` : `${hours} ${h} ${minutes % 60} ${min}`
  return `${Math.floor(hours / 24)} ${d}`
}

const enCount = createPlural('en')
const enPeople = (count: number) => enCount(count, { one: 'person', other: 'people' })
const enSpan = spanIn(['s', 'min', 'h', 'days'])
const enWaiting = (waiting: number) =>
  waiting === 0 ? ' Nobody waits.' : ` ${enPeople(waiting)} ${waiting === 1 ? 'waits' : 'wait'}.`

const en: ServiceWords = {
  title: 'Service',
  allWell: 'All channels work.',
  nobodyLost: 'Nobody is lost: everyone who waits is accounted for.',
  asOf: (time) => `As of ${time}; the page follows by itself.`,
  lastKnown: (time) => `Below is what was known at ${time}.`,
  redisAway:
    'Redis, or a part of it, does not answer: what lies there is not sent, and changes are refused. A replica takes over by itself, mostly within seconds; where there is none, start Redis.',
  span: enSpan,
  ms: 'ms',
  trouble: {
    imbalance: ({ key }) =>
      `The counts of message ${key} do not match its people. Recount it with "fleet recount ${key}" and keep the logs.`,
    behind: ({ channel, type }, naming) =>
      `${naming.channel(channel)} cannot keep up: for messages of type ${type} more people wait than can be sent to by their deadline.`,
    'redis-full': ({ share }) =>
      `Redis is ${Math.round(share * 100)} % full. When it is full nothing new is accepted: give it more memory.`,
    moving: ({ slots }) =>
      `A part of Redis is on its way to another node (${enCount(slots, { one: 'slot', other: 'slots' })}). What is in it waits until it has arrived.`,
    'no-replica': () =>
      'Replicas of Redis do not confirm what is written: changes are refused, and nobody is sent anything. After a change of the master it passes within seconds; if not, start the replicas.',
    unwatched: () => 'No timekeeper watches: what is wrong is not looked for. Start a timekeeper.',
    late: ({ messages, byMs }) =>
      `${enCount(messages, { one: 'message is', other: 'messages are' })} due and not begun, the first by ${enSpan(byMs)}. See that timekeepers and couriers run.`,
    stuck: ({ channel, waiting, forMs }, naming) =>
      `${naming.channel(channel)} stands still: for ${enSpan(forMs)} nobody has worked on what waits.${enWaiting(waiting)} Start its couriers, or look into their logs.`,
    away: ({ channel, waiting, since, why }, naming) =>
      `${naming.channel(channel)} cannot send${since ? ` since ${naming.time(since)}` : ': none of its couriers runs'}${why ? `: “${why}”` : ''}.${enWaiting(waiting)}`,
    silent: ({ channel, waiting, since }, naming) =>
      `No courier of ${naming.channel(channel)} has given a sign of life${since ? ` since ${naming.time(since)}` : ''}: they have ended, or hang.${enWaiting(waiting)}`,
    paused: ({ channel, waiting, since, by }, naming) =>
      `${naming.channel(channel)} has been paused by ${by} since ${naming.time(since)}.${enWaiting(waiting)}`,
    'slow-down': ({ channel, waiting, since, why, forMs, endMs }, naming) =>
      `${naming.channel(channel)} asks to be sent less${since ? ` since ${naming.time(since)}` : ''}${why ? `: “${why}”` : ''}.${enWaiting(waiting)}${
        endMs === undefined
          ? forMs > 0
            ? ` It asks to wait for ${enSpan(forMs)} more.`
            : ''
          : ` As it goes now, done at about ${naming.time(endMs)}.`
      }`,
  },
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
  upTo: (people) => `up to ${people}`,
  pieces: (entries) => `more than ${entries} pieces`,
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
  isHeld: 'waits for an operator',
  isLate: (span) => `not over for ${span}`,
  hasFailed: (failed, of) => `${failed} of ${of} did not get it`,
  lookUp: 'Did they get it?',
  lookUpHint: 'What one person got, message by message, and when. The audit says who has looked.',
  lookUpWhom: 'Whose messages: name or id',
  nobodyFound: 'Nobody was found.',
  noMessagesFor: 'None of the messages that were looked at was for them.',
  older: 'Look at older messages',
  data: 'Save all that is known of them',
  erase: 'Erase…',
  eraseTitle: (name) => `Erase ${name}?`,
  eraseText:
    'All that is known of this person is removed, and every message they have sent; those that are on their way are stopped. Other messages keep their counts, without the name. This cannot be taken back.',
  eraseWhy: 'Why',
  eraseReasons: { 'own-request': 'they have asked for it', left: 'they have left', mistake: 'entered by mistake' },
  eraseYes: 'Erase for good',
  eraseNo: 'Leave as it is',
  erasing: 'Being erased. It goes on by itself, and takes half a minute at least.',
  notBegun: 'not begun, or on no channel yet',
  acceptedAt: (moment) => `accepted ${moment}`,
  toldByVoice: (by, moment) => `told by voice, ${moment}: so says ${by}`,
  confirmed: (channel, moment) => `confirmed: ${channel}, ${moment}`,
  events: 'What has happened',
  eventsHint:
    'Starts of processes that run now, processes that fell silent, and what people have changed, the newest first.',
  started: (name) => `${name} was started`,
  takenOver: (channel, people) => `${channel}: a process fell silent, and another went on with its people (${people})`,
  actions: {
    'channel.paused': 'paused a channel',
    'channel.resumed': 'resumed a channel',
    'channel.retired': 'took a channel out of use',
    'settings.changed': 'changed the settings',
    'template.changed': 'changed a template',
    'template.archived': 'archived a template',
    'api-key.created': 'made an API key',
    'api-key.revoked': 'revoked an API key',
    'person.role': 'changed a role',
    'fleet.rebuilt': 'had indexes made again',
    'message.released': 'let a held message go out',
    'message.cancelled': 'stopped a message',
    'endpoint.disabled': 'switched an address off',
    'endpoint.enabled': 'switched an address on',
    'people.imported': 'loaded a list of people',
    'import.taken-back': 'took a list of people back',
  },
  details: inWords({ created: 'new', updated: 'changed', removed: 'removed', rejected: 'refused' }),
}

const ruCount = createPlural('ru')
const ruPeople = (count: number) =>
  ruCount(count, { one: 'человек', few: 'человека', many: 'человек', other: 'человека' })
const ruSpan = spanIn(['с', 'мин', 'ч', 'дн.'])
const ruWaiting = (waiting: number) =>
  waiting === 0
    ? ' Никто не ждёт.'
    : ` ${waiting % 10 === 1 && waiting % 100 !== 11 ? 'Ждёт' : 'Ждут'} ${ruPeople(waiting)}.`

const ru: ServiceWords = {
  title: 'Служба',
  allWell: 'Все каналы работают.',
  nobodyLost: 'Никто не потерян: каждый, кто ждёт, учтён.',
  asOf: (time) => `На ${time}; страница обновляется сама.`,
  lastKnown: (time) => `Ниже то, что было известно на ${time}.`,
  redisAway:
    'Redis или часть его не отвечает: что в нём лежит, не отправляется, изменения не принимаются. Реплика заменяет его сама, обычно за секунды; если реплик нет, запустите Redis.',
  span: ruSpan,
  ms: 'мс',
  trouble: {
    imbalance: ({ key }) =>
      `Счёт сообщения ${key} не сходится с отметками. Пересчитайте его («fleet recount ${key}») и сохраните журналы.`,
    behind: ({ channel, type }, naming) =>
      `${naming.channel(channel)} не успевает: сообщений типа ${type} ждёт больше людей, чем удастся отправить до их срока.`,
    'redis-full': ({ share }) =>
      `Redis заполнен на ${Math.round(share * 100)} %. Когда память кончится, новые сообщения не примут: добавьте памяти.`,
    moving: ({ slots }) =>
      `Часть данных Redis переносят на другой узел (слотов: ${slots}). Что в ней, ждёт до конца переноса.`,
    'no-replica': () =>
      'Реплики Redis не подтверждают записанное: изменения не принимаются, и никому ничего не отправляется. После смены главного узла это проходит за секунды; если нет, запустите реплики.',
    unwatched: () => 'Никто не следит за службой: хранитель времени не запущен. Запустите его.',
    late: ({ messages, byMs }) =>
      `${ruCount(messages, { one: 'сообщение', few: 'сообщения', many: 'сообщений', other: 'сообщения' })} должно уже идти, но не началось; опоздание до ${ruSpan(byMs)}. Проверьте, работают ли хранитель времени и курьеры.`,
    stuck: ({ channel, waiting, forMs }, naming) =>
      `${naming.channel(channel)} стоит: уже ${ruSpan(forMs)} никто не берётся за то, что ждёт.${ruWaiting(waiting)} Запустите курьеров канала или посмотрите их журналы.`,
    away: ({ channel, waiting, since, why }, naming) =>
      `${naming.channel(channel)} не может отправлять${since ? ` с ${naming.time(since)}` : ': ни один курьер не запущен'}${why ? `: «${why}»` : ''}.${ruWaiting(waiting)}`,
    silent: ({ channel, waiting, since }, naming) =>
      `Ни один курьер канала «${naming.channel(channel)}» не подаёт знаков${since ? ` с ${naming.time(since)}` : ''}: они завершились или зависли.${ruWaiting(waiting)}`,
    paused: ({ channel, waiting, since, by }, naming) =>
      `${naming.channel(channel)} приостановлен с ${naming.time(since)}, приостановил ${by}.${ruWaiting(waiting)}`,
    'slow-down': ({ channel, waiting, since, why, forMs, endMs }, naming) =>
      `${naming.channel(channel)} просит слать реже${since ? ` с ${naming.time(since)}` : ''}${why ? `: «${why}»` : ''}.${ruWaiting(waiting)}${
        endMs === undefined
          ? forMs > 0
            ? ` Ждать просят ещё ${ruSpan(forMs)}.`
            : ''
          : ` Если так пойдёт и дальше, конец ≈ ${naming.time(endMs)}.`
      }`,
  },
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
  upTo: (people) => `до ${people}`,
  pieces: (entries) => `больше ${entries} частей`,
  oldest: (span) => `первый ждёт ${span}`,
  nobody: 'никто',
  rate: 'Скорость',
  perSecond: (people) => `${people} человек в секунду`,
  allowed: (rate) => `разрешено ${rate} обращений в секунду`,
  noLimit: 'с нашей стороны без предела',
  answer: 'Ответы',
  answers: (median, p99) => `через ${median}, один из ста дольше ${p99}`,
  noAnswers: 'за последнюю минуту ничего не отправляли',
  couriers: 'Курьеры',
  readyOf: (ready, all) => `могут отправлять ${ready} из ${all}`,
  pause: (channel) => `Приостановить ${channel}`,
  resume: (channel) => `Возобновить ${channel}`,
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
  isHeld: 'ждёт оператора',
  isLate: (span) => `не закончено уже ${span}`,
  hasFailed: (failed, of) => `не дошло: ${failed} из ${of}`,
  lookUp: 'Дошло ли до человека',
  lookUpHint: 'Что и когда получил один человек. Кто смотрел, записано в журнале.',
  lookUpWhom: 'Чьи сообщения: имя или обозначение',
  nobodyFound: 'Никто не найден.',
  noMessagesFor: 'Среди просмотренных сообщений для этого человека нет ни одного.',
  older: 'Смотреть более старые',
  data: 'Сохранить всё, что о человеке известно',
  erase: 'Стереть…',
  eraseTitle: (name) => `Стереть: ${name}?`,
  eraseText:
    'Будет удалено всё, что известно об этом человеке, и все сообщения, которые он отправил; те, что в пути, остановим. В других сообщениях останется счёт, без имени. Вернуть это нельзя.',
  eraseWhy: 'Почему',
  eraseReasons: {
    'own-request': 'так просит сам человек',
    left: 'больше здесь не учится и не работает',
    mistake: 'внесён по ошибке',
  },
  eraseYes: 'Стереть навсегда',
  eraseNo: 'Оставить как есть',
  erasing: 'Стираем. Это идёт само и займёт не меньше полуминуты.',
  notBegun: 'ещё не началось или ни на одном канале',
  acceptedAt: (moment) => `принято ${moment}`,
  toldByVoice: (by, moment) => `сказали голосом, ${moment}: так отметил ${by}`,
  confirmed: (channel, moment) => `подтверждено: ${channel}, ${moment}`,
  events: 'Что происходило',
  eventsHint: 'Запуски процессов, кто замолчал и что меняли люди. Сверху новое.',
  started: (name) => `запущен ${name}`,
  takenOver: (channel, people) => `${channel}: один процесс замолчал, за его получателей (${people}) взялся другой`,
  actions: {
    'channel.paused': 'канал приостановлен',
    'channel.resumed': 'канал возобновлён',
    'channel.retired': 'канал выведен из работы',
    'settings.changed': 'изменены настройки',
    'template.changed': 'изменён шаблон',
    'template.archived': 'шаблон убран в архив',
    'api-key.created': 'создан ключ API',
    'api-key.revoked': 'отозван ключ API',
    'person.role': 'изменена роль',
    'fleet.rebuilt': 'заново построены указатели',
    'message.released': 'разрешена отправка задержанного сообщения',
    'message.cancelled': 'остановлено сообщение',
    'endpoint.disabled': 'отключён адрес',
    'endpoint.enabled': 'включён адрес',
    'people.imported': 'загружен список людей',
    'import.taken-back': 'список людей возвращён как было',
  },
  details: (detail) =>
    inWords({ created: 'новых', updated: 'изменено', removed: 'убрано', rejected: 'не принято' })(
      detail.replace(/^version (\d+)/, 'версия $1'),
    ),
}

export const serviceTexts = { en, ru } as const

export function useServiceWords(): ServiceWords {
  return serviceTexts[useStores().language.code.value]
}
