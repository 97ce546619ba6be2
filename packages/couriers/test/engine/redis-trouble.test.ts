import { bucketOf, keys } from '@courier-fleet/store'
import { type RedisGate, redisGate, until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import type { Outcome } from '../../src/courier.ts'
import type { Runner } from '../../src/runner.ts'
import { rehearsedCourier } from './rehearsed-courier.ts'
import { type Stage, setStage } from './stage.ts'

const sent: Outcome = { kind: 'sent', providerId: '7' }
/** so long that nobody takes over anything in a test */
const leaseMs = 1e9

describe('engine: when Redis is in trouble', () => {
  let stage: Stage
  let gate: RedisGate
  beforeEach(async () => {
    stage = await setStage()
    gate = await redisGate(stage.url)
  })
  afterEach(async () => {
    await stage.stop()
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
      const courier = rehearsedCourier({
        channel: 'sms',
        foldsResends: false,
        answer: async ({ address }) => {
          if (!address.endsWith('1001')) return gated
          tries += 1
          // holds up the account and condemns nobody: told to Redis before the answers are
          return tries > 1 ? sent : { kind: 'throttled', retryAfterMs: 50, scope: 'account', reason: 'slow down' }
        },
      })
      const runner = await stage.run(courier, { leaseMs, url: gate.url })
      const ref = await stage.put(await stage.people(5, 'sms'))
      await until(() => courier.handed.length === 5, 'all are handed over')
      await goAway()
      answer(sent)
      await until(() => gate.accepted() > 2 || how === 'refused', 'the silence was noticed', 6000)
      expect(runner.inFlight()).to.equal(1)
      await comeBack()
      const { channels } = await stage.settled(ref)
      expect(channels.sms).to.include({ sent: 5, unknown: 0 })
      expect(courier.handed).to.have.length(6)
    }).timeout(20_000)
  }

  it('refusing what has to be written beside the answers: it is tried again, and the answers are not dropped', async () => {
    const people = await stage.people(2, 'sms')
    const contacts = keys.contacts(bucketOf(people[0] as string), 'sms')
    const courier = rehearsedCourier({
      channel: 'sms',
      foldsResends: false,
      answer: async ({ address }) => {
        if (!address.endsWith('1001')) return sent
        await stage.redis.rename(contacts, 'aside')
        await stage.redis.set(contacts, 'of the wrong type')
        return { kind: 'rejected', class: 'invalid', detail: '11: no such number' }
      },
    })
    await stage.run(courier, { leaseMs })
    const ref = await stage.put(people)
    await until(() => courier.handed.length === 2, 'both are handed over')
    setTimeout(() => void stage.redis.rename('aside', contacts), 400)
    const { channels } = await stage.settled(ref)
    expect(channels.sms).to.include({ sent: 1, failed: 1, unknown: 0 })
    expect(courier.handed).to.have.length(2)
  })

  it('takes up again, without waiting for its own lease, what it claimed by a read whose reply was lost', async () => {
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    const courier = rehearsedCourier({ batchSize: 1, concurrency: 1, answer: () => held.then(() => sent) })
    await stage.run(courier, { leaseMs, consumer: 'one', url: gate.url })
    const [first, second] = (await stage.people(2)) as [string, string]
    const before = await stage.put([first])
    await until(() => courier.handed.length === 1, 'it is busy, and reads nothing')

    // another channel wakes the second message; its entry is read in the busy one's name
    await stage.run(rehearsedCourier({ channel: 'other' }), { leaseMs })
    const lost = await stage.put([second])
    const orders = keys.orders(lost.shard, 'normal')
    const read = () => stage.redis.xreadgroup('GROUP', 'vk', 'one', 'COUNT', 1, 'STREAMS', orders, '>')
    while ((await read()) === null);
    release()
    await stage.settled(before)
    gate.cut()
    const { channels } = await stage.settled(lost)
    expect(channels.vk?.sent).to.equal(1)
    expect(courier.handed).to.have.length(2)
  })

  it('a process that was frozen, and taken over, still says what the provider has accepted', async () => {
    let wakeUp = (_outcome: Outcome) => {}
    const frozen = rehearsedCourier({
      channel: 'sms',
      foldsResends: false,
      answer: ({ address }) =>
        address.endsWith('1001')
          ? new Promise<Outcome>((resolve) => {
              wakeUp = resolve
            })
          : { kind: 'rejected', class: 'refused', detail: 'STALE: must not be recorded' },
    })
    const runner = await stage.run(frozen, { leaseMs, consumer: 'frozen' })
    const ref = await stage.put(await stage.people(2, 'sms'))
    await until(() => frozen.handed.length === 2, 'the first process has sent')
    await stage.run(rehearsedCourier({ channel: 'sms', foldsResends: false }), { leaseMs: 300 })
    expect((await stage.settled(ref)).channels.sms?.unknown).to.equal(2)

    wakeUp(sent)
    await until(() => runner.inFlight() === 0, 'the frozen flight has ended')
    const rows = await stage.receipts(ref)
    expect(rows[0]?.channels.sms).to.deep.equal({ state: 'sent', providerId: '7' })
    expect(rows[1]?.channels.sms?.state).to.equal('unknown')
    expect((await stage.histories.recount(ref)).every((line) => line.balanced)).to.equal(true)
  })

  it('stops at once when it holds nothing, and gives up in time when it does', async () => {
    const idle = await stage.run(rehearsedCourier(), { leaseMs, url: gate.url })
    let answer = (_outcome: Outcome) => {}
    const sending = rehearsedCourier({
      channel: 'sms',
      answer: () =>
        new Promise<Outcome>((resolve) => {
          answer = resolve
        }),
    })
    const holding = await stage.run(sending, { leaseMs, url: gate.url })
    await stage.put(await stage.people(1, 'sms'))
    await until(() => sending.handed.length === 1, 'it is sending')
    await gate.refuse()
    answer(sent)
    const msToStop = async (runner: Runner) => {
      const started = performance.now()
      await runner.stop(1500)
      return performance.now() - started
    }
    expect(await msToStop(holding), 'holding').to.be.within(1500, 4500)
    // by now it has begun to look what is due, and will not be answered
    expect(await msToStop(idle), 'idle').to.be.below(1500)
    await gate.restore()
  })
})
