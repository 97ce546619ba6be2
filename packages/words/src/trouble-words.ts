/** What is wrong with the fleet, in sentences: what it is, who waits, what to do. With both languages, for few pages say it. */
import type { Language } from './catalogue.ts'
import { channelName } from './outcome-words.ts'
import { createPlural } from './plural.ts'
import { shortSpan } from './short-span.ts'
import type { Trouble } from './troubles.ts'

interface Naming {
  readonly time: (at: string | number) => string
  readonly channel: (channel: string) => string
}
type TroubleOf<K extends Trouble['kind']> = Extract<Trouble, { kind: K }>
type TroubleCatalogue = { readonly [K in Trouble['kind']]: (trouble: TroubleOf<K>, naming: Naming) => string }

/** as many as somebody reads */
const maxNamed = 5
function firstOf(names: readonly string[], and: string, more: string): string {
  const left = names.length - maxNamed
  const named = names.slice(0, maxNamed).join(', ')
  return left > 0 ? `${named} ${and} ${left} ${more}`.trim() : named
}

const enCount = createPlural('en')
const enPeople = (count: number) => enCount(count, { one: 'person', other: 'people' })
const enWaiting = (waiting: number) =>
  waiting === 0 ? ' Nobody waits.' : ` ${enPeople(waiting)} ${waiting === 1 ? 'waits' : 'wait'}.`

const en: TroubleCatalogue = {
  imbalance: ({ key }) =>
    `The counts of message ${key} do not match its people. Recount it with "fleet recount ${key}" and keep the logs.`,
  behind: ({ channel, type }, naming) =>
    `${naming.channel(channel)} cannot keep up: for messages of type ${type} more people wait than can be sent to by their deadline.`,
  'redis-full': ({ share }) =>
    `Redis is ${Math.round(share * 100)} % full. When it is full nothing new is accepted: give it more memory.`,
  moving: ({ slots }) =>
    `A part of Redis is on its way to another node (${enCount(slots, { one: 'slot', other: 'slots' })}). What is in it waits until it has arrived.`,
  growing: ({ shards, toRestart }) =>
    `The shards grow to ${shards}. New messages are laid as before until every process looks into all of them; start anew, one after the other: ${firstOf(toRestart, 'and', 'more')}.`,
  'no-replica': () =>
    'Replicas of Redis do not confirm what is written: changes are refused, and nobody is sent anything. After a change of the master it passes within seconds; if not, start the replicas.',
  unwatched: () => 'No timekeeper watches: what is wrong is not looked for. Start a timekeeper.',
  late: ({ messages, byMs }) =>
    `${enCount(messages, { one: 'message is', other: 'messages are' })} due and not begun, the first by ${shortSpan('en', byMs)}. See that timekeepers and couriers run.`,
  stuck: ({ channel, waiting, forMs }, naming) =>
    `${naming.channel(channel)} stands still: for ${shortSpan('en', forMs)} nobody has worked on what waits.${enWaiting(waiting)} Start its couriers, or look into their logs.`,
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
          ? ` It asks to wait for ${shortSpan('en', forMs)} more.`
          : ''
        : ` As it goes now, done at about ${naming.time(endMs)}.`
    }`,
}

const ruCount = createPlural('ru')
const ruPeople = (count: number) =>
  ruCount(count, { one: 'человек', few: 'человека', many: 'человек', other: 'человека' })
const ruWaiting = (waiting: number) =>
  waiting === 0
    ? ' Никто не ждёт.'
    : ` ${waiting % 10 === 1 && waiting % 100 !== 11 ? 'Ждёт' : 'Ждут'} ${ruPeople(waiting)}.`

const ru: TroubleCatalogue = {
  imbalance: ({ key }) =>
    `Счёт сообщения ${key} не сходится с отметками. Пересчитайте его («fleet recount ${key}») и сохраните журналы.`,
  behind: ({ channel, type }, naming) =>
    `${naming.channel(channel)} не успевает: сообщений типа ${type} ждёт больше людей, чем удастся отправить до их срока.`,
  'redis-full': ({ share }) =>
    `Redis заполнен на ${Math.round(share * 100)} %. Когда память кончится, новые сообщения не примут: добавьте памяти.`,
  moving: ({ slots }) =>
    `Часть данных Redis переносят на другой узел (слотов: ${slots}). Что в ней, ждёт до конца переноса.`,
  growing: ({ shards, toRestart }) =>
    `Число шардов растёт до ${shards}. Новые сообщения раскладываются по-прежнему, пока все процессы не смотрят во все шарды; перезапустите по одному: ${firstOf(toRestart, 'и ещё', '')}.`,
  'no-replica': () =>
    'Реплики Redis не подтверждают записанное: изменения не принимаются, и никому ничего не отправляется. После смены главного узла это проходит за секунды; если нет, запустите реплики.',
  unwatched: () => 'Никто не следит за службой: хранитель времени не запущен. Запустите его.',
  late: ({ messages, byMs }) =>
    `${ruCount(messages, { one: 'сообщение', few: 'сообщения', many: 'сообщений', other: 'сообщения' })} должно уже идти, но не началось; опоздание до ${shortSpan('ru', byMs)}. Проверьте, работают ли хранитель времени и курьеры.`,
  stuck: ({ channel, waiting, forMs }, naming) =>
    `${naming.channel(channel)} стоит: уже ${shortSpan('ru', forMs)} никто не берётся за то, что ждёт.${ruWaiting(waiting)} Запустите курьеров канала или посмотрите их журналы.`,
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
          ? ` Ждать просят ещё ${shortSpan('ru', forMs)}.`
          : ''
        : ` Если так пойдёт и дальше, конец ≈ ${naming.time(endMs)}.`
    }`,
}

const catalogues: Readonly<Record<Language, TroubleCatalogue>> = { en, ru }

/** @param time on the clock of the reader */
export function troubleWords(language: Language, trouble: Trouble, time: (at: string | number) => string): string {
  const channel = (name: string) => channelName(language, name)
  const say = catalogues[language][trouble.kind] as (trouble: Trouble, naming: Naming) => string
  return say(trouble, { time, channel })
}
