/** Of a lease that ran out under a worker: a real Redis; what a worker has in hand is told it here, step by step. */
import { keys, type Sending } from '@courier-fleet/store'
import type { Subscription } from '@courier-fleet/subscriptions'
import { until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import type { Deliver } from '../src/deliver.ts'
import { createRestart } from '../src/restart.ts'
import { createWork, type Work } from '../src/work.ts'
import { createWorker, type Worker } from '../src/worker.ts'
import { createFixture, type Fixture } from './fixture.ts'

const bodyOf = (sequence: number): Sending => ({
  ...{ sequence, id: `body-${sequence}`, createdMs: 1, body: '{}', after: { n: sequence }, tries: 0 },
})
const toldOf = ({ sequence, createdMs: atMs, after: view }: Sending) => ({ sequence, atMs, view })

describe('a worker whose lease has run out', () => {
  let fixture: Fixture
  let subscription: Subscription
  let id: string
  /** by another notifier */
  let another: Work
  let worker: Worker
  let own: Work
  /** what the worker has last asked for */
  let taking: ReturnType<Work['take']>
  /** its question whether the endpoint is to be left alone */
  let asking: () => Promise<void>
  let failures: unknown[]
  let open: () => void
  /** it is at something until this is */
  let gate: Promise<void>

  beforeEach(async () => {
    fixture = await createFixture()
    subscription = await fixture.subscribe({ url: 'http://127.0.0.1:9/' }, 'person')
    id = subscription.id
    another = createWork(fixture.redis, 'another')
    own = createWork(fixture.redis, 'own')
    asking = async () => {}
    failures = []
    gate = new Promise((resolve) => {
      open = resolve
    })
  })
  afterEach(async () => {
    open()
    await worker.stop()
    await fixture.stop()
    expect(failures).to.deep.equal([])
  })

  function start(deliver: Deliver): void {
    const take: Work['take'] = (...args) => {
      taking = own.take(...args)
      return taking
    }
    const work = { ...own, take }
    const ask = async () => {
      await asking()
      return { kind: 'go' } as const
    }
    const { subscriptions } = fixture
    const restart = createRestart({ work, subscriptions, views: {} as never, existing: async function* () {} })
    const failed = (error: unknown) => failures.push(error)
    const rest = { endpoints: { ask }, tellEnd: async () => {}, failed }
    worker = createWorker(id, { work, subscriptions, restart, deliver, ...rest })
  }
  const begun = () => fixture.subscriptions.replayed(id, subscription.replayMs as number)
  const runsOut = () => fixture.redis.del(keys.subscriptionLease(id))
  const told = async (resource: string) => (await another.toldOf(id, [resource]))[0]
  const taken = async (work: Work) => (await work.take(id, 10, []))?.taken.map(({ resource }) => resource)

  /** Another takes over, sends what is on its way again, and what has changed since; its lease runs out, too. */
  async function anotherGoesOn(): Promise<void> {
    await runsOut()
    const found = await another.take(id, 10, [])
    expect(found?.taken.map(({ resource }) => resource)).to.deep.equal(['anna'])
    await another.keep(id, 'anna', { dueInMs: 'done', told: toldOf(bodyOf(1)), sending: null })
    await another.note(id, ['anna'], 'at-once')
    expect(await taken(another)).to.deep.equal(['anna'])
    await another.keep(id, 'anna', { sending: bodyOf(2) })
    await another.keep(id, 'anna', { dueInMs: 'done', told: toldOf(bodyOf(2)), sending: null })
    await runsOut()
  }

  /** Has it renew, and says whether it has the lease then. */
  async function renewed(): Promise<boolean> {
    worker.renew()
    await taking
    return (await fixture.redis.get(keys.subscriptionLease(id))) === 'own'
  }

  it('does not take it anew while a call is in its hands, and writes nothing of what comes of that', async () => {
    let isAt = false
    const written: boolean[] = []
    start(async (_subscription, { resource }) => {
      await own.keep(id, resource, { sending: bodyOf(1) })
      isAt = true
      await gate
      written.push(await own.keep(id, resource, { dueInMs: 'done', told: toldOf(bodyOf(1)), sending: null }))
    })
    await begun()
    await own.note(id, ['anna'], 'at-once')
    worker.look()
    await until(() => isAt, 'its call is under way')
    await anotherGoesOn()
    expect(await renewed()).to.equal(false)
    // nor for something else that is due
    await another.note(id, ['boris'], 'at-once')
    expect(await own.take(id, 10, ['anna'])).to.equal(undefined)
    open()
    await until(() => written.length === 2, 'it has taken what is due, once nothing was in its hands')
    expect(written).to.deep.equal([false, true])
    expect(await told('anna')).to.deep.equal(toldOf(bodyOf(2)))
  })

  it('does not take it anew with what it has taken and not begun with', async () => {
    let isAt = false
    asking = () => {
      isAt = true
      return gate
    }
    const written: boolean[] = []
    start(async (_subscription, { resource }) => {
      written.push(await own.keep(id, resource, { dueInMs: 'done', told: toldOf(bodyOf(1)), sending: null }))
    })
    await begun()
    await another.note(id, ['anna'], 'at-once')
    worker.look()
    await until(() => isAt, 'it has taken anna')
    await anotherGoesOn()
    expect(await renewed()).to.equal(false)
    open()
    await until(() => written.length === 1, 'it has gone on')
    expect(written).to.deep.equal([false])
    expect(await told('anna')).to.deep.equal(toldOf(bodyOf(2)))
  })

  it('does a replay again from its beginning', async () => {
    const before = toldOf(bodyOf(1))
    await another.take(id, 1, [])
    for (const each of ['anna', 'boris']) await another.keep(id, each, { told: before })
    await runsOut()
    let begins = 0
    const { watch } = fixture.subscriptions
    fixture.subscriptions.watch = async (followed) => {
      begins += 1
      if (begins === 1) await gate
      return watch(followed)
    }
    start(async (_subscription, { resource }) => {
      await own.keep(id, resource, { dueInMs: 'done' })
    })
    await fixture.subscriptions.replay(id, 0)
    worker.look()
    await until(() => begins === 1, 'the replay has begun')
    await runsOut()
    expect(await renewed()).to.equal(false)
    open()
    const isDone = async () => (await fixture.subscriptions.get(id))?.replayMs === undefined
    await until(isDone, 'the replay is done')
    for (const each of ['anna', 'boris']) expect(await told(each)).to.deep.equal({ ...before, whole: true })
    expect(begins).to.equal(2)
  })
})
