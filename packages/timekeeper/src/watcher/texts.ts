/** What operators are told of an alarm: what is wrong, what it means for people, and what to do. */
import { findChannel } from '@courier-fleet/channels'

export type TroubleKind =
  | 'stuck'
  | 'dead'
  | 'late'
  | 'redis-full'
  | 'no-replica'
  | 'moving'
  | 'growing'
  | 'behind'
  | 'imbalance'
  | 'budget-low'
  | 'budget-gone'

export interface Trouble {
  readonly kind: TroubleKind
  /** a channel, or one and a type, or a history key; empty for the whole fleet */
  readonly of: string
  /** for the log */
  readonly detail: string
}

export type AlarmLanguage = 'ru' | 'en'

type Text = (of: string, type: string) => string

const texts: Readonly<
  Record<AlarmLanguage, Readonly<Record<TroubleKind, Text>> & { readonly over: (was: string) => string }>
> = {
  en: {
    stuck: (channel) =>
      `${channel}: messages wait and nobody works on them. Start its couriers, or look into their logs.`,
    dead: (channel) => `${channel}: no courier is ready. New messages wait for it until one is started.`,
    late: () => 'Messages start late. See that timekeeper and couriers run, and that Redis is not overloaded.',
    'redis-full': () =>
      'Redis is nearly full. When it is full nothing new is accepted: give it more memory, or keep messages for fewer days.',
    'no-replica': () =>
      'No replica of Redis answers, as REDIS_DURABILITY asks for: changes are refused, and nobody is sent anything. Start the replicas, or mend the line to them.',
    moving: () =>
      'Redis has been moving a part of its data to another node for more than half a minute, and what is in it waits. See that the move is still going on; if it was broken off, end it (redis-cli --cluster fix).',
    growing: () =>
      'The shards have been growing for a quarter of an hour, and some processes do not look into all of them yet: new messages are laid as before until they do. "fleet shards" names them; start each anew.',
    behind: (channel, type) =>
      `${channel} cannot keep up: for messages of type ${type} more people wait than can be sent to by their deadline. Each class keeps its share of the rate, and the others wait. Raise the allowed rate where the provider takes more, or send less by this channel.`,
    imbalance: (key) =>
      `The ledger of message ${key} does not match its receipts. Recount it ("fleet recount") and keep the logs.`,
    'budget-low': () =>
      'Of the budget of SMS for this month 80 % is spent. When all of it is, whoever is left is sent no SMS: raise the budget, or send less by SMS.',
    'budget-gone': () =>
      'The budget of SMS for this month is spent: people are sent no SMS. Raise it, and have messages sent again to whom they did not reach, or wait until the month is over.',
    over: (was) => `All well again. It was: ${was}`,
  },
  ru: {
    stuck: (channel) =>
      `${channel}: сообщения ждут, и никто их не отправляет. Запустите курьеров канала или посмотрите их журналы.`,
    dead: (channel) => `${channel}: ни один курьер не готов. Новые сообщения ждут, пока он не будет запущен.`,
    late: () =>
      'Сообщения уходят с опозданием. Проверьте, работают ли хранитель времени и курьеры и не перегружен ли Redis.',
    'redis-full': () =>
      'Память Redis почти занята. Когда она кончится, новые сообщения не примут: добавьте памяти или храните сообщения меньше дней.',
    'no-replica': () =>
      'Реплики Redis не отвечают, а REDIS_DURABILITY их требует: изменения не принимаются, и никому ничего не отправляется. Запустите реплики или восстановите связь с ними.',
    moving: () =>
      'Redis уже больше полуминуты переносит часть данных на другой узел, и всё, что в ней, ждёт. Проверьте, идёт ли перенос; если он прерван, завершите его (redis-cli --cluster fix).',
    growing: () =>
      'Число шардов увеличивают уже четверть часа, а часть процессов ещё не смотрит во все: до тех пор новые сообщения раскладываются по-прежнему. Кто это, показывает «fleet shards»; перезапустите каждый из них.',
    behind: (channel, type) =>
      `${channel} не успевает: сообщений типа ${type} ждёт больше людей, чем удастся отправить до их срока. У каждого класса остаётся его доля скорости, остальные ждут. Поднимите разрешённую скорость, если провайдер принимает больше, или отправляйте этим каналом меньше.`,
    imbalance: (key) =>
      `Счёт сообщения ${key} не сходится с отметками. Пересчитайте его («fleet recount») и сохраните журналы.`,
    'budget-low': () =>
      'Из бюджета SMS на этот месяц потрачено 80 %. Когда он кончится, оставшимся SMS не уйдут: увеличьте бюджет или отправляйте меньше SMS.',
    'budget-gone': () =>
      'Бюджет SMS на этот месяц потрачен: SMS людям не уходят. Увеличьте его и попросите отправить сообщения ещё раз тем, до кого они не дошли, или дождитесь конца месяца.',
    over: (was) => `Снова всё в порядке. Было: ${was}`,
  },
}

/** @param of a channel, one and a type, a history key or nothing, as the kind of trouble has it */
export function alarmText(language: AlarmLanguage, kind: TroubleKind, of: string): string {
  const [first = '', type = ''] = of.split(':')
  return texts[language][kind](findChannel(first)?.words[language].name ?? first, type)
}

export const overText = (language: AlarmLanguage, kind: TroubleKind, of: string): string =>
  texts[language].over(alarmText(language, kind, of))
