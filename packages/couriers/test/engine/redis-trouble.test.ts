import { bucketOf, keys } from '@courier-fleet/store'
import { type RedisGate, redisGate, until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import type { Outcome } from '../../src/courier.ts'
import type { Runner } from '../../src/engine/runner.ts'
import { fakeCourier } from './fake-courier.ts'
import { createFixture, type Fixture } from './fixture.ts'

const sent: Outcome = { kind: 'sent', providerId: '7' }
/** so long that nobody takes over anything in a test */
const leaseMs = 1e9

describe('engine: when Redis is in trouble', () => {
  let fixture: Fixture
  let gate: RedisGate
  beforeEach(async () => {
    fixture = await createFixture()
    gate = await redisGate(fixture.url)
  })
  afterEach(async () => {
    await fixture.stop()
    await gate.close()
  })

  for (const [how, goAway, comeBack] of [
    ['refused', () => gate.refuse(), () => gate.restore()],
    ['silent', async () => gate.silence(), async () => gate.abandon()],
  ] as const) {
    it(`${how} before the answers are in: they are kept and recorded when it is back, none becomes unknown`, async () => {
      let answer = (_outcome: Outcome) => {}
      const gated = new Promise<Outcome>((resolve) => {
        answer = resolve
      })
      let tries = 0
      const courier = fakeCourier({
        channel: 'sms',
        foldsResends: false,
        answer: async ({ address }) => {
          if (!address.endsWith('1001')) return gated
          tries += 1
          // holds up the account and condemns nobody: told to Redis before the answers are
          return tries > 1 ? sent : { kind: 'throttled', retryAfterMs: 50, scope: 'account', reason: 'slow down' }
        },
      })
      const runner = await fixture.run(courier, { leaseMs, url: gate.url })
      const ref = await fixture.put(await fixture.people(5, 'sms'))
      await until(() => courier.handed.length === 5, 'all are handed over')
      await goAway()
      answer(sent)
      await until(() => gate.accepted() > 2 || how === 'refused', 'the silence was noticed')
      expect(runner.inFlight()).to.equal(1)
      await comeBack()
      const { channels } = await fixture.settled(ref)
      expect(channels.sms).to.include({ sent: 5, unknown: 0 })
      expect(courier.handed).to.have.length(6)
    })
  }

  it('refusing what has to be written beside the answers: it is tried again, and the answers are not dropped', async () => {
    const people = await fixture.people(2, 'sms')
    const contacts = keys.contacts(bucketOf(people[0] as string), 'sms')
    const wrongTypes = async () =>
      Number(/errorstat_WRONGTYPE:count=(\d+)/.exec(await fixture.redis.info('errorstats'))?.[1] ?? 0)
    const before = await wrongTypes()
    const courier = fakeCourier({
      channel: 'sms',
      foldsResends: false,
      answer: async ({ address }) => {
        if (!address.endsWith('1001')) return sent
        await fixture.redis.multi().rename(contacts, 'aside').set(contacts, 'of the wrong type').exec()
        return { kind: 'rejected', class: 'invalid', detail: '11: no such number' }
      },
    })
    await fixture.run(courier, { leaseMs })
    const ref = await fixture.put(people)
    await until(async () => (await wrongTypes()) > before, 'it could not be written')
    await fixture.redis.rename('aside', contacts)
    const { channels } = await fixture.settled(ref)
    expect(channels.sms).to.include({ sent: 1, failed: 1, unknown: 0 })
    expect(courier.handed).to.have.length(2)
  })

  it('takes up again, without waiting for its own lease, what it claimed by a read whose reply was lost', async () => {
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    const courier = fakeCourier({ batchSize: 1, concurrency: 1, answer: () => held.then(() => sent) })
    await fixture.run(courier, { leaseMs, consumer: 'one', url: gate.url })
    const [first, second] = (await fixture.people(2)) as [string, string]
    const before = await fixture.put([first])
    await until(() => courier.handed.length === 1, 'it is busy, and reads nothing')

    // another channel wakes the second message; its entry is read in the busy one's name
    await fixture.run(fakeCourier({ channel: 'other' }), { leaseMs })
    const lost = await fixture.put([second])
    const work = keys.work(lost.shard, 'vk', 'normal')
    const read = () => fixture.redis.xreadgroup('GROUP', 'vk', 'one', 'COUNT', 1, 'STREAMS', work, '>')
    while ((await read()) === null);
    release()
    await fixture.settled(before)
    gate.cut()
    const { channels } = await fixture.settled(lost)
    expect(channels.vk?.sent).to.equal(1)
    expect(courier.handed).to.have.length(2)
  })

  it('a process that was frozen, and taken over, still says what the provider has accepted', async () => {
    let wakeUp = (_outcome: Outcome) => {}
    const frozen = fakeCourier({
      channel: 'sms',
      foldsResends: false,
      answer: ({ address }) =>
        address.endsWith('1001')
          ? new Promise<Outcome>((resolve) => {
              wakeUp = resolve
            })
          : { kind: 'rejected', class: 'refused', detail: 'STALE: must not be recorded' },
    })
    const runner = await fixture.run(frozen, { leaseMs, consumer: 'frozen' })
    const ref = await fixture.put(await fixture.people(2, 'sms'))
    await until(() => frozen.handed.length === 2, 'the first process has sent')
    await fixture.run(fakeCourier({ channel: 'sms', foldsResends: false }), { leaseMs: 300 })
    expect((await fixture.settled(ref)).channels.sms?.unknown).to.equal(2)

    wakeUp(sent)
    await until(() => runner.inFlight() === 0, 'the frozen send job has ended')
    const rows = await fixture.receipts(ref)
    expect(rows[0]?.channels.sms).to.include({ state: 'sent', providerId: '7' })
    expect(rows[1]?.channels.sms?.state).to.equal('unknown')
    expect((await fixture.histories.recount(ref)).every((line) => line.balanced)).to.equal(true)
  })

  it('stops at once when it holds nothing, and gives up in time when it does', async () => {
    const idle = await fixture.run(fakeCourier(), { leaseMs, url: gate.url })
    let answer = (_outcome: Outcome) => {}
    const sending = fakeCourier({
      channel: 'sms',
      answer: () =>
        new Promise<Outcome>((resolve) => {
          answer = resolve
        }),
    })
    const holding = await fixture.run(sending, { leaseMs, url: gate.url })
    await fixture.put(await fixture.people(1, 'sms'), { channels: ['sms'] })
    await until(() => sending.handed.length === 1, 'it is sending')
    await gate.refuse()
    answer(sent)
    const msToStop = async (runner: Runner, withinMs: number) => {
      const started = performance.now()
      await runner.stop(withinMs)
      return performance.now() - started
    }
    expect(await msToStop(holding, 1500), 'holding').to.be.within(1500, 20_000)
    // by now it has begun to look what is due, and will not be answered
    expect(await msToStop(idle, 60_000), 'idle').to.be.below(30_000)
    await gate.restore()
  })
})
