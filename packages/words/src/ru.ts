import type { Catalogue } from './catalogue.ts'
import { createPlural } from './plural.ts'

const plural = createPlural('ru')
const numbers = new Intl.NumberFormat('ru')
const number = (count: number) => numbers.format(count)
const people = (count: number) => plural(count, { one: 'человек', few: 'человека', many: 'человек', other: 'человека' })
const ofPeople = (count: number) => plural(count, { one: 'человека', other: 'человек' })

export const ru: Catalogue = {
  number,
  people,
  ofPeople,
  classes: {
    delivered: 'доставлено',
    sentToChat: 'отправлено в чат',
    handedOver: 'принято к доставке, подтверждения ещё нет',
    pending: 'ещё отправляется',
    unknown: 'неизвестно, дошло ли',
    notDelivered: 'не дошло',
    withoutContact: 'без контакта',
  },
  shortClasses: {
    delivered: 'доставлено',
    sentToChat: 'в чат',
    handedOver: 'не подтверждено',
    pending: 'в пути',
    unknown: 'неизвестно',
    notDelivered: 'не дошло',
    withoutContact: 'без контакта',
  },
  shortestClasses: {
    delivered: 'дост.',
    sentToChat: 'в чат',
    handedOver: 'не подтв.',
    pending: 'в пути',
    unknown: 'неизв.',
    notDelivered: 'не дошло',
    withoutContact: 'без конт.',
  },
  counted: (count, what) => `${what} — ${number(count)}`,
  whys: {
    'told-failed': 'выяснили, что не дошло',
    'still-unknown': 'отправляли дважды, и всё ещё неизвестно',
    blocked: 'отправитель заблокирован',
    deactivated: 'аккаунт удалён',
    invalid: 'неверный адрес',
    undelivered: 'принято оператором, но не доставлено',
    refused: 'сообщение отклонено',
    'opted-out': 'просьба не писать',
    throttled: 'пришлось ждать слишком долго',
    'reached-elsewhere': 'отправлено другим путём',
    expired: 'вышел срок',
    cancelled: 'отменено',
    failed: 'отказ без причины',
    suppressed: 'писать нельзя',
    'no-answer': 'ответа на отправку не было',
    'courier-ended': 'отправка прервалась',
    'contact-removed': 'контакт удалён во время отправки',
    unknown: 'причина неизвестна',
  },
  afterwards: {
    'told-delivered': 'выяснили, что дошло',
    'sent-again': 'отправлено ещё раз, дошло ли в первый раз, неизвестно',
  },
  receipts: {
    pending: 'ещё отправляется',
    sent: 'принято к доставке',
    delivered: 'доставлено',
    read: 'прочитано',
    confirmed: 'подтверждено',
    failed: 'не дошло',
    suppressed: 'не отправлялось',
    'no-contact': 'нет контакта',
    expired: 'вышел срок',
    cancelled: 'отменено',
    unknown: 'неизвестно, дошло ли',
  },
  histories: {
    issued: 'пустое',
    scheduled: 'запланировано',
    running: 'отправляется',
    settled: 'завершено',
    cancelled: 'отменено',
  },
  causes: {
    throttled: 'там просят подождать',
    'handed-back': 'отправка остановилась и продолжится',
    'sent-again': 'отправим ещё раз тем, о ком неизвестно, дошло ли',
  },
  textGone: '(текст отменённого сообщения не хранится)',
  or: 'или',
  notConfirmed: (taken) => `${taken}, подтверждения ещё нет`,

  issued: 'Сообщения ещё нет.',
  held: (moment, size) =>
    `Ждёт оператора: у отправителя больше нет права его отправить. Срок был ${moment}, ${people(size)}; никому не отправлено.`,
  scheduled: (moment, size) => `Запланировано: ${moment}, ${people(size)}. Пока никому не отправлено.`,
  cancelled: (size) => `Отменено до начала, никому не отправлено: ${people(size)}.`,
  everyone: (_delivered, size) => `Дошло до всех: ${people(size)}.`,
  everyoneWithContact: (delivered, size) =>
    `Дошло до всех, у кого есть контакт: ${number(delivered)} из ${ofPeople(size)};`,
  nobody: (size, channels) => `Отправлять некуда: ни у кого из ${ofPeople(size)} нет контакта (${channels}).`,
  nothing: 'Ни до кого не дошло.',
  nothingKnown: 'Ни о ком не известно, что дошло.',
  running: 'Отправляется.',
  of: (size) => `Из ${ofPeople(size)}:`,
  silent: (channels) => `Пока не закончили: ${channels}.`,
  waiting: (channel, moment, cause) => `${channel}: продолжим ${moment}, ${cause}.`,

  short: {
    held: (size) => `Ждёт оператора, не отправлено: ${size} чел.`,
    scheduled: (size) => `Ещё не отправлено: ${size} чел.`,
    cancelled: 'Отменено, никому не отправлено',
    everyone: (delivered) => `Дошло до всех: ${delivered} чел.`,
    nobody: (size) => `Отправлять некуда: ни у кого из ${size} нет контакта`,
    of: (size) => `Из ${size}:`,
    fourThings: ['доставлено', 'отправлено', 'неизв.', 'не дошло'],
    elsewhere: (delivered, size) => `Доставлено ${delivered} из ${size}, остальное смотрите на сайте`,
  },
}
