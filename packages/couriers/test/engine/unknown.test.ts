import type { HistoryRef, ReceiptView } from '@courier-fleet/api-types'
import { keys, type Snapshot } from '@courier-fleet/store'
import { until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import type { Item, Outcome } from '../../src/courier.ts'
import { createDeliveryReports } from '../../src/engine/delivery-reports.ts'
import { type FakeCourier, fakeCourier } from './fake-courier.ts'
import { createFixture, type Fixture } from './fixture.ts'

const lost: Outcome = { kind: 'unknown', why: 'no answer within 15 s' }
const address = (index: number) => `+7900000${1001 + index}`

describe('engine: whoever is unknown', () => {
  let fixture: Fixture
  beforeEach(async () => {
    fixture = await createFixture()
  })
  afterEach(() => fixture.stop())

  type Answer = (item: Item, attempt: number) => Outcome | Promise<Outcome>

  /** A channel that folds no resends, and says what becomes of each attempt. */
  function sms(
    answer: Answer,
    settings: { window?: number; batchSize?: number; foldsResends?: boolean } = {},
  ): FakeCourier {
    const attempts = new Map<string, number>()
    const courier = fakeCourier({
      channel: 'sms',
      foldsResends: false,
      ...settings,
      answer(item) {
        const attempt = (attempts.get(item.address) ?? 0) + 1
        attempts.set(item.address, attempt)
        return answer(item, attempt)
      },
    })
    return Object.assign(courier, { givesReports: true })
  }
  const isAmong = (indexes: readonly number[], item: Item) => indexes.some((index) => item.address === address(index))
  const accepted = (item: Item, attempt: number): Outcome => ({
    kind: 'sent',
    providerId: `${item.address}-${attempt}`,
  })

  const snapshot = async (ref: HistoryRef) => (await fixture.histories.snapshot(ref)) as Snapshot
  const resend = async (ref: HistoryRef, people: readonly string[] | 'all' = 'all') =>
    fixture.histories.resend(await snapshot(ref), { channel: 'sms', people, by: 'anna' })
  const resolve = async (ref: HistoryRef, people: readonly string[] | 'all', outcome: 'delivered' | 'failed') =>
    fixture.histories.resolve(await snapshot(ref), { channel: 'sms', people, by: 'anna' }, outcome)
  const receipt = (rows: readonly ReceiptView[], ordinal: number) => rows[ordinal]?.channels.sms
  const balanced = async (ref: HistoryRef) =>
    expect((await fixture.histories.recount(ref)).every((each) => each.balanced)).to.equal(true)

  for (const window of [undefined, 3])
    it(`is sent to again once, where somebody decides so, and nobody else is; ${window ? 'through a window' : 'together'}`, async () => {
      const courier = sms(
        (item, attempt) => (attempt === 1 && isAmong([1, 2, 7], item) ? lost : accepted(item, attempt)),
        {
          ...(window ? { window } : {}),
        },
      )
      await fixture.run(courier)
      const ref = await fixture.put(await fixture.people(20, 'sms'))
      const before = await fixture.settled(ref)
      expect(before.channels.sms).to.include({ sent: 17, unknown: 3 })
      expect(courier.handed, 'nobody is sent to again by itself').to.have.length(20)

      expect(await resend(ref)).to.equal(3)
      expect(await resend(ref), 'the same decision again finds nobody').to.equal(0)
      const after = await fixture.settled(ref)
      expect(after.channels.sms).to.include({ state: 'settled', sent: 20, unknown: 0, pending: 0 })
      expect(
        courier.handed
          .slice(20)
          .map((item) => item.address)
          .sort(),
      ).to.deep.equal([1, 2, 7].map(address))
      expect(after.settledAt).to.not.equal(before.settledAt)
      expect(after.decisions?.map(({ at: _, ...decision }) => decision)).to.deep.equal([
        { decision: 'sent-again', channel: 'sms', by: 'anna', people: 3 },
      ])
      const rows = await fixture.receipts(ref)
      expect(receipt(rows, 1)).to.include({ state: 'sent', reason: 'sent-again', providerId: `${address(1)}-2` })
      expect(receipt(rows, 0)).to.not.have.property('reason')
      await balanced(ref)
    })

  it('stays unknown whatever refuses or loses the second attempt: the first may have arrived', async () => {
    const second: Record<string, Outcome> = {
      [address(0)]: { kind: 'rejected', class: 'invalid', detail: 'no such number' },
      [address(1)]: lost,
      [address(2)]: { kind: 'throttled', retryAfterMs: 10, scope: 'recipient', reason: 'slow down' },
    }
    const courier = sms((item, attempt) =>
      attempt === 1 ? lost : (attempt === 2 && second[item.address]) || accepted(item, attempt),
    )
    await fixture.run(courier)
    const people = await fixture.people(5, 'sms')
    const ref = await fixture.put(people)
    await fixture.settled(ref)
    await fixture.directory.unlinkContact('sms', people[3] as string)
    await fixture.directory.setConsent('sms', people[4] as string, false)

    expect(await resend(ref)).to.equal(5)
    expect((await fixture.settled(ref)).channels.sms).to.include({ unknown: 4, sent: 1, failed: 0, 'no-contact': 0 })
    const rows = await fixture.receipts(ref)
    expect(receipt(rows, 0)).to.include({ state: 'unknown', reason: 'still-unknown', detail: 'no such number' })
    expect(receipt(rows, 1)).to.include({ state: 'unknown', reason: 'still-unknown' })
    expect(receipt(rows, 2)).to.include({ state: 'sent', reason: 'sent-again' })
    for (const ordinal of [3, 4]) expect(receipt(rows, ordinal)).to.include({ state: 'unknown', reason: 'no-answer' })
    await balanced(ref)
  })

  it('is sent to as often as was decided, though the process that does it is frozen or dies', async () => {
    const first = sms((_item, attempt) => (attempt === 1 ? lost : new Promise<Outcome>(() => {})))
    await fixture.run(first, { leaseMs: 1e9, consumer: 'frozen' })
    const ref = await fixture.put(await fixture.people(3, 'sms'))
    await fixture.settled(ref)
    expect(await resend(ref)).to.equal(3)
    await until(() => first.handed.length === 6, 'the second attempt is under way')
    const second = sms(accepted)
    await fixture.run(second, { leaseMs: 300 })
    expect((await fixture.settled(ref)).channels.sms).to.include({ unknown: 3 })
    expect(second.handed).to.have.length(0)
    expect(receipt(await fixture.receipts(ref), 0)).to.include({ reason: 'still-unknown' })
    await balanced(ref)
  })

  for (const isThroughWindow of [false, true])
    it(`is not sent to again where what a dead process left is cut smaller by whoever takes it over; ${isThroughWindow ? 'through a window' : 'together'}`, async () => {
      const sizes = (size: number) => ({ batchSize: size, ...(isThroughWindow ? { window: size } : {}) })
      const dying = sms(() => new Promise<Outcome>(() => {}), sizes(10))
      await fixture.run(dying, { leaseMs: 1e9, consumer: 'dying' })
      const people = await fixture.people(10, 'sms')
      const ref = await fixture.put(people)
      await until(() => dying.handed.length === 10, 'all are being sent to')
      await fixture.directory.setConsent('sms', people[0] as string, false)
      const successor = sms(accepted, sizes(5))
      await fixture.run(successor, { leaseMs: 300 })
      expect((await fixture.settled(ref)).channels.sms).to.include({ unknown: 10, sent: 0, pending: 0 })
      expect(successor.handed).to.have.length(0)
      const rows = await fixture.receipts(ref)
      for (const ordinal of [0, 9]) expect(receipt(rows, ordinal)).to.include({ reason: 'courier-ended' })
      await balanced(ref)
    })

  it('is sent to again under the same key, where the provider folds resends', async () => {
    const people = await fixture.people(1, 'sms')
    const frozen = sms(() => new Promise<Outcome>(() => {}), { foldsResends: true })
    await fixture.run(frozen, { leaseMs: 1e9, consumer: 'frozen' })
    const ref = await fixture.put(people)
    await until(() => frozen.handed.length === 1, 'the first attempt is under way')
    await fixture.directory.unlinkContact('sms', people[0] as string)
    const other = sms(accepted, { foldsResends: true })
    await fixture.run(other, { leaseMs: 300 })
    expect((await fixture.settled(ref)).channels.sms).to.include({ unknown: 1 })
    expect(receipt(await fixture.receipts(ref), 0)).to.include({ reason: 'contact-removed' })

    await fixture.directory.linkContact('sms', people[0] as string, address(0))
    expect(await resend(ref)).to.equal(1)
    expect((await fixture.settled(ref)).channels.sms).to.include({ sent: 1 })
    expect([...frozen.handed, ...other.handed].map(({ key }) => key)).to.deep.equal(
      Array(2).fill(frozen.handed[0]?.key),
    )
  })

  it('is not sent to again once the message was cancelled or has expired; what waits for it then is unknown', async () => {
    const courier = sms(() => lost)
    const runner = await fixture.run(courier)
    const people = await fixture.people(2, 'sms')
    const [cancelled, expired] = [await fixture.put(people), await fixture.put(people)]
    for (const ref of [cancelled, expired]) await fixture.settled(ref)
    await runner.stop(500)
    expect(await resend(cancelled)).to.equal(2)
    expect((await fixture.get(cancelled)).waiting?.map(({ people, cause }) => [people, cause])).to.deep.equal([
      [2, 'sent-again'],
    ])
    expect((await fixture.get(cancelled)).state).to.equal('running')
    expect(await fixture.histories.cancel(cancelled, 'dean')).to.equal('stopping')
    expect(await resend(expired)).to.equal(2)
    await fixture.redis.hset(keys.history(expired), 'expires', Date.now())

    const other = sms(accepted)
    await fixture.run(other)
    for (const ref of [cancelled, expired]) {
      expect((await fixture.settled(ref)).channels.sms).to.include({ unknown: 2, cancelled: 0, expired: 0 })
      await balanced(ref)
    }
    expect(other.handed).to.have.length(0)
    for (const [ref, code] of [
      [cancelled, 'was-cancelled'],
      [expired, 'has-expired'],
    ] as const) {
      const error = await resend(ref).catch((reason: unknown) => reason)
      expect(error).to.include({ status: 409, code })
    }
  })

  it('is what somebody says it is who has found out, until the provider speaks of its arrival', async () => {
    await fixture.run(sms(() => lost))
    const people = await fixture.people(6, 'sms')
    const ref = await fixture.put(people)
    await fixture.settled(ref)
    expect(await resolve(ref, people.slice(0, 2), 'delivered')).to.equal(2)
    expect(await resolve(ref, people.slice(2, 5), 'failed')).to.equal(3)
    expect((await fixture.get(ref)).channels.sms).to.include({ delivered: 2, failed: 3, unknown: 1 })
    expect(receipt(await fixture.receipts(ref), 2)).to.include({
      state: 'failed',
      reason: 'told-failed',
      toldBy: 'anna',
      detail: 'no answer within 15 s',
    })

    const reports = createDeliveryReports({ redis: fixture.redis, channel: 'sms' })
    const ids = people.map((_person, ordinal) => ({ providerId: `late-${ordinal}`, ref, leg: 'sms', ordinal }))
    await reports.index(ids)
    for (const [ordinal, state] of [
      [0, 'failed'],
      [2, 'delivered'],
      [3, 'failed'],
    ] as const)
      await reports.receive({ providerIds: [`late-${ordinal}`], state })
    await reports.reportAccepted(ref, 'sms', [{ ordinal: 4, evidence: '#late-4' }])
    const rows = await fixture.receipts(ref)
    expect(receipt(rows, 0), 'who has it keeps it').to.include({ state: 'delivered', reason: 'told-delivered' })
    expect(receipt(rows, 2), 'the provider saw it arrive')
      .to.include({ state: 'delivered' })
      .and.not.have.any.keys('reason', 'toldBy')
    expect(receipt(rows, 3)).to.include({ state: 'failed', reason: 'told-failed' })
    expect(receipt(rows, 4), 'that it was taken says nothing of its arrival').to.include({ state: 'failed' })

    // what a person has told, a person may correct; what a provider has, nobody
    expect(await resolve(ref, people.slice(0, 4), 'failed')).to.equal(2)
    expect((await fixture.get(ref)).channels.sms).to.include({ delivered: 1, failed: 4, unknown: 1 })
    expect(await resolve(ref, 'all', 'delivered'), 'all: those who are unknown').to.equal(1)
    await balanced(ref)
  })

  it('is named rightly, or the call is refused', async () => {
    await fixture.run(sms(() => lost))
    const ref = await fixture.put((await fixture.people(3, 'sms')).slice(1))
    await fixture.settled(ref)
    for (const [who, code] of [
      ['p00000', 'not-in-audience'],
      ['zz', 'not-in-audience'],
    ] as const) {
      const error = await resolve(ref, [who], 'failed').catch((reason: unknown) => reason)
      expect(error).to.include({ status: 422, code })
    }
    const wrong = fixture.histories.resend(await snapshot(ref), { channel: 'vk', people: 'all', by: 'anna' })
    expect(await wrong.catch((reason: unknown) => reason)).to.include({ status: 422, code: 'unknown-channel' })
  })
})
