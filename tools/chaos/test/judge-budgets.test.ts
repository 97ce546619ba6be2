import { expect } from 'chai'
import { judgeBudgets } from '../src/faults/judge-budgets.ts'

const limits = { day: 20, month: 30 }
const spent = (a: number, b: number, doubtful = 0) => [
  { sender: 'a', taken: a, doubtful },
  { sender: 'b', taken: b, doubtful: 0 },
]

describe('the judge of budgets', () => {
  it('is content where the month is spent, and no day is exceeded', () => {
    expect(judgeBudgets(spent(20, 10), limits)).eql([])
    expect(judgeBudgets(spent(15, 15), limits)).eql([])
  })

  it('sees one SMS more than a day or the month has', () => {
    expect(judgeBudgets(spent(21, 9), limits)).eql(['budgets: 21 SMS of a were taken in a day that has 20'])
    expect(judgeBudgets(spent(16, 15), limits)).eql(['budgets: 31 SMS were taken in a month that has 30'])
  })

  it('sees fewer, but for those of whom nobody knows', () => {
    expect(judgeBudgets(spent(18, 10), limits)).eql([
      'budgets: 28 SMS were taken of 30; of 0 more nobody knows, and the rest was refused',
    ])
    expect(judgeBudgets(spent(18, 10, 2), limits)).eql([])
    expect(judgeBudgets(spent(20, 9, 4), limits), 'a day is no reason to have more doubts than it has SMS').length(1)
  })
})
