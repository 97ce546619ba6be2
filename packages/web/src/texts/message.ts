/** The words of the page of one message: loaded with it. */
import { createPlural } from '@courier-fleet/words'
import { useStores } from '../stores.ts'
import { roughSpan } from './span-of.ts'

export interface HeadlineWords {
  readonly scheduled: (moment: string, size: number) => string
  readonly held: string
  readonly cancelled: string
  readonly running: (sent: number, size: number, left: string | undefined) => string
  readonly waiting: (sent: number, size: number, waiting: number) => string
  readonly stopping: (sent: number, size: number) => string
  readonly stopped: string
  /** from whoever had it: what follows says who had */
  readonly withdrawn: string
  readonly everyone: (size: number) => string
  readonly everyoneWithContact: (delivered: number, size: number) => string
  readonly nobody: string
  readonly nothing: (size: number) => string
  readonly unknown: (size: number) => string
  /** `delivered`: of those it was sent to */
  readonly sent: (sent: number, size: number, delivered: number) => string
  readonly span: (ms: number) => string
}

interface MessageWords {
  readonly headline: HeadlineWords
  readonly bars: (size: number) => string
  readonly ofBar: (taken: number, size: number) => string
  readonly class: string
  readonly anyClass: (size: number) => string
  readonly channel: string
  readonly anyChannel: string
  readonly name: string
  readonly found: (count: number) => string
  readonly foundSome: (shown: number, of: number | undefined) => string
  readonly none: string
  readonly confirmed: {
    readonly label: string
    readonly yes: string
    readonly no: string
  }
  /** of whoever was not reached */
  readonly byVoice: {
    readonly hint: string
    readonly print: string
    /** as of when it is printed */
    readonly list: (count: number, moment: string) => string
    /** of a list that was not read for printing */
    readonly firstOnly: (count: number) => string
    readonly tell: string
    readonly takeBack: string
    readonly told: (name: string) => string
    readonly takenBack: (name: string) => string
    readonly toldBy: (person: string) => string
    readonly failed: string
  }
  /** a text that the message had until it was corrected, accepted then */
  readonly earlierText: (moment: string) => string
  readonly timeline: {
    readonly open: (person: string) => string
    readonly accepted: string
    readonly due: string
    readonly started: string
    readonly corrected: (by: string) => string
    readonly withdrawn: string
    /** of one person: what follows says what became of it */
    readonly correction: string
    readonly recall: string
    readonly stopped: (by: string | undefined) => string
    readonly confirmed: (channel: string) => string
    readonly lastOnly: string
  }
}

const pluralRu = createPlural('ru')
const peopleRu = (count: number) =>
  pluralRu(count, { one: 'человек', few: 'человека', many: 'человек', other: 'человека' })
const numberRu = (count: number) => new Intl.NumberFormat('ru').format(count)
const pluralEn = createPlural('en')
const peopleEn = (count: number) => pluralEn(count, { one: 'person', other: 'people' })
const numberEn = (count: number) => new Intl.NumberFormat('en').format(count)

const ru: MessageWords = {
  headline: {
    scheduled: (moment, size) => `Запланировано: ${moment}, ${peopleRu(size)}`,
    held: 'Ждёт решения оператора',
    cancelled: 'Отменено до начала, никому не отправлено',
    running: (sent, size, left) =>
      `Отправляется: ${numberRu(sent)} из ${numberRu(size)}${left === undefined ? '' : `, ещё ${left}`}`,
    waiting: (sent, size, waiting) => `Отправлено ${numberRu(sent)} из ${numberRu(size)}, ждут — ${numberRu(waiting)}`,
    stopping: (sent, size) => `Останавливаем: отправлено ${numberRu(sent)} из ${numberRu(size)}`,
    stopped: 'Остановлено.',
    withdrawn: 'Отозвано.',
    everyone: (size) => `Дошло до всех: ${peopleRu(size)}`,
    everyoneWithContact: (delivered, size) =>
      `Дошло до всех, у кого есть контакт: ${numberRu(delivered)} из ${numberRu(size)}`,
    nobody: 'Отправлять некуда: ни у кого нет контакта',
    nothing: (size) => `Ни до кого не дошло: ${peopleRu(size)}`,
    unknown: (size) => `Ни о ком не известно, что дошло: ${peopleRu(size)}`,
    sent: (sent, size, delivered) =>
      `Отправлено ${numberRu(sent)} из ${numberRu(size)}${delivered > 0 ? `, доставлено — ${numberRu(delivered)}` : ''}`,
    span: (ms) => roughSpan(ms, ['с', 'мин', 'ч']),
  },
  bars: (size) => `Каждая полоса — все получатели: ${peopleRu(size)}.`,
  ofBar: (taken, size) => `отправлено ${numberRu(taken)} из ${numberRu(size)}`,
  class: 'Что известно',
  anyClass: (size) => `Все: ${numberRu(size)}`,
  channel: 'Канал',
  anyChannel: 'Все каналы',
  name: 'Имя или номер',
  found: (count) => `Показано ${numberRu(count)} из ${numberRu(count)}`,
  foundSome: (shown, of) =>
    of === undefined
      ? `Показано ${numberRu(shown)}, листайте дальше`
      : `Показано ${numberRu(shown)} из ${numberRu(of)}`,
  none: 'Ничего не найдено.',
  confirmed: {
    label: 'Отметили, что прочитали',
    yes: 'Да',
    no: 'Ещё нет',
  },
  byVoice: {
    hint: 'Отметьте тех, кому сказали сами. Будет видно, кто отметил и когда. Доставленным это не считается.',
    print: 'Напечатать список для обзвона',
    list: (count, moment) => `Список для обзвона на ${moment}: ${peopleRu(count)}`,
    firstOnly: (count) =>
      `Здесь только первые ${numberRu(count)}: всех напечатает кнопка «Напечатать список для обзвона».`,
    tell: 'Сказано голосом',
    takeBack: 'Снять отметку',
    told: (name) => `Отмечено, сказано голосом: ${name}.`,
    takenBack: (name) => `Отметка снята: ${name}.`,
    toldBy: (person) => `Сказано голосом, отметил(а) ${person}`,
    failed: 'Не вышло, повторить',
  },
  earlierText: (moment) => `Прежний текст (${moment})`,
  timeline: {
    open: (person) => `Что было с сообщением: ${person}`,
    accepted: 'Сообщение принято',
    due: 'Назначенное время',
    started: 'Отправка началась',
    corrected: (by) => `Текст исправлен, исправил(а) ${by}`,
    withdrawn: 'Сообщение отозвано',
    correction: 'исправление',
    recall: 'отзыв',
    stopped: (by) => (by ? `Отправка остановлена, остановил(а) ${by}` : 'Отправка остановлена'),
    confirmed: (channel) => `Отметил(а), что прочитал(а): ${channel}`,
    lastOnly:
      'По каждому каналу хранится только последнее изменение. Когда доставленное сообщение было отправлено и сколько было попыток, не хранится.',
  },
}

const en: MessageWords = {
  headline: {
    scheduled: (moment, size) => `Scheduled for ${moment}, ${peopleEn(size)}`,
    held: 'Waiting for an operator to decide',
    cancelled: 'Cancelled before it started, sent to nobody',
    running: (sent, size, left) =>
      `Sending: ${numberEn(sent)} of ${numberEn(size)}${left === undefined ? '' : `, ${left} left`}`,
    waiting: (sent, size, waiting) => `Sent to ${numberEn(sent)} of ${numberEn(size)}, ${numberEn(waiting)} waiting`,
    stopping: (sent, size) => `Stopping: sent to ${numberEn(sent)} of ${numberEn(size)}`,
    stopped: 'Stopped.',
    withdrawn: 'Withdrawn.',
    everyone: (size) => `Everyone got it: ${peopleEn(size)}`,
    everyoneWithContact: (delivered, size) =>
      `Everyone with a contact got it: ${numberEn(delivered)} of ${numberEn(size)}`,
    nobody: 'There was nowhere to send it: nobody has a contact',
    nothing: (size) => `Nobody got it: ${peopleEn(size)}`,
    unknown: (size) => `It is not known that anybody got it: ${peopleEn(size)}`,
    sent: (sent, size, delivered) =>
      `Sent to ${numberEn(sent)} of ${numberEn(size)}${delivered > 0 ? `, ${numberEn(delivered)} delivered` : ''}`,
    span: (ms) => roughSpan(ms, ['s', 'min', 'h']),
  },
  bars: (size) => `Each bar is everyone it is for: ${peopleEn(size)}.`,
  ofBar: (taken, size) => `sent to ${numberEn(taken)} of ${numberEn(size)}`,
  class: 'What is known',
  anyClass: (size) => `All: ${numberEn(size)}`,
  channel: 'Channel',
  anyChannel: 'All channels',
  name: 'Name or number',
  found: (count) => `${numberEn(count)} of ${numberEn(count)} shown`,
  foundSome: (shown, of) =>
    of === undefined ? `${numberEn(shown)} shown, scroll for more` : `${numberEn(shown)} of ${numberEn(of)} shown`,
  none: 'Nobody was found.',
  confirmed: {
    label: 'Confirmed that they have read it',
    yes: 'Yes',
    no: 'Not yet',
  },
  byVoice: {
    hint: 'Tick the people you have told yourself. We keep who ticked, and when. It does not count as delivered.',
    print: 'Print a list for calling',
    list: (count, moment) => `To call, as of ${moment}: ${peopleEn(count)}`,
    firstOnly: (count) => `These are the first ${numberEn(count)} only: “Print a list for calling” prints everyone.`,
    tell: 'Told by voice',
    takeBack: 'Untick',
    told: (name) => `Ticked, told by voice: ${name}.`,
    takenBack: (name) => `Unticked: ${name}.`,
    toldBy: (person) => `Told by voice, says ${person}`,
    failed: 'Failed, try again',
  },
  earlierText: (moment) => `Earlier text (${moment})`,
  timeline: {
    open: (person) => `What happened with it: ${person}`,
    accepted: 'The message was accepted',
    due: 'It was due',
    started: 'Sending began',
    corrected: (by) => `The text was corrected by ${by}`,
    withdrawn: 'The message was withdrawn',
    correction: 'correction',
    recall: 'taking it back',
    stopped: (by) => (by ? `Sending was stopped by ${by}` : 'Sending was stopped'),
    confirmed: (channel) => `Confirmed that they have read it: ${channel}`,
    lastOnly:
      'For each channel only the latest change is kept: not when a message that was delivered had been sent, nor how many tries it took.',
  },
}

export const messageWords = { ru, en } as const

export const useMessageWords = (): MessageWords => messageWords[useStores().language.code.value]
