import { expect } from 'chai'
import { matches } from '../src/matches.ts'
import { runsOf } from '../src/ordinal-runs.ts'

describe('searching', () => {
  it('takes beginnings of words in any order, case and ё aside', () => {
    expect(matches('', 'ИВТ-101')).to.equal(true)
    expect(matches('101', 'ИВТ-101')).to.equal(true)
    expect(matches('первый фак', 'Факультет, первый курс')).to.equal(true)
    expect(matches('семен', 'Артём Семёнов')).to.equal(true)
    expect(matches('ivt', 'ИВТ-101', 'ivt-101')).to.equal(true)
    expect(matches('второй', 'Факультет, первый курс')).to.equal(false)
  })

  it('reads receipts that stand apart in few calls of no more than a thousand', () => {
    expect(runsOf([])).to.deep.equal([])
    expect(runsOf([3, 5, 900, 1002, 1003, 70_000])).to.deep.equal([
      [3, 1003],
      [1003, 1004],
      [70_000, 70_001],
    ])
  })
})
