/** What was spent on the SMS of a message, in words: with those of both languages, for few say it. */
import type { CeilingView, HistoryView, StepCost } from '@courier-fleet/api-types'
import type { Language } from './catalogue.ts'
import { moneyWords } from './money-words.ts'
import { wordsIn } from './words-in.ts'

const said = {
  ru: {
    onSms: (amount: string, less = '') => `Потрачено на SMS${less}: ${amount}`,
    lessCorrections: ', не считая исправлений',
    of: 'из',
    byStep: 'потрачено',
  },
  en: {
    onSms: (amount: string, less = '') => `Spent on SMS${less}: ${amount}`,
    lessCorrections: ', corrections not counted',
    of: 'of',
    byStep: 'spent',
  },
} as const

/** `44 ₽` · `22 SMS` */
function amountWords(language: Language, { parts, millionths = 0, currency = '' }: StepCost): string {
  const { forecast, number } = wordsIn(language)
  return parts === undefined ? moneyWords(language, millionths, currency) : forecast.sent(number(parts))
}

/** `Spent on SMS: 44 ₽ of 200 ₽` · `Spent on SMS: 22 of 300 SMS` */
export function spentWords(language: Language, { spent, ...limit }: CeilingView): string {
  const { onSms, of } = said[language]
  const { currency } = limit
  const before = currency === undefined ? wordsIn(language).number(spent) : moneyWords(language, spent, currency)
  return onSms(`${before} ${of} ${amountWords(language, limit)}`)
}

/** `spent 44 ₽`, of one step. */
export const stepCostWords = (language: Language, cost: StepCost): string =>
  `${said[language].byStep} ${amountWords(language, cost)}`

/** `Spent on SMS: 44 ₽ of 200 ₽.` where the message has a ceiling, which counts all that went out; else what its steps say; none where these have cost nothing. */
export function spentInAll(language: Language, history: Pick<HistoryView, 'steps' | 'ceiling' | 'versions'>): string[] {
  return history.ceiling ? [`${spentWords(language, history.ceiling)}.`] : spentBySteps(language, history)
}

/** Steps do not count what corrections cost. */
function spentBySteps(language: Language, { steps = [], versions }: Pick<HistoryView, 'steps' | 'versions'>): string[] {
  const costs = steps.flatMap(({ cost }) => cost ?? [])
  const [first] = costs
  if (!first) return []
  const sumOf = (unit: 'parts' | 'millionths') => costs.reduce((sum, cost) => sum + (cost[unit] ?? 0), 0)
  const all = first.parts === undefined ? { ...first, millionths: sumOf('millionths') } : { parts: sumOf('parts') }
  const { onSms, lessCorrections } = said[language]
  return [`${onSms(amountWords(language, all), versions ? lessCorrections : '')}.`]
}
