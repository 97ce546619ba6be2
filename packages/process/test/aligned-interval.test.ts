import { expect } from 'chai'
import { alignedInterval, untilAligned } from '../src/aligned-interval.ts'

describe('what is done again and again', () => {
  const calls = (count: number, onCall = () => {}) =>
    new Promise<void>((resolve) => {
      let left = count
      const stop = alignedInterval(20, () => {
        onCall()
        if (--left > 0) return
        stop()
        resolve()
      })
    })

  it('is done until it is stopped', async () => {
    let done = 0
    await calls(3, () => (done += 1))
    await calls(3)
    expect(done).to.equal(3)
  })

  it('comes at a multiple of its interval, whenever it was begun, and after a tenth of it at the earliest', () => {
    for (let times = 0; times < 1000; times++) {
      const before = performance.now()
      const ms = untilAligned(100)
      const after = performance.now()
      expect(ms).to.be.within(10, 110)
      const multiple = Math.floor((after + ms + 1e-6) / 100) * 100
      expect(multiple).to.be.at.least(before + ms - 1e-6)
    }
  })
})
