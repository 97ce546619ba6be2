/** Everything the fleet says by SMS, in the language of the person, each in one part. */
import type { HistoryView, LimitsView, Plan } from '@courier-fleet/api-types'
import {
  isHeldBack,
  type Language,
  languageOf,
  outcomeWords,
  type PlanWords,
  planWords,
  problemWords,
} from '@courier-fleet/words'
import { type Candidate, tokenOf } from '../find-audience.ts'
import { momentOf } from '../moment.ts'
import type { Command } from '../read-command.ts'
import type { CommonWording } from '../text-handler.ts'
import { type TopicWording, topicWording } from '../topic-wording.ts'
import type { When } from '../when/read-when.ts'
import { ordersByWord, type WishesWording, wishesWording } from '../wishes-wording.ts'
import { onePart } from './one-part.ts'

type Lack = Exclude<Extract<Command, { kind: 'unclear' }>['lacks'], 'hours'>

export interface Wording extends CommonWording, TopicWording, WishesWording {
  readonly help: string
  readonly studentHelp: string
  /** to somebody who sends nothing, and may mean STOP */
  readonly studentCancels: string
  readonly maySendNothing: string
  /** @param text how the message begins */
  readonly confirmed: (at: string, text: string, timeZone: string) => string
  readonly noSuchNumber: (number: string) => string
  readonly olderText: string
  readonly whichNumber: string
  readonly nothingToConfirm: string
  readonly nobodyInside: string
  /** by the code of the problem */
  readonly refused: (code: string) => string
  readonly tooLong: string
  readonly limits: (limits: LimitsView, timeZone: string) => string
  readonly overLimit: (limit: number | undefined, resetsAt: string | undefined, timeZone: string) => string
  readonly unclear: Readonly<Record<Lack, string>>
  readonly unknown: (name: string, nearest: readonly Candidate[]) => string
  readonly ambiguous: (name: string, candidates: readonly Candidate[]) => string
  readonly accepted: (what: AcceptedFacts) => string
  /** a time and no text behind it */
  readonly noTextYet: string
  /** the moment is not clear, or cannot be */
  readonly askWhen: (when: Extract<When, { ask: string }>, timeZone: string) => string
  readonly sentNothing: string
  readonly nothingToCancel: string
  /** it is nobody's name */
  readonly cancelsNothing: (name: string) => string
  readonly cancelled: (outcome: 'cancelled' | 'stopping', names: string) => string
  /** @param next what another one that can be cancelled is for */
  readonly alreadyCancelled: (next: string | undefined) => string
  /** also where nobody got it: it is not said that it was sent */
  readonly alreadyOver: (names: string, next: string | undefined) => string
  /** it is what they sent before, to the same people */
  readonly sameAgain: (sentAt: string, timeZone: string) => string
  readonly outcome: (history: HistoryView, name: string | undefined) => string
  /** once more, when somebody seemed to have it who does not */
  readonly correction: (history: HistoryView, name: string | undefined) => string
}

/** What was accepted, for whom. */
export interface AcceptedFacts {
  readonly names: string
  readonly people: number
  readonly left: number | null
  /** who gets it when, where that is not everybody at once */
  readonly planned?: Planned | undefined
  /** when it is due, where that is not now */
  readonly at?: string
}

const names = (candidates: readonly Candidate[]) => candidates.map(({ name }) => name).join(', ')
const tokens = (candidates: readonly Candidate[], or: string) => candidates.map(tokenOf).join(` ${or} `)
/** By UTF-16 units, as an SMS counts; no character is taken apart. */
const cut = (name: string, length: number, dots: string) =>
  name.length <= length ? name : `${name.slice(0, length - dots.length).replace(/[\uD800-\uDBFF]$/, '')}${dots}`

/** With as much of the text as one part has room for; its lines as one. */
function quoting(say: (quote: string) => string, text: string, dots: string): string {
  const line = [...text.replace(/\s+/g, ' ').trim()]
  const shorter = line.map((_, left) => say(`${line.slice(0, line.length - left - 1).join('')}${dots}`))
  return onePart(say(line.join('')), ...shorter)
}

type Planned = Pick<PlanWords, 'short' | 'shortest'>

const withinADayMs = 20 * 3_600_000

/** `312 now, 48 at 08:00`, on the clock of whoever sends; with the day where that is not the next such time. Nothing where no rule holds anybody back. */
export function plannedFor(language: string, plan: Plan | undefined, timeZone: string): Planned | undefined {
  if (!plan || !isHeldBack(plan)) return undefined
  const nowMs = Date.parse(plan.asOf)
  const clock = (ms: number) => {
    const moment = momentOf(new Date(ms).toISOString(), timeZone, 'ru')
    return ms - nowMs < withinADayMs ? moment.slice(-5) : moment
  }
  return planWords(languageOf(language), plan, { clock })
}

/** With the name of whom it was for where there is room for it. */
function outcomeIn(language: Language, history: HistoryView, name: string | undefined): string {
  const { short } = outcomeWords(language, history)
  return name === undefined ? onePart(short) : onePart(`${name}. ${short}`, short)
}

const russian: Wording = {
  ...topicWording('ru', onePart),
  ...wishesWording('ru', ordersByWord.ru, onePart),
  stopped: 'Больше сюда не пишем. Вернуть: СТАРТ',
  started: 'Снова пишем сюда. Прекратить: СТОП',
  applied: 'Номер подтверждён, заявка у деканата. Ответ на странице заявки.',
  tooManyApplications: 'Сейчас слишком много заявок. Повторите завтра.',
  linked: (name) => onePart(`Номер привязан: ${name}. Отписаться: СТОП`, 'Номер привязан. Отписаться: СТОП'),
  wrongCode: 'Код не подошёл: неверный, использован или устарел. Возьмите новый.',
  tooManyCodes: 'Слишком много попыток. Подождите 15 минут и возьмите новый код.',
  unlinkFirst: 'Сначала отвяжите прежний контакт на своей странице.',
  stranger: 'Ваш номер нам не знаком. Возьмите код и пришлите: КОД 12345678',
  optedOut: 'Вы отписались (СТОП). Сначала пришлите: СТАРТ',
  help: 'ИВТ-101: текст. ИВТ-101 завтра 8:00: текст. ИТОГ, ОТМЕНА, ЛИМИТ, СТОП',
  studentHelp: 'ПОДПИСКА хор, СТОП новости, ТИХО 23-7, СТОП, СТАРТ, КОД 12345678',
  studentCancels: 'Отменять нечего. Не получать сообщений: СТОП',
  maySendNothing: 'Вы не можете рассылать сообщения: это для преподавателей.',
  confirmed: (at, text, timeZone) =>
    quoting((quote) => `Отмечено ${momentOf(at, timeZone, 'ru')}: «${quote}»`, text, '…'),
  noSuchNumber: (number) => onePart(`Не отмечено: числом ${number} не названо ни одно сообщение.`),
  olderText: 'Не отмечено: с тех пор текст исправили. Ответьте на новый.',
  whichNumber: 'Не отмечено. Ответьте ДА и число, которое стоит в сообщении.',
  nothingToConfirm: 'Отмечать нечего: ни одно сообщение не ждёт ответа ДА.',
  refused: (code) => onePart(`Не отправлено. ${problemWords('ru', code)}`, problemWords('ru', code)),
  nobodyInside: 'В этих группах никого нет. Ничего не отправлено.',
  tooLong: 'Не отправлено: слишком длинно. Сократите или напишите на сайте.',
  limits: ({ limit, left, resetsAt }, timeZone) =>
    limit === null || left === null || resetsAt === null
      ? 'Сообщений в день: без ограничений'
      : onePart(`Осталось сегодня: ${left} из ${limit}. Снова ${limit}: ${momentOf(resetsAt, timeZone, 'ru')}`),
  overLimit: (limit, resetsAt, timeZone) =>
    onePart(
      `Не отправлено: лимит${limit === undefined ? '' : ` ${limit} в день`}.${
        resetsAt === undefined ? '' : ` Можно с ${momentOf(resetsAt, timeZone, 'ru')}`
      }`,
    ),
  unclear: {
    code: 'В коде 8 или 12 цифр. Пришлите так: КОД 12345678',
    groups: 'Не отправлено: не понял, кому. Пишите: ИВТ-101: Пары не будет',
    text: 'Не отправлено: нет текста. Пишите: ИВТ-101: Пары не будет',
    colon: 'Не отправлено: не понял. Пишите: ИВТ-101: Пары не будет',
  },
  unknown: (name, nearest) => {
    const missing = `Не отправлено: у вас нет «${cut(name, 20, '…')}».`
    if (nearest.length === 0) return onePart(`${missing} Ваши группы на сайте.`, missing)
    return onePart(`${missing} Похоже: ${names(nearest)}`, `${missing} Похоже: ${names(nearest.slice(0, 1))}`, missing)
  },
  ambiguous: (name, candidates) => {
    const which = `«${cut(name, 14, '…')}» — это что?`
    return onePart(
      `Не отправлено: ${which} ${tokens(candidates, 'или')}`,
      `${which} ${tokens(candidates, 'или')}`,
      `${which} ${tokens(candidates.slice(0, 2), 'или')}`,
      `«${cut(name, 20, '…')}» называется несколько групп. Пишите: group:id`,
    )
  },
  accepted: ({ names: to, people, left, planned, at }) => {
    const rest = left === null ? '' : ` Сегодня ещё можно: ${left}`
    const short = `принято${at === undefined ? '' : ` на ${at}`}, ${people} чел.`
    const said = [`${to}: ${short}`, `${cut(to, 20, '…')}: ${short}`] as const
    const bare = short.replace('п', 'П')
    if (!planned) return onePart(`${said[0]}${rest}`, said[0], said[1], `${bare}${rest}`, bare)
    const all = [...said, bare].flatMap((each) => [
      `${each}: ${planned.short}${rest && `.${rest}`}`,
      `${each}: ${planned.short}`,
    ])
    return onePart(...(all as [string, ...string[]]), `${bare}: ${planned.shortest}`)
  },
  noTextYet: 'Не отправлено: нет текста. Пишите: ИВТ-101 завтра 8:00: текст',
  askWhen: (when, timeZone) => {
    const moment = (ms: number) => momentOf(new Date(ms).toISOString(), timeZone, 'ru')
    switch (when.ask) {
      case 'past':
        return onePart(
          `Не отправлено: ${moment(when.meant)} уже прошло. Назовите другое время.`,
          `Не отправлено: ${moment(when.meant)} уже прошло.`,
        )
      case 'too-far':
        return 'Не отправлено: это больше чем через год. Назовите день ближе.'
      case 'which':
        return onePart(`Не отправлено. Когда: ${moment(when.either)} или ${moment(when.or)}?`)
      case 'no-such-time':
        return 'Не отправлено: в этот день такого времени нет, часы переводят.'
      default:
        return 'Не отправлено: во сколько? Пишите: ИВТ-101 завтра 8:00: текст'
    }
  },
  sentNothing: 'Вы ещё ничего не отправляли.',
  nothingToCancel: 'Отменять нечего.',
  cancelsNothing: (name) => `Не отменено: у вас нет «${cut(name, 20, '…')}». Последнее: ОТМЕНА`,
  cancelled: (outcome, to) =>
    outcome === 'cancelled'
      ? onePart(`Отменено, никому не отправлено: ${to}`, 'Отменено, никому не отправлено.')
      : onePart(`Останавливаю: ${to}. Кому ушло, тому ушло.`, 'Останавливаю. Кому ушло, тому ушло.'),
  alreadyCancelled: (next) =>
    next === undefined ? 'Уже отменено.' : onePart(`Уже отменено. Другое отменит ОТМЕНА ${next}`, 'Уже отменено.'),
  alreadyOver: (to, next) => {
    const over = `Не отменено, уже завершено: ${cut(to, 20, '…')}.`
    return next === undefined ? over : onePart(`${over} Ещё ждёт: ${next}`, over)
  },
  sameAgain: (sentAt, timeZone) =>
    onePart(`Не отправлено: то же вы писали им ${momentOf(sentAt, timeZone, 'ru')}. Ещё: ПОВТОР и текст`),
  outcome: (history, name) => outcomeIn('ru', history, name),
  correction: (history, name) =>
    onePart(`Уточнение. ${outcomeIn('ru', history, name)}`, outcomeIn('ru', history, name)),
}

const english: Wording = {
  ...topicWording('en', onePart),
  ...wishesWording('en', ordersByWord.en, onePart),
  stopped: 'You will get no more messages here. To have them again: START',
  started: 'You will get messages here again. To end them: STOP',
  applied: 'Your number is proved, the office has your application. The answer is on its page.',
  tooManyApplications: 'There are too many applications now. Try again tomorrow, or ask the office.',
  linked: (name) =>
    onePart(`This number is linked to ${name}. To end messages: STOP`, 'This number is linked. To end messages: STOP'),
  wrongCode: 'This code is wrong, used or expired. Ask for another.',
  tooManyCodes: 'Too many tries. Wait 15 minutes and ask for another code.',
  unlinkFirst: 'Unlink the old contact on your own page first.',
  stranger: 'We do not know your number. Ask for a code and send: CODE 12345678',
  optedOut: 'You have opted out (STOP). Send START first.',
  help: 'IVT-101, cohort 3: your text. IVT-101 tomorrow 8:00: your text. Also: STATUS, CANCEL, LIMIT, SUBSCRIBE, STOP, START, CODE 12345678',
  studentHelp: 'SUBSCRIBE choir, STOP news, QUIET 23-7; STOP, START, CODE 12345678',
  studentCancels: 'There is nothing to cancel. To get no messages: STOP',
  maySendNothing: 'You cannot send messages to groups: that is for teachers.',
  confirmed: (at, text, timeZone) =>
    quoting((quote) => `Noted ${momentOf(at, timeZone, 'en-GB')}: "${quote}"`, text, '...'),
  noSuchNumber: (number) => onePart(`Not noted: the number ${number} names no message.`),
  olderText: 'Not noted: the text has been corrected since. Answer the new one.',
  whichNumber: 'Not noted. Reply YES and the number that stands in the message.',
  nothingToConfirm: 'There is nothing to note: no message waits for a YES.',
  refused: (code) => onePart(`Not sent. ${problemWords('en', code)}`, problemWords('en', code)),
  nobodyInside: 'Nobody is in these groups. Nothing was sent.',
  tooLong: 'Not sent: too long. Make it shorter, or write on the website.',
  limits: ({ limit, left, resetsAt }, timeZone) =>
    limit === null || left === null || resetsAt === null
      ? 'Messages a day: no limit'
      : onePart(`Left today: ${left} of ${limit}. All ${limit} again: ${momentOf(resetsAt, timeZone, 'en-GB')}`),
  overLimit: (limit, resetsAt, timeZone) =>
    onePart(
      `Not sent: over the limit${limit === undefined ? '' : ` of ${limit} a day`}.${
        resetsAt === undefined ? '' : ` Again from ${momentOf(resetsAt, timeZone, 'en-GB')}`
      }`,
    ),
  unclear: {
    code: 'A code has 8 or 12 digits. Send: CODE 12345678',
    groups: 'Not sent: to whom? Write: IVT-101: No class today',
    text: 'Not sent: the text is missing. Write: IVT-101: No class today',
    colon: 'Not sent: not understood. Write: IVT-101: No class today. Also: HELP',
  },
  unknown: (name, nearest) => {
    const missing = `Not sent: you have no "${cut(name, 20, '...')}".`
    if (nearest.length === 0) return onePart(`${missing} Yours are on the site.`, missing)
    return onePart(
      `${missing} Similar: ${names(nearest)}`,
      `${missing} Similar: ${names(nearest.slice(0, 1))}`,
      missing,
    )
  },
  ambiguous: (name, candidates) => {
    const which = `Which "${cut(name, 14, '...')}"?`
    return onePart(
      `Not sent: ${which} ${tokens(candidates, 'or')}`,
      `${which} ${tokens(candidates, 'or')}`,
      `${which} ${tokens(candidates.slice(0, 2), 'or')}`,
      `Several are called "${cut(name, 20, '...')}". Write group:id`,
    )
  },
  accepted: ({ names: to, people, left, planned, at }) => {
    const rest = left === null ? '' : ` Left today: ${left}`
    const due = at === undefined ? '' : `, due ${at}`
    const short = `accepted for ${people} ${people === 1 ? 'person' : 'people'}${due}`
    const said = [`${to}: ${short}`, `${cut(to, 20, '...')}: ${short}`] as const
    const bare = short.replace('a', 'A')
    if (!planned) return onePart(`${said[0]}.${rest}`, said[0], said[1], `${bare}.${rest}`, bare)
    const all = [...said, bare].flatMap((each) => [
      `${each}: ${planned.short}${rest && `.${rest}`}`,
      `${each}: ${planned.short}`,
    ])
    return onePart(...(all as [string, ...string[]]), `${bare}: ${planned.shortest}`)
  },
  noTextYet: 'Not sent: the text is missing. Write: IVT-101 tomorrow 8:00: your text',
  askWhen: (when, timeZone) => {
    const moment = (ms: number) => momentOf(new Date(ms).toISOString(), timeZone, 'en-GB')
    switch (when.ask) {
      case 'past':
        return onePart(`Not sent: ${moment(when.meant)} has passed. Write it with another time.`)
      case 'too-far':
        return 'Not sent: that is more than a year ahead. Write it with an earlier day.'
      case 'which':
        return onePart(`Not sent. When: ${moment(when.either)} or ${moment(when.or)}?`)
      case 'no-such-time':
        return 'Not sent: there is no such time on that day, the clocks change.'
      default:
        return 'Not sent: at what time? Write: IVT-101 tomorrow 8:00: your text'
    }
  },
  sentNothing: 'You have not sent anything yet.',
  nothingToCancel: 'There is nothing to cancel.',
  cancelsNothing: (name) =>
    onePart(`Nothing was cancelled: you have no "${cut(name, 20, '...')}". The last message: CANCEL`),
  cancelled: (outcome, to) =>
    outcome === 'cancelled'
      ? onePart(`Cancelled, sent to nobody: ${to}`, 'Cancelled, sent to nobody.')
      : onePart(`Stopping: ${to}. Whoever has it already, has it.`, 'Stopping. Whoever has it already, has it.'),
  alreadyCancelled: (next) =>
    next === undefined
      ? 'It is cancelled already.'
      : onePart(`It is cancelled already. To cancel another: CANCEL ${next}`, 'It is cancelled already.'),
  alreadyOver: (to, next) => {
    const over = `Not cancelled, it is over: ${cut(to, 20, '...')}.`
    return next === undefined ? onePart(over) : onePart(`${over} To cancel another: CANCEL ${next}`, over)
  },
  sameAgain: (sentAt, timeZone) =>
    onePart(
      `Not sent: you sent the same to the same people ${momentOf(sentAt, timeZone, 'en-GB')}. To send it once more write AGAIN and the whole text`,
    ),
  outcome: (history, name) => outcomeIn('en', history, name),
  correction: (history, name) =>
    onePart(`Correction. ${outcomeIn('en', history, name)}`, outcomeIn('en', history, name)),
}

/** @param language BCP 47 */
export function wordingFor(language: string): Wording {
  return languageOf(language) === 'ru' ? russian : english
}

/** For somebody whose language nobody knows: by the letters they wrote. */
export function wordingLike(text: string): Wording {
  return /\p{Script=Cyrillic}/u.test(text) ? russian : english
}
