/** Two processes of one channel, one of which cannot reach the provider. */
import { keys } from '@courier-fleet/store'
import { until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import { type FakeCourier, fakeCourier } from './fake-courier.ts'
import { createFixture, type Fixture } from './fixture.ts'

describe('a courier that is not ready', () => {
  let fixture: Fixture
  beforeEach(async () => {
    fixture = await createFixture()
  })
  afterEach(() => fixture.stop())

  const pending = async (channel = 'vk') => {
    const streams = await fixture.redis.keys(`work:*:${channel}:*`)
    const counts = await Promise.all(
      streams.map(async (stream) => ((await fixture.redis.xpending(stream, channel)) as [number])[0]),
    )
    return counts.reduce((sum, count) => sum + count, 0)
  }
  const everyone = (couriers: readonly FakeCourier[]) =>
    couriers.flatMap(({ handed }) => handed).map((each) => each.address)

  it('claims nothing: the other has it all, and no one waits', async () => {
    const [cut, well] = [fakeCourier(), fakeCourier()]
    cut.readiness.lose('the line is cut')
    await fixture.run(cut)
    await fixture.run(well)
    const people = await fixture.people(95)
    const history = await fixture.settled(await fixture.put(people))
    expect(history.channels.vk).to.include({ sent: 95 })
    expect([cut.handed.length, well.handed.length]).to.deep.equal([0, 95])
    expect(
      (await fixture.settled(await fixture.put(people.slice(0, 1), { class: 'urgent' }))).channels.vk?.sent,
    ).to.equal(1)
  })

  for (const window of [undefined, 4])
    it(`hands back at once what it holds when it loses its line, ${window ? 'with' : 'without'} a window: nobody twice`, async () => {
      let cutNow = () => {}
      const cut = fakeCourier({
        batchSize: 20,
        concurrency: 2,
        foldsResends: window === undefined,
        ...(window ? { window } : {}),
        answer: async ({ address }) => {
          if (cut.handed.length > 30) cutNow()
          return cut.readiness.notReady() ? { kind: 'not-sent', why: 'cut' } : { kind: 'sent', providerId: address }
        },
      })
      cutNow = () => cut.readiness.lose('the line is cut')
      await fixture.run(cut)
      const ref = await fixture.put(await fixture.people(200))
      await until(() => cut.readiness.notReady() !== undefined, 'its line is cut')
      await until(async () => (await pending()) === 0, 'it holds nothing')
      expect(await fixture.redis.exists(keys.pause('vk', 'fake')), 'that is no throttling of the account').to.equal(0)
      const causes = ((await fixture.get(ref)).waiting ?? []).map(({ cause }) => cause)
      expect(causes, 'nor a back-off of anybody').to.not.include('throttled')
      const accepted = cut.accepted.size
      const standing = await fixture.receipts(ref)
      expect(standing.filter(({ channels }) => channels.vk?.state === 'sent')).to.have.length(accepted)
      // a byte of each, and their times behind that
      const states = await fixture.redis.getrange(keys.receipts(ref, 'vk'), 0, 199)
      expect(states).not.to.include('a')

      const well = fakeCourier({ batchSize: 20, foldsResends: window === undefined, ...(window ? { window } : {}) })
      await fixture.run(well)
      const history = await fixture.settled(ref)
      expect(history.channels.vk).to.include({ sent: 200, unknown: 0 })
      expect(accepted + well.accepted.size, 'each by one of them').to.equal(200)
    })

  it('whose only fellow is not ready either: everything waits, nothing is lost, and goes out once one is', async () => {
    const couriers = [fakeCourier(), fakeCourier()]
    for (const courier of couriers) {
      courier.readiness.lose('the line is cut')
      await fixture.run(courier)
    }
    const ref = await fixture.put(await fixture.people(120))
    await until(async () => (await fixture.redis.keys('work:*:vk:normal')).length > 0, 'it is due and woken')
    await until(async () => (await fixture.get(ref)).state === 'running', 'it has started')
    expect(await pending()).to.equal(0)
    expect(everyone(couriers)).to.deep.equal([])
    couriers[1]?.readiness.ready()
    expect((await fixture.settled(ref)).channels.vk).to.include({ sent: 120 })
    expect(new Set(everyone(couriers)).size).to.equal(120)
  })

  it('sends again whoever was in doubt, without waiting, where that is folded', async () => {
    const cut = fakeCourier({
      answer: () => {
        cut.readiness.lose('the line is cut')
        return { kind: 'unknown', why: 'the connection was lost' }
      },
    })
    const well = fakeCourier()
    const leaseMs = 60_000
    await fixture.run(cut, { leaseMs })
    const ref = await fixture.put(await fixture.people(8))
    await until(() => cut.readiness.notReady() !== undefined, 'its line is cut')
    const cutAt = performance.now()
    await fixture.run(well)
    expect((await fixture.settled(ref)).channels.vk).to.include({ sent: 8 })
    expect(performance.now() - cutAt, 'before its lease has run out').to.be.below(leaseMs / 2)
    expect(new Set(well.handed.map(({ key }) => key))).to.deep.equal(new Set(cut.handed.map(({ key }) => key)))
  })
})
