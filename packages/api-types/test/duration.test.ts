import { expect } from 'chai'
import { durationMs, durationOf } from '../src/duration.ts'
import { durationUpTo } from '../src/duration-up-to.ts'

describe('durations', () => {
  it('are read as ISO 8601 writes them', () => {
    expect(durationMs('PT30M')).to.equal(1_800_000)
    expect(durationMs('P7D')).to.equal(604_800_000)
    expect(durationMs('P1DT2H3M4S')).to.equal(93_784_000)
  })

  for (const text of ['', 'P', 'PT', 'P1DT', '30M', 'P1H', 'PT1D', 'PT1.5H', 'P-1D', 'pt1h', 'P1Y', 'P2W']) {
    it(`refuse ${JSON.stringify(text)}`, () => {
      expect(() => durationMs(text)).to.throw(RangeError)
      expect(durationUpTo(31).safeParse(text).success).to.equal(false)
    })
  }

  it('are written so that they are read alike', () => {
    for (const text of ['PT30M', 'P7D', 'P1DT2H3M4S', 'PT1S', 'PT90S', 'PT744H'])
      expect(durationMs(durationOf(durationMs(text)))).to.equal(durationMs(text))
    expect([durationOf(90_000), durationOf(86_400_000), durationOf(0)]).to.deep.equal(['PT1M30S', 'P1D', 'PT0S'])
  })

  it('have bounds', () => {
    for (const text of ['PT0S', 'P32D', 'P31DT1S']) expect(durationUpTo(31).safeParse(text).success).to.equal(false)
    for (const text of ['PT1S', 'P31D', 'PT744H']) expect(durationUpTo(31).safeParse(text).success).to.equal(true)
  })
})
