/** The words of the settings of a channel, and of taking it out of use: loaded with their dialogs. */
import { createPlural } from '@courier-fleet/words'
import { useStores } from '../stores.ts'

const enCount = createPlural('en')
const ruCount = createPlural('ru')
const enPeople = (count: number) => enCount(count, { one: 'person', other: 'people' })
const ruPeople = (count: number) =>
  ruCount(count, { one: 'человек', few: 'человека', many: 'человек', other: 'человека' })

const en = {
  title: (channel: string) => `Settings of ${channel}`,
  intro:
    'How fast this channel works. An empty field: as its couriers were started. What is saved counts from the next decision on.',
  names: {
    perSecond: 'At most, a second',
    batchSize: 'People of one send job, at most',
    concurrency: 'Send jobs of one process at once',
    window: 'People of one process without an answer yet, at most',
    processes: 'Processes',
  },
  counts: {
    calls: 'Calls to the provider, of all processes together.',
    messages: 'Messages, or pieces of long ones, of all processes together.',
  },
  off: 'No limit on our side',
  auto: 'As many as are needed',
  noLimit: 'no limit',
  started: (value: string, now: string) => `Started with: ${value}. Now: ${now}.`,
  run: (count: number) =>
    `${enCount(count, { one: 'process runs', other: 'processes run' })} now. A fleet that npm start runs follows this; elsewhere processes are started where they run.`,
  wrong: (max: string, isWhole: boolean) =>
    `Write ${isWhole ? 'a whole number' : 'a number'} above 0, at most ${max}, or nothing.`,
  concerned: (waiting: number) =>
    waiting === 0
      ? 'Nobody waits for this channel now.'
      : `${enPeople(waiting)} ${waiting === 1 ? 'waits' : 'wait'} for this channel now: it is sent to them by these settings from the next send job on.`,
  retireTitle: (channel: string) => `Take ${channel} out of use?`,
  retireText:
    'Messages that start from now on do not wait for this channel unless they name it. As soon as a courier of it is started it is in use again.',
  stillWaiting: (waiting: number) =>
    waiting === 0
      ? 'Nobody waits for it.'
      : `${enPeople(waiting)} still ${waiting === 1 ? 'waits' : 'wait'} for it, counted for each message: until their messages expire, or a courier of it is started.`,
  retireYes: 'Take it out of use',
  retireNo: 'Leave it in use',
  retired: (channel: string) => `${channel} is out of use.`,
}
type ChannelSettingsWords = typeof en

const ru: ChannelSettingsWords = {
  title: (channel) => `Настройки канала ${channel}`,
  intro:
    'Как быстро работает этот канал. Пустое поле: как запущены его курьеры. Сохранённое действует со следующего решения.',
  names: {
    perSecond: 'В секунду не больше',
    batchSize: 'Человек в одном задании не больше',
    concurrency: 'Заданий сразу в одном процессе',
    window: 'Человек, о которых ещё нет ответа, в одном процессе не больше',
    processes: 'Процессов',
  },
  counts: {
    calls: 'Обращений к поставщику, всех процессов вместе.',
    messages: 'Сообщений или частей длинных, всех процессов вместе.',
  },
  off: 'Без предела с нашей стороны',
  auto: 'Сколько нужно',
  noLimit: 'без предела',
  started: (value, now) => `При запуске: ${value}. Сейчас: ${now}.`,
  run: (count) =>
    `Сейчас процессов: ${count}. Службе, запущенной через npm start, этого достаточно; в других случаях процессы запускают там, где они работают.`,
  wrong: (max, isWhole) => `Напишите ${isWhole ? 'целое число' : 'число'} больше нуля, не больше ${max}, или ничего.`,
  concerned: (waiting) =>
    waiting === 0
      ? 'Этого канала сейчас никто не ждёт.'
      : `Сейчас этого канала ждут: ${ruPeople(waiting)}. Им отправляется по этим настройкам, начиная со следующего задания.`,
  retireTitle: (channel) => `Вывести канал ${channel} из работы?`,
  retireText:
    'Сообщения, которые начнутся с этого времени, не ждут этого канала, если он не назван в них. Как только запустят его курьера, он снова в работе.',
  stillWaiting: (waiting) =>
    waiting === 0
      ? 'Его никто не ждёт.'
      : `Его ещё ждут, если считать каждое сообщение: ${ruPeople(waiting)}. Они ждут, пока не выйдет срок сообщений или пока не запустят его курьера.`,
  retireYes: 'Вывести из работы',
  retireNo: 'Оставить в работе',
  retired: (channel) => `Канал ${channel} выведен из работы.`,
}

export const channelSettingsTexts = { en, ru } as const

export const useChannelSettingsWords = (): ChannelSettingsWords => channelSettingsTexts[useStores().language.code.value]
