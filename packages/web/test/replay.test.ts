/** What a replay shows of everyone at every step, forwards and backwards, and how its time line runs. */
import { receiptStates } from '@courier-fleet/api-types'
import { type PeopleClass, peopleClasses } from '@courier-fleet/api-types/people-classes'
import { classOf } from '@courier-fleet/channels'
import type { Replay } from '@courier-fleet/client'
import { expect } from 'chai'
import { createReplayLine, longestGapMs, steps } from '../src/replay-line.ts'
import { createReplayShow } from '../src/replay-show.ts'

type Receipt = readonly [state: (typeof receiptStates)[number], at: number]

/** @param people of each a receipt on every channel */
function replayOf(channels: readonly string[], people: readonly (readonly Receipt[])[], marks: Replay['marks'] = []) {
  const of = (index: number) => people.map((receipts) => receipts[index] as Receipt)
  return {
    size: people.length,
    channels,
    states: receiptStates,
    block: 5000,
    marks,
    standing: channels.map((_, index) => Uint8Array.from(of(index), ([state]) => receiptStates.indexOf(state))),
    offsets: channels.map((_, index) => Float64Array.from(of(index), ([, at]) => at)),
  } satisfies Replay
}

const line = (...moments: number[]) => createReplayLine(Float64Array.from(moments))

describe('the time line of a replay', () => {
  it('runs from the start to the last moment', () => {
    const { momentOf, stepOf, isShortened } = line(4000, -1, 8000)
    expect([momentOf(0), momentOf(steps / 2), momentOf(steps)]).to.deep.equal([0, 4000, 8000])
    expect([-5, 0, 4000, 8000, 9000].map(stepOf)).to.deep.equal([0, 0, steps / 2, steps, steps])
    expect(isShortened).to.equal(false)
  })

  it('leaves out what is longer than ten seconds of a while in which nothing came', () => {
    const hour = 3_600_000
    const { momentOf, stepOf, isShortened, lengthMs } = line(5000, hour, hour + 5000)
    expect(lengthMs).to.equal(5000 + longestGapMs + 5000)
    expect(isShortened).to.equal(true)
    expect([momentOf(steps / 4), momentOf((steps * 3) / 4), momentOf(steps)]).to.deep.equal([5000, hour, hour + 5000])
    expect(momentOf(steps / 2)).to.equal(10_000)
    expect([stepOf(5000), stepOf(20_000), stepOf(hour), stepOf(hour + 5000)]).to.deep.equal([250, 750, 750, steps])
  })

  it('has a length also where all happened at once, or nothing did', () => {
    for (const { stepOf, momentOf } of [line(0, 0), line()]) {
      expect(stepOf(0)).to.equal(0)
      expect(momentOf(0)).to.equal(0)
    }
  })
})

describe('a replay', () => {
  const states = receiptStates
  const channels = ['telegram', 'sms', 'mail']
  // everything there is on three channels, at times that are all different
  const people = states.flatMap((one, a) =>
    states.flatMap((two, b) =>
      states.map((three, c): Receipt[] => [
        [one, (a * 7 + b) * 10],
        [two, (b * 13 + c) * 10],
        [three, one === 'pending' ? -1 : (c * 17 + a) * 10],
      ]),
    ),
  )

  /** As the page of the message would have it, were it read then. */
  function classAt(receipts: readonly Receipt[], ms: number): PeopleClass {
    const known = channels.map((channel, index) => {
      const [state, at] = receipts[index] as Receipt
      return [channel, { state: Math.max(0, at) <= ms ? state : 'pending' }]
    })
    return classOf({ channels: Object.fromEntries(known) } as Parameters<typeof classOf>[0])
  }

  it('has everyone at every step in the class in which they were then, and counts them', () => {
    const show = createReplayShow(replayOf(channels, people))
    const painted = new Map<number, number>()
    for (const step of [0, 1, 250, 700, 699, steps, 3, 0, 500, steps]) {
      show.go(step, (person, peopleClass) => painted.set(person, peopleClass))
      const expected = people.map((receipts) => {
        const passed = receipts.map(([state, at]): Receipt => [state, show.line.stepOf(Math.max(0, at))])
        return peopleClasses.indexOf(classAt(passed, step))
      })
      expect([...show.now], `at step ${step}`).to.deep.equal(expected)
      for (const [person, peopleClass] of painted) expect(peopleClass).to.equal(expected[person])
      expect(show.counts).to.deep.equal(
        peopleClasses.map((_, index) => expected.filter((each) => each === index).length),
      )
    }
    // whoever is where they were before was not painted
    expect(painted.has(people.findIndex((all) => all.every(([state]) => state === 'pending')))).to.equal(false)
  })

  it('names the classes that come up, and a mark lies on its line', () => {
    const paused = { at: 30_000, what: 'channel.paused', channel: 'sms' } as const
    const show = createReplayShow(replayOf(['sms'], [[['sent', 1000]], [['delivered', 2000]]], [paused]))
    expect(show.classes).to.deep.equal(['delivered', 'handedOver', 'pending'])
    expect(show.line.stepOf(paused.at)).to.equal(steps)
    show.go(steps, () => {})
    expect(show.counts[peopleClasses.indexOf('pending')]).to.equal(0)
  })
})
