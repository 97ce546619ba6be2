/** What operators set of a channel while it works: seen at the provider, and no claim is dropped by it. */
import type { ChannelTuning } from '@courier-fleet/api-types'
import { readVersions, writeSettings } from '@courier-fleet/store'
import { until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import type { Courier, Item, Pacer } from '../../src/courier.ts'
import { type FakeSettings, fakeCourier } from './fake-courier.ts'
import { createFixture, type Fixture } from './fixture.ts'

describe('a channel that is tuned while it works', () => {
  let fixture: Fixture
  beforeEach(async () => {
    fixture = await createFixture()
  })
  afterEach(() => fixture.stop())

  async function tune(vk: ChannelTuning): Promise<void> {
    const [newest] = await readVersions(fixture.redis, 1)
    await writeSettings(fixture.redis, {
      expected: newest?.version ?? 0,
      stored: { channels: { vk } },
      by: 'operator-1',
    })
    await fixture.settingsAreKnown()
  }

  /** A provider that answers when it is told to, and notes how many it has at a time, and of how many each call is. */
  function provider(settings: FakeSettings) {
    const calls: { size: number; answer: () => void }[] = []
    const inner = fakeCourier(settings)
    const send: Courier['send'] = async (items, signal) => {
      await new Promise<void>((resolve) => {
        calls.push({ size: items.length, answer: resolve })
      })
      return inner.send(items, signal)
    }
    const answerAll = () => {
      for (const { answer } of calls.splice(0)) answer()
    }
    return { courier: { ...inner, send } as Courier, calls, answerAll, handed: inner.handed }
  }

  const everyoneOnce = (items: readonly Item[], count: number) => {
    expect(items).to.have.length(count)
    expect(new Set(items.map(({ address }) => address)).size, 'nobody twice').to.equal(count)
  }

  /** Answers whatever comes, until the message is over. */
  async function finish(ref: Parameters<Fixture['settled']>[0], answerAll: () => void) {
    const timer = setInterval(answerAll, 5)
    await fixture.settled(ref)
    clearInterval(timer)
  }

  it('has its next batches as small as they are set, and as large again', async () => {
    const { courier, calls, answerAll, handed } = provider({ batchSize: 10, concurrency: 2 })
    await fixture.run(courier)
    const ref = await fixture.put(await fixture.people(200))
    await until(() => calls.some(({ size }) => size === 10), 'a batch of ten is sent')
    await tune({ batchSize: 3 })
    await until(() => {
      const sizes = calls.map(({ size }) => size)
      answerAll()
      return sizes.length > 0 && sizes.every((size) => size <= 3)
    }, 'batches are of three')
    await tune({ batchSize: 7 })
    await until(() => {
      const sizes = calls.map(({ size }) => size)
      answerAll()
      return sizes.some((size) => size > 3) || fixture.get(ref).then(({ state }) => state === 'settled')
    }, 'batches are larger, or all is over')
    await finish(ref, answerAll)
    everyoneOnce(handed, 200)
  })

  it('has as many jobs at once as it is set to, more and fewer, and drops none that runs', async () => {
    const { courier, calls, answerAll, handed } = provider({ batchSize: 5, concurrency: 2 })
    await fixture.run(courier)
    const ref = await fixture.put(await fixture.people(300))
    await until(() => calls.length === 1, 'one job runs, the last slot being for what is urgent')
    await tune({ concurrency: 6 })
    await until(() => calls.length === 5, 'five jobs run')
    await tune({ concurrency: 3 })
    // whoever runs goes on: nothing is taken back, and the next begins when fewer than two are left
    await until(() => {
      calls.shift()?.answer()
      return calls.length === 2
    }, 'two jobs run')
    const most = await new Promise<number>((resolve) => {
      let highest = 0
      const timer = setInterval(() => {
        highest = Math.max(highest, calls.length)
        calls.shift()?.answer()
        if (handed.length < 200) return
        clearInterval(timer)
        resolve(highest)
      }, 5)
    })
    expect(most).to.equal(2)
    await finish(ref, answerAll)
    everyoneOnce(handed, 300)
  })

  it('has no more in doubt than the window it is set to, never more than it was started with', async () => {
    const underWay = new Set<() => void>()
    let most = 0
    const courier = fakeCourier({
      batchSize: 10,
      window: 10,
      concurrency: 3,
      foldsResends: false,
      answer: () =>
        new Promise((resolve) => {
          const answer = () => {
            underWay.delete(answer)
            resolve({ kind: 'sent', providerId: 'x' })
          }
          underWay.add(answer)
          most = Math.max(most, underWay.size)
        }),
    })
    const answerOne = () => [...underWay][0]?.()
    await fixture.run(courier)
    const ref = await fixture.put(await fixture.people(150))
    await until(() => underWay.size === 10, 'the window is full')
    await tune({ window: 3 })
    await until(() => {
      if (underWay.size > 3) answerOne()
      return underWay.size <= 3
    }, 'three are under way')
    const before = courier.accepted.size
    most = 0
    await until(() => {
      answerOne()
      return courier.accepted.size > before + 30
    }, 'thirty more are sent')
    expect(most).to.be.at.most(3)
    await tune({ window: 500 })
    await until(() => underWay.size === 10, 'the window is full again')
    most = 0
    const timer = setInterval(() => {
      for (const answer of [...underWay]) answer()
    }, 5)
    await fixture.settled(ref)
    clearInterval(timer)
    expect(most).to.be.at.most(10)
    everyoneOnce(courier.handed, 150)
  })

  it('keeps the rate it is set to from then on, and none when it is off', async () => {
    const times: number[] = []
    const pacedFake = fakeCourier({ batchSize: 5, concurrency: 2, rate: { units: 2, perMs: 1000 } })
    let pacer: Pacer | undefined
    const courier: Courier = {
      ...pacedFake,
      async send(items, signal) {
        for (const item of items) {
          await pacer?.take(1, item.class, signal)
          times.push(performance.now())
        }
        return pacedFake.send(items, signal)
      },
    }
    await fixture.run(courier, {
      onPacer: (made) => {
        pacer = made
      },
    })
    const ref = await fixture.put(await fixture.people(120))
    await until(() => times.length >= 3, 'three are sent at two a second')
    const tunedAt = performance.now()
    await tune({ perSecond: 40 })
    // whoever has waited by the former rate is not counted
    const from = times.length + 3
    await until(() => times.length > from + 50, 'fifty more are sent')
    // measured from before the change: a process that is held up makes it longer, and never shorter
    const tookMs = (times[from + 50] as number) - tunedAt
    expect(tookMs, 'neither two a second nor as fast as can be').to.be.within(50 * 25, 20_000)
    await tune({ perSecond: 'off' })
    await fixture.settled(ref)
    everyoneOnce(pacedFake.handed, 120)
  })
})
