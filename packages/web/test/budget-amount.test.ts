import { expect } from 'chai'
import { amountOf, amountOfDay } from '../src/parts/service/budget-amount.ts'

describe('a budget in its form', () => {
  it('is that of the role, and empty where it has none, whatever the role is called', () => {
    const day = { trainer: { parts: 10 }, dean: { millionths: 2_500_000, currency: 'RUB' } }
    expect(amountOfDay(day, 'trainer')).to.deep.equal({ text: '10', unit: 'parts' })
    expect(amountOfDay(day, 'dean')).to.deep.equal({ text: '2.5', unit: 'RUB' })
    expect(amountOfDay(day, 'constructor')).to.deep.equal(amountOf(null))
  })
})
