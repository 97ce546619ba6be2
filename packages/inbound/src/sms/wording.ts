/** Everything the fleet says by SMS, in the language of the person, each in one part. */
import type { HistoryView, LimitsView, Plan } from '@courier-fleet/api-types'
import { languageOf, outcomeWords, type PlanWords, planWords, problemWords } from '@courier-fleet/words'
import { type Candidate, tokenOf } from '../find-audience.ts'
import type { Command } from '../read-command.ts'
import type { CommonWording } from '../text-handler.ts'
import { type TopicWording, topicWording } from '../topic-wording.ts'
import { ordersByWord, type WishesWording, wishesWording } from '../wishes-wording.ts'
import { onePart } from './one-part.ts'

type Lack = Exclude<Extract<Command, { kind: 'unclear' }>['lacks'], 'hours'>

export interface Wording extends CommonWording, TopicWording, WishesWording {
  readonly help: string
  readonly maySendNothing: string
  readonly nobodyInside: string
  /** by the code of the problem */
  readonly refused: (code: string) => string
  readonly tooLong: string
  readonly limits: (limits: LimitsView, timeZone: string) => string
  readonly overLimit: (limit: number | undefined, resetsAt: string | undefined, timeZone: string) => string
  readonly unclear: Readonly<Record<Lack, string>>
  readonly unknown: (name: string, nearest: readonly Candidate[]) => string
  readonly ambiguous: (name: string, candidates: readonly Candidate[]) => string
  /** @param planned who gets it when, where that is not everybody at once */
  readonly accepted: (people: number, left: number | null, planned: Planned | undefined) => string
  /** it is what they sent before, to the same people */
  readonly sameAgain: (sentAt: string, timeZone: string) => string
  readonly outcome: (history: HistoryView) => string
  /** once more, when somebody seemed to have it who does not */
  readonly correction: (history: HistoryView) => string
}

const names = (candidates: readonly Candidate[]) => candidates.map(({ name }) => name).join(', ')
const tokens = (candidates: readonly Candidate[], or: string) => candidates.map(tokenOf).join(` ${or} `)
const cut = (name: string, length: number, dots: string) =>
  name.length <= length ? name : `${[...name].slice(0, length - dots.length).join('')}${dots}`

type Planned = Pick<PlanWords, 'short' | 'shortest'>

const withinADayMs = 20 * 3_600_000

/** `312 now, 48 at 08:00`, on the clock of whoever sends; with the day where that is not the next such time. */
export function plannedFor(language: string, plan: Plan | undefined, timeZone: string): Planned | undefined {
  if (!plan) return undefined
  const nowMs = Date.parse(plan.asOf)
  const clock = (ms: number) => {
    const moment = momentOf(new Date(ms).toISOString(), timeZone, 'ru')
    return ms - nowMs < withinADayMs ? moment.slice(-5) : moment
  }
  return planWords(languageOf(language), plan, { clock })
}

/** A moment on the person's own clock; an unknown zone must not keep an answer back. */
function momentOf(iso: string, timeZone: string, language: string): string {
  const form = { day: '2-digit', month: '2-digit', hour: '2-digit', minute: '2-digit' } as const
  try {
    return new Date(iso).toLocaleString(language, { ...form, timeZone })
  } catch {
    return new Date(iso).toLocaleString(language, { ...form, timeZone: 'UTC' })
  }
}

const russian: Wording = {
  ...topicWording('ru', onePart),
  ...wishesWording('ru', ordersByWord.ru, onePart),
  stopped: 'Больше сюда не пишем. Вернуть: СТАРТ',
  started: 'Снова пишем сюда. Прекратить: СТОП',
  linked: (name) => onePart(`Номер привязан: ${name}. Отписаться: СТОП`, 'Номер привязан. Отписаться: СТОП'),
  wrongCode: 'Код не подошёл: неверный, использован или устарел. Возьмите новый.',
  tooManyCodes: 'Слишком много попыток. Подождите 15 минут и возьмите новый код.',
  unlinkFirst: 'Сначала отвяжите прежний контакт на своей странице.',
  stranger: 'Ваш номер нам не знаком. Возьмите код и пришлите: КОД 12345678',
  optedOut: 'Вы отписались (СТОП). Сначала пришлите: СТАРТ',
  help: 'ИВТ-101, поток 3: текст. Ещё: ЛИМИТ, ПОДПИСКА, СТОП, СТАРТ, КОД',
  maySendNothing: 'Вы не можете рассылать сообщения: это для преподавателей.',
  refused: (code) => onePart(`Не отправлено. ${problemWords('ru', code)}`, problemWords('ru', code)),
  nobodyInside: 'В этих группах никого нет. Ничего не отправлено.',
  tooLong: 'Слишком длинно. Ничего не отправлено.',
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
    code: 'В коде 8 цифр. Пришлите так: КОД 12345678',
    groups: 'Не понял, кому. Пишите так: ИВТ-101: Пары не будет',
    text: 'Нет текста. Пишите так: ИВТ-101: Пары не будет',
    colon: 'Не понял. Пишите так: ИВТ-101: Пары не будет. Ещё: ПОМОЩЬ',
  },
  unknown: (name, nearest) => {
    const missing = `Нет «${cut(name, 20, '…')}».`
    if (nearest.length === 0) return onePart(`${missing} Ничего не отправлено.`)
    return onePart(`${missing} Похоже: ${names(nearest)}`, `${missing} Похоже: ${names(nearest.slice(0, 1))}`, missing)
  },
  ambiguous: (name, candidates) => {
    const which = `«${cut(name, 14, '…')}» — это что?`
    return onePart(
      `${which} ${tokens(candidates, 'или')}`,
      `${which} ${tokens(candidates.slice(0, 2), 'или')}`,
      `«${cut(name, 20, '…')}» называется несколько групп. Пишите: group:id`,
    )
  },
  accepted: (people, left, planned) => {
    const rest = left === null ? '' : `. Сегодня ещё можно: ${left}`
    const accepted = `Принято: ${people} чел.`
    if (!planned) return onePart(`${accepted}${rest.slice(1)}`)
    const { short, shortest } = planned
    return onePart(`${accepted}: ${short}${rest}`, `${accepted}: ${short}`, `${accepted}: ${shortest}`)
  },
  sameAgain: (sentAt, timeZone) =>
    onePart(`Не отправлено: то же вы писали им ${momentOf(sentAt, timeZone, 'ru')}. Ещё: ПОВТОР и текст`),
  outcome: (history) => onePart(outcomeWords('ru', history).short),
  correction: (history) =>
    onePart(`Уточнение. ${outcomeWords('ru', history).short}`, outcomeWords('ru', history).short),
}

const english: Wording = {
  ...topicWording('en', onePart),
  ...wishesWording('en', ordersByWord.en, onePart),
  stopped: 'You will get no more messages here. To have them again: START',
  started: 'You will get messages here again. To end them: STOP',
  linked: (name) =>
    onePart(`This number is linked to ${name}. To end messages: STOP`, 'This number is linked. To end messages: STOP'),
  wrongCode: 'This code is wrong, was used, or has lapsed. Ask for another.',
  tooManyCodes: 'Too many tries. Wait 15 minutes and ask for another code.',
  unlinkFirst: 'Unlink the old contact on your own page first.',
  stranger: 'We do not know your number. Ask for a code and send: CODE 12345678',
  optedOut: 'You have opted out (STOP). Send START first.',
  help: 'IVT-101, cohort 3: your text. Also: LIMIT, SUBSCRIBE, UNSUBSCRIBE, STOP, START, CODE 12345678',
  maySendNothing: 'You cannot send messages to groups: that is for teachers.',
  refused: (code) => onePart(`Not sent. ${problemWords('en', code)}`, problemWords('en', code)),
  nobodyInside: 'Nobody is in these groups. Nothing was sent.',
  tooLong: 'Too long. Nothing was sent.',
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
    code: 'A code has 8 digits. Send: CODE 12345678',
    groups: 'To whom? Write: IVT-101: No class today',
    text: 'The text is missing. Write: IVT-101: No class today',
    colon: 'Not understood. Write: IVT-101: No class today. Also: HELP',
  },
  unknown: (name, nearest) => {
    const missing = `There is no "${cut(name, 20, '...')}".`
    if (nearest.length === 0) return onePart(`${missing} Nothing was sent.`)
    return onePart(
      `${missing} Similar: ${names(nearest)}`,
      `${missing} Similar: ${names(nearest.slice(0, 1))}`,
      missing,
    )
  },
  ambiguous: (name, candidates) => {
    const which = `Which "${cut(name, 14, '...')}"?`
    return onePart(
      `${which} ${tokens(candidates, 'or')}`,
      `${which} ${tokens(candidates.slice(0, 2), 'or')}`,
      `Several are called "${cut(name, 20, '...')}". Write group:id`,
    )
  },
  accepted: (people, left, planned) => {
    const rest = left === null ? '' : ` Left today: ${left}`
    const accepted = `Accepted for ${people} ${people === 1 ? 'person' : 'people'}`
    if (!planned) return onePart(`${accepted}.${rest}`)
    const { short, shortest } = planned
    return onePart(`${accepted}: ${short}.${rest}`, `${accepted}: ${short}`, `${accepted}: ${shortest}`)
  },
  sameAgain: (sentAt, timeZone) =>
    onePart(
      `Not sent: you sent the same to the same people ${momentOf(sentAt, timeZone, 'en-GB')}. To send it once more write AGAIN and the whole text`,
    ),
  outcome: (history) => onePart(outcomeWords('en', history).short),
  correction: (history) =>
    onePart(`Correction. ${outcomeWords('en', history).short}`, outcomeWords('en', history).short),
}

/** @param language BCP 47 */
export function wordingFor(language: string): Wording {
  return languageOf(language) === 'ru' ? russian : english
}

/** For somebody whose language nobody knows: by the letters they wrote. */
export function wordingLike(text: string): Wording {
  return /\p{Script=Cyrillic}/u.test(text) ? russian : english
}
