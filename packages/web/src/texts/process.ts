/** The words of what is known of one process: loaded with its dialog. */
import { createPlural } from '@courier-fleet/words'
import { useStores } from '../stores.ts'

const enCount = createPlural('en')
const ruCount = createPlural('ru')

const en = {
  gone: 'It is not there any more: it has ended, and has not been heard of for 15 seconds.',
  lastWords: 'It said',
  fleetVersion: 'Version of courier-fleet',
  started: 'Started',
  seen: 'Last sign of life',
  pid: 'Process id',
  target: 'Sends',
  settings: 'Settings',
  version: (own: number, newest: number) =>
    own === newest ? `version ${own}, the newest` : `version ${own}; the newest is ${newest}`,
  busy: 'Work',
  core: (share: string) => `${share} of a core`,
  inFlight: 'Works on',
  claims: (count: number) => enCount(count, { one: 'piece of messages', other: 'pieces of messages' }),
  holds: 'Has claimed, as Redis says',
  holdsHint: 'Each start of it claims under a name of its own. What an earlier start has left others take over.',
  held: (channel: string, cls: string, count: number, span: string | undefined) =>
    `${channel}, ${cls}: ${count}${span === undefined ? '' : `, the last sign of work ${span} ago`}`,
  nothing: 'nothing',
  classes: { urgent: 'urgent', normal: 'normal', bulk: 'bulk' } as Readonly<Record<string, string>>,
  pace: {
    batchSize: 'People of one send job, at most',
    concurrency: 'Send jobs at once',
    window: 'People without an answer yet, at most',
    perSecond: 'A second, at most, of all processes of the channel',
  },
  noLimit: 'no limit on our side',
  startedWith: (value: string) => `started with ${value}`,
}
export type ProcessWords = typeof en

const ru: ProcessWords = {
  gone: 'Его больше нет: он завершился, и 15 секунд о нём ничего не слышно.',
  lastWords: 'Он сообщил',
  fleetVersion: 'Версия courier-fleet',
  started: 'Запущен',
  seen: 'Последний знак',
  pid: 'Номер процесса',
  target: 'Отправляет',
  settings: 'Настройки',
  version: (own, newest) => (own === newest ? `версия ${own}, последняя` : `версия ${own}; последняя ${newest}`),
  busy: 'Нагрузка',
  core: (share) => `${share} ядра`,
  inFlight: 'Работает над',
  claims: (count) =>
    ruCount(count, {
      one: 'частью сообщений',
      few: 'частями сообщений',
      many: 'частями сообщений',
      other: 'частями сообщений',
    }),
  holds: 'Взял на себя, по данным Redis',
  holdsHint: 'У каждого запуска своё имя. Что осталось от прежнего, берут на себя другие.',
  held: (channel, cls, count, span) =>
    `${channel}, ${cls}: ${count}${span === undefined ? '' : `, последний признак работы ${span} назад`}`,
  nothing: 'ничего',
  classes: { urgent: 'срочные', normal: 'обычные', bulk: 'массовые' },
  pace: {
    batchSize: 'Человек в одном задании не больше',
    concurrency: 'Заданий сразу',
    window: 'Человек, о которых ещё нет ответа, не больше',
    perSecond: 'В секунду не больше, все процессы канала вместе',
  },
  noLimit: 'без предела с нашей стороны',
  startedWith: (value) => `при запуске ${value}`,
}

export const processTexts = { en, ru } as const

export const useProcessWords = (): ProcessWords => processTexts[useStores().language.code.value]
