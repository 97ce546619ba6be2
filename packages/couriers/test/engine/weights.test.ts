/** The classes share the provider's rate: who is sent to next, whatever was claimed first. Told by the order in which the provider was called. */
import { classes, type MessageClass } from '@courier-fleet/api-types'
import { until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import type { Courier, Pacer } from '../../src/courier.ts'
import { type FakeSettings, fakeCourier } from './fake-courier.ts'
import { createFixture, type Fixture } from './fixture.ts'

interface Called {
  readonly cls: MessageClass
  /** every class had somebody at the pacer while this place was given */
  readonly allWaited: boolean
}

describe('the weights at the rate', () => {
  let fixture: Fixture
  beforeEach(async () => {
    fixture = await createFixture()
  })
  afterEach(() => fixture.stop())

  let called: Called[]
  /** how often a class had nobody at the pacer any more */
  let absences: number

  async function run(settings: FakeSettings) {
    called = []
    absences = 0
    let pacer: Pacer | undefined
    const waiting = { urgent: 0, normal: 0, bulk: 0 }
    const fake = fakeCourier(settings)
    const takePlace = async (cls: MessageClass, signal: AbortSignal) => {
      waiting[cls] += 1
      await pacer?.take(1, cls, signal)
      called.push({ cls, allWaited: classes.every((each) => waiting[each] > 0) })
      waiting[cls] -= 1
      if (waiting[cls] === 0) absences += 1
    }
    const courier: Courier = {
      ...fake,
      async send(items, signal) {
        await Promise.all(items.map((item) => takePlace(item.class, signal)))
        return fake.send(items, signal)
      },
    }
    await fixture.run(courier, {
      onPacer: (made) => {
        pacer = made
      },
    })
  }

  const put = async (cls: MessageClass, people: number) => fixture.put(await fixture.people(people), { class: cls })
  const countOf = (cls: MessageClass, among: readonly Called[]) => among.filter((each) => each.cls === cls).length

  for (const window of [undefined, 20]) {
    it(`4 : 2 : 1 while all wait${window ? ', through a window, too' : ''}`, async () => {
      await run({ batchSize: 20, concurrency: 3, rate: { units: 60, perMs: 1000 }, ...(window ? { window } : {}) })
      for (const cls of ['bulk', 'normal', 'urgent'] as const) await put(cls, 400)
      const places = 210
      const contested = () => called.filter(({ allWaited }) => allWaited)
      await until(() => contested().length >= places, 'as many places were contested')
      const among = contested().slice(0, places)
      for (const [cls, share] of [
        ['urgent', 4 / 7],
        ['normal', 2 / 7],
        ['bulk', 1 / 7],
      ] as const) {
        // a class that was away makes up for a round at most
        const slack = 0.03 * places + 4 * Math.max(0, absences)
        expect(Math.abs(countOf(cls, among) - share * places), `${cls}: ${countOf(cls, among)}`).to.be.at.most(slack)
      }
    })
  }

  it('gives bulk all of it when it is alone, and urgent that comes later stands behind none of what was claimed', async () => {
    await run({ batchSize: 20, concurrency: 3, rate: { units: 60, perMs: 1000 } })
    await put('bulk', 600)
    await until(() => called.length >= 30, 'bulk is under way')
    expect(countOf('bulk', called)).to.equal(called.length)
    await put('urgent', 10)
    await until(() => countOf('urgent', called) === 10, 'all urgent are sent to')
    const first = called.findIndex(({ cls }) => cls === 'urgent')
    const last = called.findLastIndex(({ cls }) => cls === 'urgent')
    // from the first to the tenth: at most a fifth of the places is bulk's, though hundreds of it wait
    expect(countOf('bulk', called.slice(first, last))).to.be.at.most(4)
    expect(countOf('bulk', called), 'much of it still waits').to.be.below(600)
  })
})
