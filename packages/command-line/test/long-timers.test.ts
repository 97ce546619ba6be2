/** Times that are longer than a timer of Node can be: it would end at once. */
import { mock } from 'node:test'
import { expect } from 'chai'
import { deadlineAfter, sleepFor } from '../src/long-timers.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs

describe('timers for any time that is typed', () => {
  beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }))
  afterEach(() => mock.timers.reset())

  /** By the hour, for a timer that is set while time is ticked begins when that tick ends. */
  function pass(ms: number): void {
    for (let leftMs = ms; leftMs > 0; leftMs -= hourMs) mock.timers.tick(Math.min(leftMs, hourMs))
  }

  for (const days of [1, 30, 60])
    it(`end after all of it, and not before: ${days} days`, async () => {
      let isAwake = false
      const deadline = deadlineAfter(days * dayMs)
      void sleepFor(days * dayMs).then(() => {
        isAwake = true
      })
      pass(days * dayMs - hourMs)
      await Promise.resolve()
      expect([deadline.aborted, isAwake], 'an hour before').to.deep.equal([false, false])
      pass(3 * hourMs)
      await Promise.resolve()
      expect([deadline.aborted, isAwake], 'in the end').to.deep.equal([true, true])
    })

  it('never end where no end can be counted', () => {
    const deadline = deadlineAfter(Number.POSITIVE_INFINITY)
    pass(400 * dayMs)
    expect(deadline.aborted).to.equal(false)
  })
})
