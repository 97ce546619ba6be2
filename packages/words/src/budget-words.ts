/** What is left of the budgets that SMS count under, in words: with those of both languages, for few pages say it. */
import type { BudgetView, Plan } from '@courier-fleet/api-types'
import { pricedParts } from '@courier-fleet/api-types/priced-parts'
import { amountIn, limitOf } from './budget-spent-words.ts'
import type { Language } from './catalogue.ts'

type Say = (limit: string, amount: string) => string

interface Said {
  readonly left: Readonly<Record<BudgetView['of'], Say>>
  readonly none: Readonly<Record<BudgetView['of'], (limit: string) => string>>
  readonly notEnough: string
}

const said: Readonly<Record<Language, Said>> = {
  ru: {
    left: {
      day: (limit, left) => `Из ваших на сегодня ${limit} осталось ${left}`,
      month: (limit, left) => `Из общих на этот месяц ${limit} осталось ${left}`,
    },
    none: {
      day: (limit) => `Ваши на сегодня ${limit} потрачены: SMS сегодня больше не уйдут`,
      month: (limit) => `Общие на этот месяц ${limit} потрачены: SMS не уйдут, пока оператор не увеличит бюджет`,
    },
    notEnough: 'на всех может не хватить: кому не хватит, тем SMS не отправим',
  },
  en: {
    left: {
      day: (limit, left) => `Of your ${limit} for today ${left} is left`,
      month: (limit, left) => `Of everybody's ${limit} for this month ${left} is left`,
    },
    none: {
      day: (limit) => `Your ${limit} for today is spent: no more SMS go out today`,
      month: (limit) =>
        `Everybody's ${limit} for this month is spent: no SMS go out until an operator raises the budget`,
    },
    notEnough: 'it may not be enough for everybody: whoever is left is sent no SMS',
  },
}

/**
 * `Of your ₽500 for today ₽44 is left; it may not be enough for everybody: whoever is left is sent no SMS`
 * @param partsEach of the text as it is now, where the plan was made of another
 * @returns a sentence for each budget; none where none holds, there is no plan, as of a message to URLs, or nobody is sent an SMS
 */
export function budgetWords(
  language: Language,
  { budgets = [], costAtMost }: Partial<Plan> = {},
  partsEach?: number,
): string[] {
  const cost = costAtMost && partsEach !== undefined ? pricedParts(costAtMost, partsEach) : costAtMost
  return budgets.map((view) => {
    const amount = amountIn(language, view)
    const { left, none, notEnough } = said[language]
    const limit = amount(limitOf(view))
    if (view.left === 0) return none[view.of](limit)
    const atMost = view.parts === undefined ? cost?.millionths : cost?.parts
    const sentence = left[view.of](limit, amount(view.left))
    return atMost !== undefined && atMost > view.left ? `${sentence}; ${notEnough}` : sentence
  })
}
