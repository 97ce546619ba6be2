/** Endpoints that do not take a message: it waits for a later wave, and is told as it is once it has expired. */
import type { HistoryRef } from '@courier-fleet/api-types'
import { type Durability, keys, masterOnly } from '@courier-fleet/store'
import { until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import type { Item, Outcome } from '../../src/courier.ts'
import { createDeliveryReports } from '../../src/engine/delivery-reports.ts'
import { fakeCourier } from './fake-courier.ts'
import { createFixture, type Fixture } from './fixture.ts'

const sent: Outcome = { kind: 'sent', providerId: '7' }
const refused = (retryAfterMs: number): Outcome => ({
  kind: 'not-taken',
  retryAfterMs,
  detail: '503: try later',
  wasAsked: true,
})

describe('engine: endpoints that do not take a message', () => {
  let fixture: Fixture
  beforeEach(async () => {
    fixture = await createFixture()
  })
  afterEach(() => fixture.stop())

  const run = (answer: (item: Item) => Outcome | Promise<Outcome>) =>
    fixture.run(fakeCourier({ window: 10, foldsResends: true, answer }))
  const waitsOf = async (ref: HistoryRef) => (await fixture.get(ref)).waiting ?? []
  const receiptOf = async (ref: HistoryRef, at = 0) => (await fixture.receipts(ref))[at]?.channels.vk

  it('are tried again in a later wave, which holds up nobody else, and are told how often they were asked', async () => {
    const [slow, ...others] = await fixture.people(5)
    const tries: (number | undefined)[] = []
    await run(({ address, triesBefore = 0 }) => {
      if (address !== '1001') return sent
      tries.push(triesBefore)
      return tries.length < 3 ? refused(3_600_000) : sent
    })
    const ref = await fixture.put([slow as string, ...others])
    await until(async () => (await waitsOf(ref)).length > 0, 'one waits')
    expect((await waitsOf(ref))[0]).to.include({ people: 1, cause: 'not-taken', channel: 'vk' })
    const told = await fixture.put(others)
    await fixture.settled(told)
    expect((await fixture.get(ref)).channels.vk).to.include({ sent: 4 })
    expect(await receiptOf(ref), 'what it said last').to.deep.include({ state: 'pending', detail: '503: try later' })
    await fixture.fallDue(ref)
    await until(async () => tries.length === 2 && (await waitsOf(ref)).length > 0, 'it waits again')
    await fixture.fallDue(ref)
    await fixture.settled(ref)
    expect(tries).to.deep.equal([0, 1, 2])
    expect(await receiptOf(ref)).to.deep.include({ state: 'sent', providerId: '7' })
  })

  it('that were left alone have not been asked once more', async () => {
    const tries: (number | undefined)[] = []
    await run(({ triesBefore = 0 }) => {
      tries.push(triesBefore)
      return tries.length < 3 ? { kind: 'not-taken', retryAfterMs: 1, detail: 'left alone', wasAsked: false } : sent
    })
    await fixture.settled(await fixture.put(await fixture.people(1)))
    expect(tries).to.deep.equal([0, 0, 0])
  })

  for (const isCancelled of [true, false])
    it(`leave in doubt whom they may have taken it for, while no replica has the mark of the next try; then ${isCancelled ? 'it is cancelled' : 'they are asked'}`, async () => {
      let isAway = false
      let unconfirmed = 0
      const durability: Durability = {
        ...masterOnly,
        level: 'replica',
        async confirm() {
          if (!isAway) return
          unconfirmed += 1
          throw new Error('no replica answers')
        },
      }
      const answers: Outcome[] = [{ kind: 'unknown', why: 'no answer', providerId: 'b', retryAfterMs: 3_600_000 }]
      const courier = fakeCourier({ window: 10, answer: () => answers.shift() ?? sent })
      await fixture.run(courier, { durability })
      const ref = await fixture.put(await fixture.people(1))
      await until(async () => (await waitsOf(ref)).length > 0, 'it waits')
      isAway = true
      await fixture.fallDue(ref)
      await until(() => unconfirmed >= 2, 'its mark is made once more, and no replica has it')
      expect(await fixture.redis.getrange(keys.receipts(ref, 'vk'), 0, 0)).to.equal('a')
      expect(courier.handed).to.have.length(1)
      if (isCancelled) await fixture.histories.cancel(ref, 'dean')
      isAway = false
      const { channels } = await fixture.settled(ref)
      expect(channels.vk).to.include(isCancelled ? { unknown: 1, cancelled: 0 } : { sent: 1 })
      expect(courier.handed).to.have.length(isCancelled ? 1 : 2)
    })

  it('have failed once the message has expired, with what they said last; whom nobody answered is unknown', async () => {
    await run(({ address }) =>
      address === '1001'
        ? refused(3_600_000)
        : { kind: 'unknown', why: 'no answer', providerId: 'b', retryAfterMs: 3_600_000 },
    )
    const ref = await fixture.put(await fixture.people(2), { expiresMs: Date.now() + 7_200_000 })
    const waiting = async () => (await waitsOf(ref)).reduce((sum, each) => sum + each.people, 0)
    await until(async () => (await waiting()) === 2, 'both wait')
    await fixture.hasExpired(ref)
    await fixture.fallDue(ref)
    const { channels, people } = await fixture.settled(ref)
    expect(channels.vk).to.include({ failed: 1, unknown: 1, expired: 0 })
    expect(await receiptOf(ref)).to.deep.include({ state: 'failed', reason: 'not-taken', detail: '503: try later' })
    expect(await receiptOf(ref, 1)).to.deep.include({ state: 'unknown', reason: 'no-answer' })
    expect(people?.why).to.deep.equal({ 'not-taken': 1 })
  })

  it('whose answer comes after the job has let go of them are sent to once', async () => {
    let asked = 0
    await run(() => {
      asked += 1
      return { kind: 'unknown', why: 'still under way', providerId: 'late', retryAfterMs: 3_600_000 }
    })
    const ref = await fixture.put(await fixture.people(1))
    await until(async () => (await waitsOf(ref)).length > 0, 'it waits')
    expect(await fixture.redis.exists(keys.providerId(0, 'vk', 'late'))).to.equal(1)
    const reports = createDeliveryReports({ redis: fixture.redis, channel: 'vk' })
    const answered = { providerId: 'late', reportId: 'late' }
    await reports.receive({ providerIds: ['late'], state: 'sent', answered })
    expect(await receiptOf(ref)).to.deep.include({ state: 'sent', providerId: 'late' })
    await fixture.fallDue(ref)
    await fixture.settled(ref)
    expect(asked).to.equal(1)
  })
})
