/** What of a budget is spent, in words: apart from those of what is left, for another page says it. */
import type { BudgetView } from '@courier-fleet/api-types'
import type { Language } from './catalogue.ts'
import { moneyWords } from './money-words.ts'
import { wordsIn } from './words-in.ts'

type Say = (limit: string, spent: string) => string

const said: Readonly<Record<Language, Readonly<Record<BudgetView['of'], Say>>>> = {
  ru: {
    day: (limit, spent) => `Сегодня вами потрачено на SMS: ${spent} из ${limit}`,
    month: (limit, spent) => `За месяц потрачено на SMS: ${spent} из ${limit}`,
  },
  en: {
    day: (limit, spent) => `You have spent on SMS today: ${spent} of ${limit}`,
    month: (limit, spent) => `Spent on SMS this month: ${spent} of ${limit}`,
  },
}

export const amountIn =
  (language: Language, { parts, currency = '' }: BudgetView) =>
  (amount: number): string =>
    parts === undefined ? moneyWords(language, amount, currency) : `${wordsIn(language).number(amount)} SMS`

export const limitOf = ({ parts, millionths = 0 }: BudgetView): number => parts ?? millionths

/** `Spent on SMS this month: ₽456 of ₽500` */
export function budgetSpentWords(language: Language, view: BudgetView): string {
  const amount = amountIn(language, view)
  return said[language][view.of](amount(limitOf(view)), amount(view.spent))
}
