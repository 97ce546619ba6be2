import { type HistoryRef, memberOf } from '@courier-fleet/api-types'
import { keys } from '@courier-fleet/store'
import { until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import type { Outcome } from '../../src/courier.ts'
import { fakeCourier } from './fake-courier.ts'
import { createFixture, type Fixture } from './fixture.ts'

const sent: Outcome = { kind: 'sent', providerId: 'x' }
const never = () => new Promise<Outcome>(() => {})

describe('engine: when something goes wrong', () => {
  let fixture: Fixture
  beforeEach(async () => {
    fixture = await createFixture()
  })
  afterEach(() => fixture.stop())

  const states = async (ref: HistoryRef, channel = 'vk') => {
    const rows = await fixture.receipts(ref)
    return rows.map(({ channels }) => channels[channel]?.state)
  }
  const balanced = async (ref: HistoryRef) => (await fixture.histories.recount(ref)).every((line) => line.balanced)

  it('a process that hangs in the middle is taken over; a channel that folds resends sends again under the same keys', async () => {
    const frozen = fakeCourier({ answer: never })
    await fixture.run(frozen, { leaseMs: 1e9, consumer: 'frozen' })
    const ref = await fixture.put(await fixture.people(4))
    await until(() => frozen.handed.length === 4, 'the first process has sent')

    const second = fakeCourier()
    await fixture.run(second, { leaseMs: 300 })
    const history = await fixture.settled(ref)
    expect(history.channels.vk).to.include({ sent: 4, unknown: 0 })
    expect(second.handed.map(({ key }) => key)).to.deep.equal(frozen.handed.map(({ key }) => key))
    expect(new Set(second.handed.map(({ key }) => key)).size).to.equal(4)
  })

  it('on a channel that cannot fold resends the same recipients become unknown, and nobody is sent to again', async () => {
    const frozen = fakeCourier({ answer: never, foldsResends: false, batchSize: 3, concurrency: 1 })
    await fixture.run(frozen, { leaseMs: 1e9, consumer: 'frozen' })
    const ref = await fixture.put(await fixture.people(8))
    await until(() => frozen.handed.length === 3, 'the first batch is with the provider')

    const second = fakeCourier({ foldsResends: false, batchSize: 3 })
    await fixture.run(second, { leaseMs: 300 })
    const history = await fixture.settled(ref)
    expect(history.channels.vk).to.include({ unknown: 3, sent: 5 })
    const twice = second.handed.filter(({ address }) => frozen.handed.some((item) => item.address === address))
    expect(twice).to.have.length(0)
    expect(await balanced(ref)).to.equal(true)
  })

  it('a process that wakes up after its claim was taken over records nothing', async () => {
    let wakeUp = (_outcome: Outcome) => {}
    const frozen = fakeCourier({ answer: () => new Promise<Outcome>((resolve) => (wakeUp = resolve)) })
    const runner = await fixture.run(frozen, { leaseMs: 1e9, consumer: 'frozen' })
    const ref = await fixture.put(await fixture.people(1))
    await until(() => frozen.handed.length === 1, 'the first process has sent')
    await fixture.run(fakeCourier(), { leaseMs: 300 })
    await fixture.settled(ref)

    wakeUp({ kind: 'rejected', class: 'refused', detail: 'STALE: must not be recorded' })
    await until(() => runner.inFlight() === 0, 'the frozen send job has ended')
    expect(await states(ref)).to.deep.equal(['sent'])
    expect(await balanced(ref)).to.equal(true)
  })

  it('throttled recipients wait last, and get it in the end', async () => {
    const order: string[] = []
    let firstTry = true
    const courier = fakeCourier({
      batchSize: 2,
      answer: ({ address }) => {
        order.push(address)
        if (address !== '1001' || !firstTry) return sent
        firstTry = false
        return { kind: 'throttled', retryAfterMs: 50, scope: 'recipient', reason: 'too fast for this chat' }
      },
    })
    await fixture.run(courier)
    const history = await fixture.settled(await fixture.put(await fixture.people(2)))
    expect(history.channels.vk?.sent).to.equal(2)
    expect(order).to.deep.equal(['1001', '1002', '1001'])
  })

  it('a long wait becomes a later wave, only for those who wait', async () => {
    let refusals = 1
    const courier = fakeCourier({
      answer: ({ address }) => {
        if (address !== '1002' || refusals === 0) return sent
        refusals -= 1
        return { kind: 'throttled', retryAfterMs: 60_000, scope: 'recipient', reason: 'come back in a minute' }
      },
    })
    await fixture.run(courier)
    const begunMs = Date.now()
    const ref = await fixture.put(await fixture.people(3))
    await until(() => courier.handed.length === 3, 'everyone was tried')
    const due = keys.due(ref.shard)
    await until(async () => (await fixture.redis.zcard(due)) > 0, 'somebody waits')
    const [member, at] = (await fixture.redis.zrange(due, '0', '0', 'WITHSCORES')) as [string, string]
    expect(Number(at)).to.be.within(begunMs + 60_000, Date.now() + 61_000)
    expect(await states(ref)).to.deep.equal(['sent', 'pending', 'sent'])

    await fixture.redis.zadd(due, Date.now(), member) // a minute passes
    const history = await fixture.settled(ref)
    expect(history.channels.vk).to.include({ sent: 3 })
    expect(courier.handed.map(({ address }) => address)).to.deep.equal(['1001', '1002', '1003', '1002'])
  })

  it('an account-wide wait holds up every process of the account', async () => {
    const throttled = { kind: 'throttled', retryAfterMs: 1_500, scope: 'account', reason: 'FLOOD' } as const
    let first = true
    const handedAt: number[] = []
    let letOtherGo = () => {}
    const other = new Promise<Outcome>((resolve) => (letOtherGo = () => resolve(sent)))
    const answer = () => {
      handedAt.push(Date.now())
      if (handedAt.length === 2) return other
      if (!first) return sent
      first = false
      return throttled
    }
    await fixture.run(fakeCourier({ batchSize: 1, concurrency: 1, answer }))
    await fixture.run(fakeCourier({ batchSize: 1, concurrency: 1, answer }))
    const ref = await fixture.put(await fixture.people(6))
    const pause = keys.pause('vk', 'fake')
    const endMs = () => (handedAt[0] ?? Number.POSITIVE_INFINITY) + throttled.retryAfterMs
    await until(
      async () => (await fixture.redis.exists(pause)) === 1 || Date.now() > endMs(),
      'the account is paused, or was',
    )
    await until(() => handedAt.length >= 2, 'the other process is at work')
    // what it knows of the account's pauses is too old by then
    await new Promise((resolve) => setTimeout(resolve, 150))
    letOtherGo()
    expect((await fixture.settled(ref)).channels.vk?.sent).to.equal(6)
    // a timer may be a millisecond early
    for (const at of handedAt.slice(2)) expect(at).to.be.at.least(endMs() - 5)
  })

  it('a contact the provider refuses for good is marked, tried no more, and usable after re-linking', async () => {
    const courier = fakeCourier({
      answer: () => ({ kind: 'rejected', class: 'blocked', detail: "901: can't send to this user" }),
    })
    await fixture.run(courier)
    const people = await fixture.people(1)
    const first = await fixture.settled(await fixture.put(people))
    expect(first.channels.vk?.failed).to.equal(1)
    expect((await fixture.directory.contactsOf('vk', people))[0]).to.include({ state: 'blocked' })

    const ref = await fixture.put(people)
    await fixture.settled(ref)
    expect(courier.handed).to.have.length(1)
    const rows = await fixture.receipts(ref)
    expect(rows[0]?.channels.vk).to.include({
      state: 'failed',
      reason: 'blocked',
      detail: "901: can't send to this user",
    })

    await fixture.directory.linkContact('vk', people[0] as string, '2001')
    await fixture.settled(await fixture.put(people))
    expect(courier.handed.map(({ address }) => address)).to.deep.equal(['1001', '2001'])
  })

  it('a cancelled message starts for nobody', async () => {
    const courier = fakeCourier()
    await fixture.run(courier)
    const ref = await fixture.put(await fixture.people(2), { dueMs: Date.now() + 3_600_000 })
    expect(await fixture.histories.cancel(ref, 'dean')).to.equal('cancelled')
    const due = keys.due(ref.shard)
    expect(await fixture.redis.zcard(due), 'nothing of it falls due').to.equal(0)
    // not even where something of it were left
    await fixture.redis.zadd(due, Date.now(), `${memberOf(ref)}:0`)
    await until(async () => (await fixture.redis.zcard(due)) === 0, 'it was found to be due')
    await fixture.settled(await fixture.put(await fixture.people(1)))
    expect(courier.handed).to.have.length(1)
    expect((await fixture.get(ref)).state).to.equal('cancelled')
  })

  it('a message cancelled while it runs stops after the batch in flight, and says who got it', async () => {
    let release = () => {}
    const gate = new Promise<void>((resolve) => (release = resolve))
    const courier = fakeCourier({
      batchSize: 5,
      concurrency: 1,
      answer: async () => {
        await gate
        return sent
      },
    })
    await fixture.run(courier)
    const ref = await fixture.put(await fixture.people(20))
    await until(() => courier.handed.length === 5, 'the first batch is in flight')
    expect(await fixture.histories.cancel(ref, 'dean')).to.equal('stopping')
    release()
    const history = await fixture.settled(ref)
    expect(history.channels.vk).to.include({ sent: 5, cancelled: 15, pending: 0 })
    expect(await balanced(ref)).to.equal(true)
  })

  it('of whoever may have it nobody says that it was cancelled, though a later try was put off', async () => {
    const lost: Outcome = { kind: 'unknown', why: 'the answer was lost' }
    const throttled: Outcome = { kind: 'throttled', retryAfterMs: 60_000, scope: 'recipient', reason: 'slow down' }
    let tries = 0
    const courier = fakeCourier({ answer: () => (++tries === 1 ? lost : throttled) })
    await fixture.run(courier)
    const ref = await fixture.put(await fixture.people(1))
    await until(async () => (await fixture.get(ref)).waiting?.[0]?.people === 1, 'they wait for a later try')

    await fixture.histories.cancel(ref, 'dean')
    const [member] = (await fixture.redis.zrange(keys.due(ref.shard), '0', '0')) as [string]
    await fixture.redis.zadd(keys.due(ref.shard), Date.now(), member) // a minute passes
    const history = await fixture.settled(ref)
    expect(history.channels.vk).to.include({ unknown: 1, cancelled: 0 })
    expect(courier.handed).to.have.length(2)
    expect(await balanced(ref)).to.equal(true)
  })

  it('a message cancelled during a long pause of the account settles at once, and does not wait for its end', async () => {
    const throttled: Outcome = { kind: 'throttled', retryAfterMs: 3_600_000, scope: 'account', reason: 'FLOOD' }
    await fixture.run(fakeCourier({ batchSize: 2, concurrency: 1, answer: () => throttled }))
    const ref = await fixture.put(await fixture.people(6))
    // in one wave or two: their waits are rounded up to a second
    const waiting = async () => ((await fixture.get(ref)).waiting ?? []).reduce((sum, { people }) => sum + people, 0)
    await until(async () => (await waiting()) === 6, 'all wait')
    await fixture.histories.cancel(ref, 'dean')
    const history = await fixture.settled(ref)
    expect(history.channels.vk).to.include({ cancelled: 6, sent: 0, pending: 0 })
    expect(await balanced(ref)).to.equal(true)
  })

  it('goes on after its Redis was emptied under it', async () => {
    const courier = fakeCourier()
    await fixture.run(courier)
    await fixture.redis.flushdb()
    await fixture.settled(await fixture.put(await fixture.people(1)))
    expect(courier.handed).to.have.length(1)
  })

  it('a message that has expired is not sent, and says so', async () => {
    const courier = fakeCourier()
    const ref = await fixture.put(await fixture.people(2), { expiresMs: Date.now() + 50 })
    while (Date.now() < Date.parse((await fixture.get(ref)).expires as string))
      await new Promise((r) => setTimeout(r, 10))
    await fixture.run(courier)
    const history = await fixture.settled(ref)
    expect(history.channels.vk).to.include({ expired: 2, sent: 0 })
    expect(courier.handed).to.have.length(0)
  })

  it('a process that is stopped hands back what it has not sent, at once', async () => {
    let release = () => {}
    const gate = new Promise<void>((resolve) => (release = resolve))
    const first = fakeCourier({
      batchSize: 5,
      concurrency: 1,
      foldsResends: false,
      answer: async () => {
        await gate
        return sent
      },
    })
    const runner = await fixture.run(first, { leaseMs: 1e9 })
    const ref = await fixture.put(await fixture.people(20))
    await until(() => first.handed.length === 5, 'the first batch is in flight')
    const stopped = runner.stop(60_000)
    release()
    await stopped
    const second = fakeCourier({ batchSize: 5, foldsResends: false })
    await fixture.run(second, { leaseMs: 1e9 })
    const history = await fixture.settled(ref)
    expect(history.channels.vk).to.include({ sent: 20, unknown: 0 })
    expect(second.handed).to.have.length(15)
  })
})
