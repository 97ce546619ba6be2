/** The words of the dialog of a topic: loaded with it. */
import { useStores } from '../stores.ts'

const en = {
  fields: { id: 'Id', ru: 'Name in Russian', en: 'Name in English', senders: 'Who may write to it' },
  idHint: 'Letters, digits, - and _. It cannot be changed later.',
  sendersHint:
    'Roles (trainer, staff, operator; each includes those above it) and ids of people, separated by commas. Nobody else can write to it.',
  open: 'People may join by themselves',
  save: 'Save',
  remove: 'Remove the topic',
  removal: (people: string) => `${people} will be in it no more. Messages that were sent stay. This cannot be undone.`,
}

const ru: typeof en = {
  fields: { id: 'Номер', ru: 'Название по-русски', en: 'Название по-английски', senders: 'Кто может ей писать' },
  idHint: 'Латинские буквы, цифры, - и _. Потом не изменить.',
  sendersHint:
    'Роли (trainer, staff, operator; каждая вместе со всеми, кто выше) и личные номера через запятую. Больше никто писать не может.',
  open: 'Можно подписаться самому',
  save: 'Сохранить',
  remove: 'Удалить тему',
  removal: (people) => `Подписка пропадёт: ${people}. Отправленные сообщения останутся. Отменить это нельзя.`,
}

const topicWords = { ru, en } as const

export const useTopicWords = (): typeof en => topicWords[useStores().language.code.value]
