/** The words of what has happened, on the operators' page: loaded with it. */
import type { FleetHappened } from '@courier-fleet/api-types'
import { useStores } from '../stores.ts'

export interface EventsWords {
  readonly events: string
  readonly eventsHint: string
  readonly started: (name: string) => string
  readonly takenOver: (channel: string, people: number) => string
  readonly actions: Readonly<Record<string, string>>
  /** what the audit says more of a change of settings, or of a list that was loaded (`created=3, …`) */
  readonly details: (detail: string) => string
  /** @param of the process, or the channel as it is called; @param since when it began, or was last heard of */
  readonly happened: Readonly<Record<Exclude<FleetHappened, 'alarm-over'>, (of: string, since: string) => string>>
  readonly alarmOver: (what: string, of: string, since: string) => string
  /** what was wrong, by the kind of alarm */
  readonly alarms: Readonly<Record<string, string>>
}

/** Of a text with names as the audit has them the same with ours; others stay. The number of a loaded list, which its own page has, is left out. */
const inWords = (names: Readonly<Record<string, string>>) => (detail: string) =>
  detail
    .replace(/^[0-9a-f]{16}: /, '')
    .replace(/\b(\w+)=(\d+)/g, (whole, name, count) => (names[name] ? `${names[name]} ${count}` : whole))

const en: EventsWords = {
  events: 'What has happened',
  eventsHint:
    'Starts and ends of processes, what was wrong and is over, and what people have changed, the newest first. What is over is noticed within half a minute.',
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
    'shards.grown': 'began to grow the shards',
    'message.released': 'let a held message go out',
    'message.cancelled': 'stopped a message',
    'endpoint.disabled': 'switched an address off',
    'endpoint.enabled': 'switched an address on',
    'people.imported': 'loaded a list of people',
    'import.taken-back': 'took a list of people back',
  },
  details: (detail) =>
    inWords({ created: 'new', updated: 'changed', removed: 'removed', rejected: 'refused' })(
      detail.replace(/^template:(\S+) version/, '“$1”, version'),
    ),
  happened: {
    'process-ended': (name, since) => `${name} is not there any more; its last sign of life was at ${since}`,
    'process-restarted': (name, since) =>
      `${name} has ended and was started again; the one before was last heard of at ${since}`,
    'redis-away': (_, since) => `Redis answers again; it did not answer the timekeeper from ${since} on`,
    'slow-down-over': (channel, since) => `${channel} does not ask to be sent less any more; it did since ${since}`,
  },
  alarmOver: (what, of, since) => `All well again: ${what}${of && ` (${of})`}; that held since ${since}`,
  alarms: {
    stuck: 'nobody worked on what waits for a channel',
    dead: 'no courier of a channel was ready',
    late: 'messages began late',
    'redis-full': 'Redis was nearly full',
    'no-replica': 'no replica of Redis confirmed what is written',
    moving: 'a part of Redis was on its way to another node',
    growing: 'the shards grew, and processes were not started anew',
    behind: 'a channel could not keep up with a deadline',
    imbalance: 'the counts of a message did not match its people',
    'budget-low': 'most of the budget of SMS for the month was spent',
    'budget-gone': 'the budget of SMS for the month was spent',
  },
}

const ru: EventsWords = {
  events: 'Что происходило',
  eventsHint:
    'Запуски и завершения процессов, неполадки, которые прошли, и то, что меняли люди, сначала новое. Что прошло, замечаем не позже чем через полминуты.',
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
    'shards.grown': 'начато увеличение числа шардов',
    'message.released': 'разрешена отправка задержанного сообщения',
    'message.cancelled': 'остановлено сообщение',
    'endpoint.disabled': 'отключён адрес',
    'endpoint.enabled': 'включён адрес',
    'people.imported': 'загружен список людей',
    'import.taken-back': 'список людей возвращён как было',
  },
  details: (detail) =>
    inWords({ created: 'новых', updated: 'изменено', removed: 'убрано', rejected: 'не принято' })(
      detail.replace(/^template:(\S+) /, '«$1», ').replace(/\bversion (\d+)/, 'версия $1'),
    ),
  happened: {
    'process-ended': (name, since) => `${name}: процесса больше нет; последний знак он подал в ${since}`,
    'process-restarted': (name, since) =>
      `${name}: процесс завершился и запущен снова; прежний последний раз подал знак в ${since}`,
    'redis-away': (_, since) => `Redis снова отвечает; хранителю времени он не отвечал с ${since}`,
    'slow-down-over': (channel, since) => `${channel} больше не просит слать реже; просил с ${since}`,
  },
  alarmOver: (what, of, since) => `Снова всё в порядке: ${what}${of && ` (${of})`}; так было с ${since}`,
  alarms: {
    stuck: 'сообщения канала ждали, и никто их не отправлял',
    dead: 'ни один курьер канала не был готов',
    late: 'сообщения уходили с опозданием',
    'redis-full': 'память Redis была почти занята',
    'no-replica': 'реплики Redis не подтверждали записанное',
    moving: 'часть Redis переезжала на другой узел',
    growing: 'число шардов росло, а процессы не были перезапущены',
    behind: 'канал не успевал к сроку',
    imbalance: 'счёт сообщения не сходился с отметками',
    'budget-low': 'бо́льшая часть бюджета SMS на месяц была израсходована',
    'budget-gone': 'бюджет SMS на месяц был израсходован',
  },
}

export const eventsTexts = { en, ru } as const

export function useEventsWords(): EventsWords {
  return eventsTexts[useStores().language.code.value]
}
