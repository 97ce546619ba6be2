import { expect } from 'chai'
import { timesAtRate } from '../../src/backlog/times-at-rate.ts'

const weights = { urgent: 4, normal: 2, bulk: 1 }

describe('how long the classes take at a rate they share', () => {
  it('is as long as each has its weight: all end together where they wait by weight', () => {
    expect(timesAtRate({ urgent: 400, normal: 200, bulk: 100 }, weights, 7)).to.deep.equal({
      urgent: 100_000,
      normal: 100_000,
      bulk: 100_000,
    })
  })

  it('is shorter for whoever still waits once another class is done', () => {
    // 35/s: 20, 10 and 5 until urgent is done after 10 s; then 2 : 1, until normal is done; then bulk has all of it
    const times = timesAtRate({ urgent: 200, normal: 450, bulk: 1050 }, weights, 35)
    expect(times.urgent).to.equal(10_000)
    expect(times.normal).to.equal(10_000 + 15_000)
    expect(times.bulk).to.equal(Math.round((1700 / 35) * 1000))
  })

  it('is all of the rate for one that is alone, and nothing for whoever is not there', () => {
    expect(timesAtRate({ urgent: 0, normal: 0, bulk: 3000 }, weights, 30)).to.deep.equal({
      urgent: 0,
      normal: 0,
      bulk: 100_000,
    })
    expect(timesAtRate({ urgent: 0, normal: 0, bulk: 0 }, weights, 30)).to.deep.equal({ urgent: 0, normal: 0, bulk: 0 })
  })
})
