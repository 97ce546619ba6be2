import type { BudgetView, Cost, Plan } from '@courier-fleet/api-types'
import { expect } from 'chai'
import { budgetSpentWords, budgetWords } from '../src/index.ts'

const day: BudgetView = { of: 'day', millionths: 500_000_000, currency: 'RUB', spent: 456_000_000, left: 44_000_000 }
const month: BudgetView = { of: 'month', parts: 5000, spent: 4000, left: 1000 }
const costAtMost: Cost = { people: 20, prices: [], unpriced: 0, parts: 40, partsEach: 2, millionths: 80_000_000 }
const planOf = (more: Partial<Plan>): Plan => ({
  asOf: '2026-09-01T09:00:00.000Z',
  now: 20,
  later: [],
  never: [],
  ...more,
})
const plain = (text: string) => text.replace(/[\u00a0\u202f]/g, ' ')
const both = (say: (language: 'en' | 'ru') => string[]) => (['en', 'ru'] as const).map((each) => say(each).map(plain))

describe('what is left of the budgets of SMS, in words', () => {
  it('is said of each, and that it may not be enough for everybody', () => {
    expect(both((language) => budgetWords(language, planOf({ budgets: [day, month], costAtMost })))).to.deep.equal([
      [
        'Of your ₽500 for today ₽44 is left; it may not be enough for everybody: whoever is left is sent no SMS',
        "Of everybody's 5,000 SMS for this month 1,000 SMS is left",
      ],
      [
        'Из ваших на сегодня 500 ₽ осталось 44 ₽; на всех может не хватить: кому не хватит, тем SMS не отправим',
        'Из общих на этот месяц 5 000 SMS осталось 1 000 SMS',
      ],
    ])
  })

  it('is said with what to do where nothing is left', () => {
    const gone = [day, month].map((each) => ({ ...each, left: 0 }))
    expect(both((language) => budgetWords(language, planOf({ budgets: gone })))).to.deep.equal([
      [
        'Your ₽500 for today is spent: no more SMS go out today',
        "Everybody's 5,000 SMS for this month is spent: no SMS go out until an operator raises the budget",
      ],
      [
        'Ваши на сегодня 500 ₽ потрачены: SMS сегодня больше не уйдут',
        'Общие на этот месяц 5 000 SMS потрачены: SMS не уйдут, пока оператор не увеличит бюджет',
      ],
    ])
  })

  it('is nothing where none holds; and what is spent is said by itself', () => {
    expect(both((language) => budgetWords(language, planOf({})))).to.deep.equal([[], []])
    expect(both((language) => [day, month].map((each) => budgetSpentWords(language, each)))).to.deep.equal([
      ['You have spent on SMS today: ₽456 of ₽500', 'Spent on SMS this month: 4,000 SMS of 5,000 SMS'],
      ['Сегодня вами потрачено на SMS: 456 ₽ из 500 ₽', 'За месяц потрачено на SMS: 4 000 SMS из 5 000 SMS'],
    ])
  })
})
