import { expect } from 'chai'
import { atMost } from '../src/clock.ts'
import { createThrottledLog } from '../src/throttled-log.ts'

describe('what happens too often', () => {
  it('is said once, then again after a while, with how often it was left unsaid; each thing on its own', async () => {
    const said: object[] = []
    const say = createThrottledLog((fields, text) => said.push({ text, ...fields }), 30)
    for (let time = 1; time <= 3; time += 1) say({ time }, 'away')
    say({}, 'another')
    expect(said).to.deep.equal([{ text: 'away', time: 1 }, { text: 'another' }])
    while (said.length === 2) {
      await new Promise((resolve) => setTimeout(resolve, 5))
      say({ later: true }, 'away')
    }
    expect(said[2]).to.include({ text: 'away', later: true })
    expect((said[2] as { unsaid: number }).unsaid).to.be.at.least(2)
  })
})

describe('what need not be waited for', () => {
  it('is waited for until it is done, or has failed, or for so long', async () => {
    const msOf = async (ms: number, work: Promise<unknown>) => {
      const started = performance.now()
      await atMost(ms, work)
      return performance.now() - started
    }
    expect(await msOf(5000, Promise.resolve())).to.be.below(1000)
    expect(await msOf(5000, Promise.reject(new Error('failed')))).to.be.below(1000)
    expect(await msOf(20, new Promise(() => {}))).to.be.within(15, 1000)
  })
})
