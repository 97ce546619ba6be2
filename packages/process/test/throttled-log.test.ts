import { expect } from 'chai'
import { atMost } from '../src/clock.ts'
import { createThrottledLog } from '../src/throttled-log.ts'

describe('what happens too often', () => {
  it('is said once, then again after a while, with how often it was left unsaid; each thing on its own', () => {
    const said: object[] = []
    let now = 5
    const say = createThrottledLog((fields, text) => said.push({ text, ...fields }), 30, { now: () => now })
    for (let time = 1; time <= 3; time += 1) say({ time }, 'away')
    say({}, 'another')
    expect(said).to.deep.equal([{ text: 'away', time: 1 }, { text: 'another' }])
    for (const later of [34, 35, 64, 65]) {
      now = later
      say({ later }, 'away')
    }
    expect(said.slice(2)).to.deep.equal([
      { text: 'away', later: 35, unsaid: 3 },
      { text: 'away', later: 65, unsaid: 1 },
    ])
  })
})

describe('what need not be waited for', () => {
  it('is waited for until it is done, or has failed, or for so long', async () => {
    // longer than a test may take
    const tooLongMs = 3_600_000
    await atMost(tooLongMs, Promise.resolve())
    await atMost(tooLongMs, Promise.reject(new Error('failed')))
    const began = performance.now()
    await atMost(20, new Promise(() => {}))
    expect(performance.now() - began).to.be.at.least(15)
  })
})
