import { expect } from 'chai'
import { matches } from '../src/matches.ts'

describe('searching', () => {
  it('takes beginnings of words in any order, case and ё aside', () => {
    expect(matches('', 'ИВТ-101')).to.equal(true)
    expect(matches('101', 'ИВТ-101')).to.equal(true)
    expect(matches('первый фак', 'Факультет, первый курс')).to.equal(true)
    expect(matches('семен', 'Артём Семёнов')).to.equal(true)
    expect(matches('ivt', 'ИВТ-101', 'ivt-101')).to.equal(true)
    expect(matches('второй', 'Факультет, первый курс')).to.equal(false)
  })
})
