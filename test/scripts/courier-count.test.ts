import { expect } from 'chai'
import { nextCount } from '../../scripts/courier-count.mjs'

const calm = { wanted: 'auto' as const, now: 2, busy: 0, waits: false, calmMs: 0, room: 4 }

describe('how many couriers a channel has', () => {
  for (const [when, facts, count] of [
    ['as many as are set', { ...calm, wanted: 5 }, 5],
    ['one at first', { ...calm, now: 0 }, 1],
    ['one more while work waits and they have their hands full', { ...calm, waits: true, busy: 0.9 }, 3],
    ["no more where they wait for their provider's rate", { ...calm, waits: true, busy: 0.2 }, 2],
    ['no more than there are cores for', { ...calm, waits: true, busy: 0.9, room: 0 }, 2],
    ['as many as before in a short calm', { ...calm, calmMs: 10_000 }, 2],
    ['one fewer after a long one', { ...calm, calmMs: 31_000 }, 1],
    ['never none', { ...calm, now: 1, calmMs: 31_000 }, 1],
  ] as const)
    it(when, () => {
      expect(nextCount(facts)).to.equal(count)
    })
})
