import type { HistoryRef } from '@courier-fleet/api-types'
import { keys } from '@courier-fleet/store'
import { type RedisGate, randomNumbers, redisGate, until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import type { Item, Outcome } from '../../src/courier.ts'
import { fakeCourier } from './fake-courier.ts'
import { createFixture, type Fixture } from './fixture.ts'

const sent: Outcome = { kind: 'sent', providerId: 'x' }
const attempting = 'a'.charCodeAt(0)

/** A channel that cannot fold resends, with a window a batch fills, as SMS is. */
const windowed = (window: number, answer: (item: Item) => Promise<Outcome>) =>
  fakeCourier({ batchSize: window, window, concurrency: 3, foldsResends: false, answer })

describe('engine: a window', () => {
  let fixture: Fixture
  let gate: RedisGate | undefined
  beforeEach(async () => {
    fixture = await createFixture()
  })
  afterEach(async () => {
    await fixture.stop()
    await gate?.close()
    gate = undefined
  })

  /** Recipients of these messages that a crash would leave unknown, all read at one moment. */
  async function inDoubt(refs: readonly HistoryRef[]): Promise<number> {
    const reads = fixture.redis.multi()
    for (const ref of refs) reads.getBuffer(keys.receipts(ref, 'vk'))
    const replies = (await reads.exec()) ?? []
    return replies.reduce((sum, [, bytes]) => sum + statesIn(bytes as Buffer | null).filter(isAttempting).length, 0)
  }
  /** a byte each, and then four that say when */
  const statesIn = (receipts: Buffer | null) => [...(receipts?.subarray(0, receipts.length / 5) ?? [])]
  const isAttempting = (byte: number) => byte === attempting

  for (const window of [1, 2, 10, 13])
    it(`of ${window} is never exceeded, however many send jobs there are`, async () => {
      const people = await fixture.people(40)
      const random = randomNumbers(window)
      let most = 0
      let over = false
      const refs: HistoryRef[] = []
      const courier = windowed(window, async () => {
        most = Math.max(most, await inDoubt(refs))
        await new Promise((resolve) => setTimeout(resolve, 1 + random() * 5))
        return sent
      })
      await fixture.run(courier)
      for (const audience of [people, people.slice(0, 1), people.slice(1, 8)]) refs.push(await fixture.put(audience))
      const watching = (async () => {
        while (!over) most = Math.max(most, await inDoubt(refs))
      })()
      for (const ref of refs) expect((await fixture.settled(ref)).channels.vk).to.include({ unknown: 0, pending: 0 })
      over = true
      await watching
      expect(most).to.be.within(1, window)
      expect(courier.handed).to.have.length(48)
    })

  it('is never exceeded when Redis goes away and comes back, and loses what it was told or what it said', async () => {
    const window = 4
    gate = await redisGate(fixture.url)
    const { cut, url } = gate
    let most = 0
    let over = false
    const ref = await fixture.put(await fixture.people(60))
    const courier = windowed(window, async () => {
      most = Math.max(most, await inDoubt([ref]))
      // in the middle of writes: before Redis has heard them, or after it has done them
      if (courier.handed.length % 7 === 0) cut()
      return sent
    })
    await fixture.run(courier, { leaseMs: 1e9, url })
    const watching = (async () => {
      while (!over) most = Math.max(most, await inDoubt([ref]))
    })()
    expect((await fixture.settled(ref)).channels.vk).to.include({ sent: 60, unknown: 0 })
    over = true
    await watching
    expect(most).to.be.within(1, window)
    expect(courier.handed).to.have.length(60)
    expect(gate.accepted()).to.be.above(4)
  })

  it('is refilled while somebody in it is not answered', async () => {
    let release = () => {}
    const held = new Promise<void>((resolve) => (release = resolve))
    const courier = windowed(10, async ({ address }) => {
      if (address === '1001') await held
      return sent
    })
    await fixture.run(courier)
    const ref = await fixture.put(await fixture.people(40))
    await until(() => courier.handed.length === 40, 'everybody else has gone out meanwhile')
    release()
    expect((await fixture.settled(ref)).channels.vk).to.include({ sent: 40 })
  })

  it('is all that a process leaves unknown when it dies', async () => {
    const frozen = windowed(4, () => new Promise(() => {}))
    await fixture.run(frozen, { leaseMs: 1e9, consumer: 'frozen' })
    const refs = [await fixture.put(await fixture.people(20)), await fixture.put(await fixture.people(7))]
    await until(() => frozen.handed.length === 4, 'the window is full')
    const second = windowed(4, async () => sent)
    await fixture.run(second, { leaseMs: 300 })
    let unknown = 0
    for (const ref of refs) unknown += (await fixture.settled(ref)).channels.vk?.unknown ?? 0
    expect(unknown).to.equal(4)
    expect(second.handed).to.have.length(23)
  })

  it('lets nobody in once the provider has said to slow down', async () => {
    const calledAt: number[] = []
    const slowDown: Outcome = { kind: 'throttled', retryAfterMs: 300, scope: 'account', reason: 'ESME_RTHROTTLED' }
    const courier = windowed(4, async () => (calledAt.push(performance.now()) === 1 ? slowDown : sent))
    await fixture.run(courier)
    const ref = await fixture.put(await fixture.people(30))
    expect((await fixture.settled(ref)).channels.vk).to.include({ sent: 30 })
    expect(calledAt).to.have.length(31)
    // those who were in the window before it was said, and nobody else until the pause is over
    const [first = 0] = calledAt
    expect(calledAt.filter((at) => at < first + 290)).to.have.length.within(1, 4)
  })
})
