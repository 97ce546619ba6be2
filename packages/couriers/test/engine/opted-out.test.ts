import { classes, typeOf } from '@courier-fleet/api-types'
import { writeSettings } from '@courier-fleet/store'
import { until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import type { Outcome } from '../../src/courier.ts'
import { type FakeCourier, fakeCourier } from './fake-courier.ts'
import { createFixture, type Fixture } from './fixture.ts'

describe('engine: people who said STOP', () => {
  let fixture: Fixture
  beforeEach(async () => {
    fixture = await createFixture()
  })
  afterEach(() => fixture.stop())

  it('are not written to, and named with the reason, until they say START', async () => {
    const courier = fakeCourier()
    await fixture.run(courier)
    const people = await fixture.people(2)
    await fixture.directory.setConsent('vk', 'p00000', false)
    // a report that comes late must not undo it
    const refusal = { state: 'blocked', reason: '901: blocked', agoMs: () => 0 } as const
    await fixture.directory.markContact('vk', 'p00000', '1001', refusal)

    const ref = await fixture.put(people)
    const history = await fixture.settled(ref)
    expect(history.channels.vk).to.include({ sent: 1, suppressed: 1, failed: 0, 'no-contact': 0 })
    expect(history.people).to.deep.include({
      sentToChat: 1,
      notDelivered: 1,
      withoutContact: 0,
      why: { 'opted-out': 1 },
    })
    const rows = await fixture.receipts(ref)
    expect(rows[0]?.channels.vk).to.include({ state: 'suppressed', reason: 'opted-out' })
    const recounted = await fixture.histories.recount(ref)
    expect(recounted.every(({ balanced }) => balanced)).to.equal(true)

    await fixture.directory.setConsent('vk', 'p00000', true)
    expect((await fixture.settled(await fixture.put(people))).channels.vk).to.include({ sent: 2, suppressed: 0 })
    expect(courier.handed.map(({ address }) => address)).to.deep.equal(['1002', '1001', '1002'])
  })
})

describe('engine: people who have not agreed', () => {
  let fixture: Fixture
  beforeEach(async () => {
    fixture = await createFixture()
  })
  afterEach(() => fixture.stop())

  it('are not written to where the fleet needs it, from the next decision on; codes that were asked for come all the same', async () => {
    const courier = fakeCourier()
    await fixture.run(courier)
    const people = await fixture.people(3)
    await fixture.directory.setConsent('vk', 'p00001', true, { agreed: { by: 'start' } })
    let version = 0
    const set = async (consent: 'required' | 'import-is-enough') => {
      version = (await writeSettings(fixture.redis, { expected: version, stored: { consent }, by: 'test' })) ?? -1
      await fixture.settingsAreKnown()
    }
    expect((await fixture.settled(await fixture.put(people))).channels.vk).to.include({ sent: 3 })
    await set('required')
    const ref = await fixture.put(people)
    const history = await fixture.settled(ref)
    expect(history.channels.vk).to.include({ sent: 1, suppressed: 2 })
    expect(history.people?.why).to.deep.equal({ 'no-consent': 2 })
    expect((await fixture.receipts(ref))[0]?.channels.vk).to.include({ state: 'suppressed', reason: 'no-consent' })
    expect((await fixture.histories.recount(ref)).every(({ balanced }) => balanced)).to.equal(true)
    const service = await fixture.settled(await fixture.put(people, { rules: { type: 'service' } }))
    expect(service.channels.vk).to.include({ sent: 3 })
    await set('import-is-enough')
    expect((await fixture.settled(await fixture.put(people))).channels.vk).to.include({ sent: 3 })
  })
})

describe('engine: people who have switched a type off', () => {
  const news = { rules: { type: 'news' } }
  const addressOf = (index: number) => String(1001 + index)
  let fixture: Fixture
  beforeEach(async () => {
    fixture = await createFixture()
    const types = [
      { ...typeOf([], 'news'), number: 2 },
      { ...typeOf([], 'rector'), number: 3, optOut: 'mandatory' as const },
    ]
    await writeSettings(fixture.redis, { expected: 0, by: 'operator-1', stored: { types } })
  })
  afterEach(() => fixture.stop())

  const switchOff = (person: string, ...off: string[]) => fixture.directory.changeWishes(person, () => ({ off }))
  const balanced = async (ref: Awaited<ReturnType<Fixture['put']>>) =>
    expect((await fixture.histories.recount(ref)).every((each) => each.balanced)).to.equal(true)

  it('get every other message, urgent or not, and those that are mandatory', async () => {
    const courier = fakeCourier()
    await fixture.run(courier)
    const [everywhere, here, stopped, nothing] = (await fixture.people(4)) as [string, string, string, string]
    await switchOff(everywhere, 'news', 'rector')
    await switchOff(here, 'news:vk', 'rector:vk', 'general:sms')
    await fixture.directory.setConsent('vk', stopped, false)
    const people = [everywhere, here, stopped, nothing]
    for (const cls of classes)
      for (const type of ['general', 'news', 'rector']) {
        const ref = await fixture.put(people, { class: cls, ...(type === 'general' ? {} : { rules: { type } }) })
        await fixture.settled(ref)
        const fates = (await fixture.receipts(ref)).map(({ channels: { vk } }) => vk?.reason ?? vk?.state)
        const own = type === 'news' ? 'type-off' : 'sent'
        expect(fates, `${cls} ${type}`).to.deep.equal([own, own, 'opted-out', 'sent'])
        await balanced(ref)
      }
  })

  it('every tenth of 2500, with two processes at work: exactly they get nothing, nobody else is missed or told twice', async () => {
    // neither goes on before the other has a batch, too
    const sent = { kind: 'sent', providerId: 'x' } as const
    const answer = () => until(() => couriers.every(({ handed }) => handed.length > 0) && sent, 'both are at work')
    const couriers: FakeCourier[] = [1, 2].map(() => fakeCourier({ batchSize: 100, answer }))
    for (const courier of couriers) await fixture.run(courier)
    const people = await fixture.people(2500)
    const off = people.filter((_person, index) => index % 10 === 0)
    await Promise.all(off.map((person) => switchOff(person, 'news')))
    const ref = await fixture.put(people, news)
    const history = await fixture.settled(ref)
    expect(history.channels.vk).to.include({ sent: 2250, suppressed: 250 })
    expect(history.people).to.deep.include({ notDelivered: 250, why: { 'type-off': 250 } })
    const handed = couriers.flatMap((courier) => courier.handed.map(({ address }) => Number(address) - 1001))
    expect(handed.sort((a, b) => a - b)).to.deep.equal([...people.keys()].filter((index) => index % 10 !== 0))
    await balanced(ref)
  })

  it('before it is due: it is the moment of sending that counts, not of accepting', async () => {
    const people = await fixture.people(2)
    const ref = await fixture.put(people, news)
    await switchOff(people[0] as string, 'news')
    await fixture.run(fakeCourier())
    expect((await fixture.settled(ref)).channels.vk).to.include({ sent: 1, suppressed: 1 })
  })

  it('while they wait for a later wave', async () => {
    const throttled: Outcome = { kind: 'throttled', retryAfterMs: 3_600_000, scope: 'recipient', reason: 'slow down' }
    const courier = fakeCourier({
      answer: ({ address }) => (address === addressOf(0) ? throttled : { kind: 'sent', providerId: address }),
    })
    await fixture.run(courier)
    const people = await fixture.people(2)
    const ref = await fixture.put(people, news)
    await until(async () => ((await fixture.get(ref)).waiting ?? []).length === 1, 'one of them waits')
    await switchOff(people[0] as string, 'news')
    const tries = courier.handed.length
    await fixture.fallDue(ref)
    expect((await fixture.settled(ref)).channels.vk).to.include({ sent: 1, suppressed: 1 })
    expect(courier.handed).to.have.length(tries)
  })

  it('once they are marked: that batch goes out, and the next one does not', async () => {
    let answer = () => {}
    const held = new Promise<void>((resolve) => {
      answer = resolve
    })
    const courier = fakeCourier({
      batchSize: 2,
      concurrency: 1,
      answer: async ({ address }) => {
        if (address === addressOf(0)) await held
        return { kind: 'sent', providerId: address }
      },
    })
    await fixture.run(courier)
    const people = await fixture.people(6)
    const ref = await fixture.put(people, news)
    await until(() => courier.handed.length > 0, 'the first batch is under way')
    const marked = courier.handed.length
    await Promise.all(people.map((person) => switchOff(person, 'news')))
    answer()
    expect((await fixture.settled(ref)).channels.vk).to.include({ sent: marked, suppressed: 6 - marked })
    expect(courier.handed).to.have.length(marked)
    await balanced(ref)
  })

  it('and was marked by a process that died: they may have it, and are resolved as everybody who is marked', async () => {
    const frozen = fakeCourier({ answer: () => new Promise<Outcome>(() => {}) })
    await fixture.run(frozen, { leaseMs: 1e9, consumer: 'frozen' })
    const people = await fixture.people(1)
    const ref = await fixture.put(people, news)
    await until(() => frozen.handed.length === 1, 'it is under way')
    await switchOff(people[0] as string, 'news')
    const second = fakeCourier()
    await fixture.run(second, { leaseMs: 300 })
    expect((await fixture.settled(ref)).channels.vk).to.include({ sent: 1 })
    expect(second.handed[0]?.key).to.equal(frozen.handed[0]?.key)
  })

  it('a rule that is changed while the fleet runs holds at the next decision', async () => {
    await fixture.run(fakeCourier())
    const people = await fixture.people(1)
    await switchOff(people[0] as string, 'news')
    expect((await fixture.settled(await fixture.put(people, news))).channels.vk).to.include({ suppressed: 1 })
    const types = [{ ...typeOf([], 'news'), number: 2, optOut: 'mandatory' as const }]
    await writeSettings(fixture.redis, { expected: 1, by: 'operator-1', stored: { types } })
    await until(async () => {
      const ref = await fixture.put(people, news)
      return (await fixture.settled(ref)).channels.vk?.sent === 1
    }, 'the couriers use the new version')
  })
})
