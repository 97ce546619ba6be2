import { expect } from 'chai'
import { everyBeat, untilBeat } from '../src/beats.ts'

describe('what is done again and again', () => {
  const beats = (count: number, onBeat = () => {}) =>
    new Promise<void>((resolve) => {
      let left = count
      const stop = everyBeat(20, () => {
        onBeat()
        if (--left > 0) return
        stop()
        resolve()
      })
    })

  it('is done until it is stopped', async () => {
    let done = 0
    await beats(3, () => (done += 1))
    await beats(3)
    expect(done).to.equal(3)
  })

  it('comes at a multiple of its interval, whenever it was begun, and after a tenth of it at the earliest', () => {
    for (let times = 0; times < 1000; times++) {
      const before = performance.now()
      const ms = untilBeat(100)
      const after = performance.now()
      expect(ms).to.be.within(10, 110)
      const multiple = Math.floor((after + ms + 1e-6) / 100) * 100
      expect(multiple).to.be.at.least(before + ms - 1e-6)
    }
  })
})
