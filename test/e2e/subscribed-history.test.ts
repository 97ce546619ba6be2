/** A message to very many, followed while it runs: a diff a second at most, and all of them add up. */
import { historyKeyOf } from '@courier-fleet/api-types'
import { silentLog } from '@courier-fleet/process'
import { settingsOf } from '@courier-fleet/store'
import { createViews } from '@courier-fleet/subscriptions'
import { until } from '@courier-fleet/testkit'
import { createRetention } from '@courier-fleet/timekeeper'
import { expect } from 'chai'
import { fakeCourier } from '../../packages/couriers/test/engine/fake-courier.ts'
import { createFixture as createEngine, type Fixture as Engine } from '../../packages/couriers/test/engine/fixture.ts'
import { createFixture, type Fixture } from '../../packages/notifier/test/fixture.ts'

describe('a history that is followed while it runs', () => {
  let fixture: Fixture
  let engine: Engine
  before(async () => {
    fixture = await createFixture()
    engine = await createEngine({ url: fixture.url, stop: async () => {} })
  })
  after(async () => {
    await engine.stop()
    await fixture.stop()
  })

  it('is told once a second at most, and to the end', async () => {
    const people = await engine.people(800)
    const pause = () => new Promise((resolve) => setTimeout(resolve, 20))
    const answer = async () => {
      await pause() // what a provider takes
      return { kind: 'sent', providerId: '1' } as const
    }
    const courier = fakeCourier({ batchSize: 4, concurrency: 1, answer })
    await engine.run(courier)
    const receiver = await fixture.startReceiver()
    await fixture.startNotifier()
    await fixture.subscribe(receiver, 'history')
    const ref = await engine.put(people)
    const key = historyKeyOf(ref)
    await until(() => receiver.view(key).state === 'settled', 'it is told to have settled')
    const changes = receiver.of(key).map(({ body }) => ({ at: Date.parse(body.created), diff: body.diff ?? {} }))
    const quick = changes.slice(1).filter(({ at, diff }, i) => at - (changes[i]?.at ?? 0) < 1000 && !('state' in diff))
    expect(quick.map(({ diff }) => diff)).to.deep.equal([])
    const history = await engine.get(ref)
    const ranMs = Date.parse(history.settledAt as string) - Date.parse(history.startedAt as string)
    expect(ranMs, 'it runs for some seconds').to.be.above(3_000)
    const whileRunning = changes.filter(({ diff }) => !('state' in diff)).length
    expect(whileRunning).to.be.within(2, Math.ceil(ranMs / 1000))
    const settled = changes.find(({ diff }) => diff.state?.['+++'] === 'settled')
    expect(settled?.diff.people, 'with who got it').not.to.equal(undefined)
    const views = createViews({ ...fixture, settings: { current: () => settingsOf({}), look: async () => {} } })
    const now = () => views.viewOf({ owner: 'root', role: 'admin' }, 'history', key)
    expect(receiver.view(key)).to.deep.equal(await now())
    expect(receiver.disorder()).to.deep.equal([])
    const retention = createRetention({ redis: fixture.redis, shards: fixture.shards, keptMs: () => 1, log: silentLog })
    retention.start()
    await until(() => Object.keys(receiver.view(key)).length === 0, 'it is told to be gone')
    await retention.stop()
  })
})
