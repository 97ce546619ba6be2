import { expect } from 'chai'
import { parseUpOptions, usage } from '../../scripts/up-options.mjs'

describe('what npm start is told', () => {
  it('is one Redis unless it says several', () => {
    expect(parseUpOptions([], {})).to.deep.equal({ help: false })
    expect(parseUpOptions([], { REDIS_URL: 'redis://elsewhere' })).to.deep.equal({ help: false })
    expect(parseUpOptions(['--redis', 'cluster'], {})).to.deep.equal({ help: false, redis: 'cluster' })
    expect(parseUpOptions(['--redis=sentinel'], {})).to.deep.equal({ help: false, redis: 'sentinel' })
    expect(parseUpOptions(['--help'], {}).help).to.equal(true)
  })

  it('is refused with what would be right', () => {
    expect(() => parseUpOptions(['--redis', 'ring'], {})).to.throw('--redis is cluster or sentinel, not "ring"')
    expect(() => parseUpOptions(['--redis'], {})).to.throw(usage)
    expect(() => parseUpOptions(['--cluster'], {})).to.throw(usage)
    expect(() => parseUpOptions(['cluster'], {})).to.throw(usage)
    expect(() => parseUpOptions(['--redis', 'cluster'], { REDIS_URL: 'redis://elsewhere' })).to.throw(
      'REDIS_URL names another',
    )
  })
})
