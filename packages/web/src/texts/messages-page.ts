/** The words of the list of messages: loaded with it. */
import type { Ending, ListState } from '@courier-fleet/api-types'
import { useStores } from '../stores.ts'

export interface MessagesWords {
  readonly title: string
  readonly whose: string
  readonly own: string
  readonly all: string
  readonly of: (sender: string) => string
  readonly allOf: (sender: string) => string
  readonly search: string
  readonly searchHint: string
  /** of all states, and the name of the filters */
  readonly any: string
  readonly states: string
  readonly byState: Readonly<Record<ListState, string>>
  /** one message of that state */
  readonly is: Readonly<Record<Exclude<ListState, 'settled'>, string>>
  /** who got it, of everyone it was for */
  readonly endings: Readonly<Record<Ending, string>>
  /** the same of `some`, where all the others are unknown */
  readonly notKnown: string
  readonly stopped: string
  readonly none: string
  readonly noMatch: string
  readonly noMatchSince: (moment: string) => string
  readonly older: string
  readonly shown: (shown: string, of: string) => string
  readonly countedSince: (moment: string) => string
  readonly actions: (text: string) => string
}

const en: MessagesWords = {
  title: 'Messages',
  whose: 'Whose',
  own: 'My own',
  all: 'All senders',
  of: (sender) => `From ${sender}`,
  allOf: (sender) => `All messages of ${sender}`,
  search: 'Search',
  searchHint: 'Words of the text, groups or people',
  any: 'All',
  states: 'Which messages',
  byState: {
    held: 'Wait for an operator',
    running: 'Being sent',
    scheduled: 'Scheduled',
    settled: 'Finished',
    cancelled: 'Cancelled',
  },
  is: { held: 'Waits for an operator', running: 'Being sent', scheduled: 'Scheduled', cancelled: 'Cancelled' },
  endings: {
    everyone: 'Everyone has it',
    'handed-over': 'Sent to everyone',
    some: 'Not to everyone',
    unknown: 'Not known',
    nothing: 'To nobody',
    nobody: 'Nobody has a contact',
  },
  notKnown: 'Not known of everyone',
  stopped: 'Stopped',
  none: 'You have not sent anything yet.',
  noMatch: 'Nothing was found.',
  noMatchSince: (moment) => `Nothing was found among the messages since ${moment}.`,
  older: 'Look further back',
  shown: (shown, of) => `Showing ${shown} of ${of}`,
  countedSince: (moment) => `Counted since ${moment}.`,
  actions: (text) => `What can be done: ${text}`,
}

const ru: MessagesWords = {
  title: 'Сообщения',
  whose: 'Чьи',
  own: 'Мои',
  all: 'Всех отправителей',
  of: (sender) => `Отправитель: ${sender}`,
  allOf: (sender) => `Все сообщения отправителя ${sender}`,
  search: 'Поиск',
  searchHint: 'Слова из текста, группы или имени',
  any: 'Все',
  states: 'Какие сообщения',
  byState: {
    held: 'Ждут оператора',
    running: 'Отправляются',
    scheduled: 'Запланированы',
    settled: 'Завершены',
    cancelled: 'Отменены',
  },
  is: { held: 'Ждёт оператора', running: 'Отправляется', scheduled: 'Запланировано', cancelled: 'Отменено' },
  endings: {
    everyone: 'Дошло до всех',
    'handed-over': 'Отправлено всем',
    some: 'Не до всех',
    unknown: 'Неизвестно',
    nothing: 'Ни до кого',
    nobody: 'Ни у кого нет контакта',
  },
  notKnown: 'Известно не обо всех',
  stopped: 'Остановлено',
  none: 'Вы ещё ничего не отправляли.',
  noMatch: 'Ничего не найдено.',
  noMatchSince: (moment) => `Среди сообщений после ${moment} ничего не найдено.`,
  older: 'Показать более старые',
  shown: (shown, of) => `Показано ${shown} из ${of}`,
  countedSince: (moment) => `Посчитаны сообщения после ${moment}.`,
  actions: (text) => `Что можно сделать: ${text}`,
}

export const messagesTexts = { en, ru }

export const useMessagesWords = (): MessagesWords => messagesTexts[useStores().language.code.value]
