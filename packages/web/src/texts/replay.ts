/** The words of the replay of a message: loaded with it. */
import type { ReplayMark } from '@courier-fleet/api-types'
import { useStores } from '../stores.ts'

interface ReplayWords {
  readonly title: string
  readonly hint: string
  readonly shortened: string
  readonly none: string
  readonly wall: string
  readonly slider: string
  readonly play: string
  readonly pause: string
  /** how long after the start */
  readonly after: (ms: number) => string
  readonly marks: string
  readonly what: Readonly<Record<ReplayMark['what'], (channel: string, people: number) => string>>
}

const spanIn = (language: string, [second, minute, hour]: readonly [string, string, string]) => {
  const tenths = new Intl.NumberFormat(language, { minimumFractionDigits: 1, maximumFractionDigits: 1 })
  return (ms: number) => {
    if (ms < 60_000) return `${tenths.format(Math.floor(ms / 100) / 10)} ${second}`
    const minutes = Math.floor(ms / 60_000)
    if (minutes < 60) return `${minutes} ${minute} ${Math.floor(ms / 1000) % 60} ${second}`
    return `${Math.floor(minutes / 60)} ${hour} ${minutes % 60} ${minute}`
  }
}
const spanRu = spanIn('ru', ['с', 'мин', 'ч'])
const spanEn = spanIn('en', ['s', 'min', 'h'])

const ru: ReplayWords = {
  title: 'Как отправляли',
  hint: 'Точка — человек. Цвет она меняет, когда стало известно то, что о нём известно теперь. Адрес страницы ведёт к этому моменту.',
  shortened: 'Перерывы дольше 10 с сокращены.',
  none: 'Показать нечего.',
  wall: 'Все получатели точками',
  slider: 'Момент отправки',
  play: 'Показать',
  pause: 'Остановить показ',
  after: (ms) => `через ${spanRu(ms)} после начала`,
  marks: 'Что случилось за это время',
  what: {
    'channel.paused': (channel) => `${channel}: оператор приостановил`,
    'channel.resumed': (channel) => `${channel}: оператор возобновил`,
    'taken-over': (channel, people) =>
      `${channel}: один процесс замолчал, за его получателей (${people}) взялся другой`,
    'process-gone': (channel) => `${channel}: одного из процессов не стало`,
    'slow-down': (channel) => `${channel}: сервис попросил слать реже`,
    'redis-away': () => 'База данных службы не отвечала',
  },
}

const en: ReplayWords = {
  title: 'How it was sent',
  hint: 'A dot is a person. It changes its colour when what is known of them now came to be known. The address of the page leads to this moment.',
  shortened: 'Breaks of more than 10 s are shortened.',
  none: 'There is nothing to show.',
  wall: 'Everyone it was for, as dots',
  slider: 'Moment of sending',
  play: 'Play',
  pause: 'Pause',
  after: (ms) => `${spanEn(ms)} after the start`,
  marks: 'What happened meanwhile',
  what: {
    'channel.paused': (channel) => `${channel}: paused by an operator`,
    'channel.resumed': (channel) => `${channel}: resumed by an operator`,
    'taken-over': (channel, people) =>
      `${channel}: a process fell silent, and another went on with its people (${people})`,
    'process-gone': (channel) => `${channel}: one of its processes was gone`,
    'slow-down': (channel) => `${channel} asked to be sent less`,
    'redis-away': () => 'The database of the service did not answer',
  },
}

const replayWords = { ru, en } as const

export const useReplayWords = (): ReplayWords => replayWords[useStores().language.code.value]
