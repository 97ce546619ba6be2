/** Somebody with two phones, in whole processes on a real Redis: what else may happen to a message meets the next contact. */
import type { FleetSettingsInput, HistoryRef, MessageSteps } from '@courier-fleet/api-types'
import { budgetKey, type Snapshot, writeSettings } from '@courier-fleet/store'
import { until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import type { Item, Outcome } from '../../src/courier.ts'
import { createDeliveryReports } from '../../src/engine/delivery-reports.ts'
import { type FakeCourier, fakeCourier } from './fake-courier.ts'
import { createFixture, type Fixture } from './fixture.ts'

const [first, second] = ['+79000001001', '+79000002002'] as const
const old = 'Занятия отменены'
const corrected = 'Занятия перенесены'
const intro = 'Исправление к сообщению от 14:02:'
const barred: Outcome = { kind: 'rejected', class: 'blocked', detail: 'barred' }
const hourMs = 3_600_000

/** What the clock on a wall of Moscow shows. */
const clockIn = (atMs: number) =>
  new Date(atMs).toLocaleTimeString('en-GB', { timeZone: 'Europe/Moscow', hour: '2-digit', minute: '2-digit' })

describe('engine: the next contact', () => {
  let fixture: Fixture
  let person: string
  let version: number
  beforeEach(async () => {
    fixture = await createFixture()
    version = 0
    person = (await fixture.people(1, 'sms'))[0] as string
    await fixture.directory.addContact('sms', person, second)
  })
  afterEach(() => fixture.stop())

  /** An SMS centre. `answer`: of those sent to the first phone; absent where it is barred */
  async function run(answer: (item: Item) => Outcome | Promise<Outcome> = () => barred): Promise<FakeCourier> {
    const courier = fakeCourier({
      channel: 'sms',
      foldsResends: false,
      window: 5,
      answer: async (item) => (item.address === first ? answer(item) : accepted(item)),
    })
    await fixture.run({ ...courier, givesReports: true })
    return courier
  }
  const accepted = ({ address, text }: Item): Outcome => ({ kind: 'sent', providerId: idOf(address, text) })
  const idOf = (address: string, text: string) => `${address}/${text.length}`
  const put = (more: object = {}) => fixture.put([person], { channels: ['sms'], text: old, ...more })
  const sentBy = ({ handed }: FakeCourier) => handed.map(({ address, text }) => [address, text])
  const receipt = async (ref: HistoryRef) => (await fixture.receipts(ref))[0]?.channels.sms
  const report = (address: string, state: 'delivered' | 'failed', text = old) =>
    createDeliveryReports({ redis: fixture.redis, channel: 'sms' }).receive({
      providerIds: [idOf(address, text)],
      state,
      ...(state === 'failed' ? { reason: 'out of reach' } : {}),
    })
  async function correct(ref: HistoryRef): Promise<void> {
    const snapshot = (await fixture.histories.snapshot(ref)) as Snapshot
    const how = { text: corrected, followUp: 'where-needed', intro, by: 'dean', atMs: Date.now() } as const
    await fixture.histories.correct(snapshot, how)
  }
  const correctedOn = async (ref: HistoryRef) => (await fixture.get(ref)).versions?.at(-1)?.corrected?.sms
  async function isBalanced(ref: HistoryRef): Promise<void> {
    for (const { channel, balanced } of await fixture.histories.recount(ref)) expect(balanced, channel).to.equal(true)
  }
  const set = async (stored: FleetSettingsInput) => {
    await writeSettings(fixture.redis, { expected: version, by: 'oper', stored: { quietJitterSeconds: 0, ...stored } })
    version += 1
    await fixture.settingsAreKnown()
  }
  /** What the first phone is answered, once somebody says so. */
  function heldAnswer(): { answer: () => Promise<Outcome>; isAsked: () => boolean; give: (outcome: Outcome) => void } {
    let give: ((outcome: Outcome) => void) | undefined
    const outcome = new Promise<Outcome>((resolve) => {
      give = resolve
    })
    let isAsked = false
    return {
      answer() {
        isAsked = true
        return outcome
      },
      isAsked: () => isAsked,
      give: (said) => give?.(said),
    }
  }

  describe('of a message that is corrected or withdrawn', () => {
    it('is told of the correction where the message went', async () => {
      const courier = await run()
      const ref = await put()
      await fixture.settled(ref)
      await correct(ref)
      await fixture.settled(ref)
      expect(sentBy(courier)).to.deep.equal([
        [first, old],
        [second, old],
        [second, `${intro}\n${corrected}`],
      ])
      expect(await correctedOn(ref)).to.include({ followedUp: 1, pending: 0, uncorrected: 0 })
      await isBalanced(ref)
    })

    it('is told of it where the message went also when the first is the one to be used by then', async () => {
      const courier = await run(accepted)
      const ref = await put()
      await fixture.settled(ref)
      await report(first, 'failed')
      await until(async () => courier.handed.length === 2, 'the second is tried')
      await fixture.settled(ref)
      await correct(ref)
      await fixture.settled(ref)
      expect(sentBy(courier).at(-1)).to.deep.equal([second, `${intro}\n${corrected}`])
      expect(courier.handed).to.have.length(3)
    })

    for (const [what, unlink] of [
      ['and they have the first alone', () => fixture.directory.unlinkContact('sms', person, second)],
      [
        'and they have another in its place',
        async () => {
          await fixture.directory.unlinkContact('sms', person, second)
          await fixture.directory.addContact('sms', person, '+79000003003')
        },
      ],
    ] as const)
      it(`goes to nobody where the message went to a phone that is theirs no more, ${what}`, async () => {
        const courier = await run((item) => (item.text === old ? barred : accepted(item)))
        const ref = await put()
        await fixture.settled(ref)
        await unlink()
        await fixture.directory.hearContact('sms', person, first, true)
        await correct(ref)
        await fixture.settled(ref)
        expect(sentBy(courier)).to.deep.equal([
          [first, old],
          [second, old],
        ])
        expect(await correctedOn(ref)).to.include({ followedUp: 0, pending: 0, uncorrected: 1 })
        await isBalanced(ref)
      })

    it('has the new text alone on the second where it is corrected while the first is asked', async () => {
      const held = heldAnswer()
      const courier = await run(held.answer)
      const ref = await put()
      await until(held.isAsked, 'the first is asked')
      await correct(ref)
      held.give(barred)
      await fixture.settled(ref)
      expect(sentBy(courier)).to.deep.equal([
        [first, old],
        [second, corrected],
      ])
      expect(await correctedOn(ref)).to.include({ followedUp: 0, pending: 0, unknown: 0, uncorrected: 0 })
      await isBalanced(ref)
    })

    it('still has what is withdrawn where the message went, and is counted once', async () => {
      const courier = await run()
      const ref = await put()
      await fixture.settled(ref)
      await fixture.histories.recall(ref, 'dean')
      await fixture.settled(ref)
      expect((await fixture.get(ref)).recalled?.channels.sms).to.include({ remaining: 1 })
      expect(sentBy(courier)).to.deep.equal([
        [first, old],
        [second, old],
      ])
    })

    it('is not tried at the second where it is withdrawn while the first is asked', async () => {
      const held = heldAnswer()
      const courier = await run(held.answer)
      const ref = await put()
      await until(held.isAsked, 'the first is asked')
      await fixture.histories.recall(ref, 'dean')
      held.give(barred)
      await fixture.settled(ref)
      expect(sentBy(courier)).to.deep.equal([[first, old]])
      expect(await receipt(ref)).to.include({ state: 'failed', reason: 'blocked', contact: '01' })
      await isBalanced(ref)
    })
  })

  describe('that budgets and a ceiling hold for', () => {
    const keyOf = (of: 'day' | 'month') =>
      budgetKey({ of, limit: { parts: 1 } }, 'dean', { nowMs: Date.now(), timeZone: 'Europe/Moscow' })
    const spent = async () =>
      Promise.all((['day', 'month'] as const).map((of) => fixture.redis.hget(keyOf(of), 'spent')))
    const putPaid = (more: object = {}) => put({ role: 'trainer', ceiling: { parts: 9 }, ...more })
    const ceiling = async (ref: HistoryRef) => (await fixture.get(ref)).ceiling

    it('costs one SMS where the first was refused: what it was to cost is given back', async () => {
      await set({ budgets: { day: { trainer: { parts: 1 } }, month: { parts: 1 }, exempt: [] } })
      await run()
      const ref = await putPaid({ ceiling: { parts: 1 } })
      await fixture.settled(ref)
      expect(await receipt(ref)).to.include({ state: 'sent', contact: '02' })
      expect([await spent(), await ceiling(ref)]).to.deep.equal([['1', '1'], { parts: 1, spent: 1 }])
    })

    for (const [of, budgets] of [
      ['day', { day: { trainer: { parts: 1 } }, month: { parts: 9 } }],
      ['month', { day: { trainer: { parts: 9 } }, month: { parts: 1 } }],
    ] as const)
      it(`does not go to the second where the first has cost all that the ${of} has`, async () => {
        await set({ budgets: { ...budgets, exempt: [] } })
        const courier = await run(accepted)
        const ref = await putPaid()
        await fixture.settled(ref)
        await report(first, 'failed')
        const found = await until(async () => {
          const now = await receipt(ref)
          return now?.state === 'suppressed' && now
        }, 'it is refused')
        expect(found).to.include({ reason: `over-${of}-budget` })
        expect(found.earlier?.[0]).to.include({ contact: '01', state: 'failed', reason: 'undelivered' })
        expect(courier.handed).to.have.length(1)
        expect([await spent(), await ceiling(ref)]).to.deep.equal([['1', '1'], { parts: 9, spent: 1 }])
      })

    it('costs two where the first has taken it and did not get it', async () => {
      await set({ budgets: { day: { trainer: { parts: 3 } }, month: { parts: 3 }, exempt: [] } })
      const courier = await run(accepted)
      const ref = await putPaid()
      await fixture.settled(ref)
      await report(first, 'failed')
      await until(async () => courier.handed.length === 2, 'the second is tried')
      await fixture.settled(ref)
      expect([await spent(), await ceiling(ref)]).to.deep.equal([['2', '2'], { parts: 9, spent: 2 }])
    })
  })

  describe('of a message that waits', () => {
    const hoursAround = (before: number, after: number) => ({
      from: clockIn(Date.now() - before * hourMs),
      to: clockIn(Date.now() + after * hourMs),
    })
    const waiting = async (ref: HistoryRef) => (await fixture.get(ref)).waiting ?? []

    it('waits for the morning where the first failed in the evening, and is sent it then, once', async () => {
      const held = heldAnswer()
      const courier = await run(held.answer)
      const ref = await put()
      await until(held.isAsked, 'the first is asked')
      await set({ quiet: hoursAround(1, 2) })
      held.give(barred)
      await until(async () => (await waiting(ref))[0]?.cause === 'quiet', 'it waits for the morning')
      expect(await receipt(ref)).to.include({ state: 'pending' })
      await set({})
      await fixture.fallDue(ref)
      await fixture.settled(ref)
      expect(sentBy(courier).map(([address]) => address)).to.deep.equal([first, second])
      await isBalanced(ref)
    })

    it('where the whole message had waited, each phone is asked once', async () => {
      await set({ quiet: hoursAround(1, 2) })
      const courier = await run()
      const ref = await put()
      await until(async () => (await waiting(ref))[0]?.cause === 'quiet', 'it waits for the morning')
      await set({})
      await fixture.fallDue(ref)
      await fixture.settled(ref)
      expect(sentBy(courier).map(([address]) => address)).to.deep.equal([first, second])
      await isBalanced(ref)
    })

    it('expired while the first was asked: it has failed, and the second is not tried', async () => {
      const held = heldAnswer()
      const courier = await run(held.answer)
      const ref = await put({ expiresMs: Date.now() + hourMs })
      await until(held.isAsked, 'the first is asked')
      await fixture.hasExpired(ref)
      held.give(barred)
      await fixture.settled(ref)
      expect(await receipt(ref)).to.include({ state: 'failed', reason: 'blocked' })
      expect(courier.handed).to.have.length(1)
    })

    it('expired before the second was marked: it says so, and what the first came to', async () => {
      const held = heldAnswer()
      const courier = await run(held.answer)
      const ref = await put({ expiresMs: Date.now() + 24 * hourMs })
      await until(held.isAsked, 'the first is asked')
      await set({ quiet: hoursAround(1, 2) })
      held.give(barred)
      await until(async () => (await waiting(ref))[0]?.cause === 'quiet', 'it waits for the morning')
      await fixture.hasExpired(ref)
      await fixture.fallDue(ref)
      await fixture.settled(ref)
      const found = await receipt(ref)
      expect(found).to.include({ state: 'expired' })
      expect(found?.earlier?.[0]).to.include({ contact: '01', state: 'failed' })
      expect(courier.handed).to.have.length(1)
      await isBalanced(ref)
    })

    it('STOP while the first is asked: nothing goes to the second; after START the next message does', async () => {
      const held = heldAnswer()
      const courier = await run(held.answer)
      const ref = await put()
      await until(held.isAsked, 'the first is asked')
      await fixture.directory.setConsent('sms', person, false)
      held.give(barred)
      await fixture.settled(ref)
      const found = await receipt(ref)
      expect(found).to.include({ state: 'suppressed', reason: 'opted-out' })
      expect(found?.earlier?.[0]).to.include({ contact: '01', state: 'failed' })
      expect(courier.handed).to.have.length(1)
      await fixture.directory.setConsent('sms', person, true)
      await fixture.directory.markContact('sms', person, first, { state: 'blocked', reason: 'barred', agoMs: () => 0 })
      await fixture.settled(await put())
      expect(sentBy(courier).at(-1)).to.deep.equal([second, old])
    })
  })

  describe('of a message with steps', () => {
    const steps: MessageSteps = [{ channels: ['telegram'] }, { channels: ['sms'], after: 'PT1M', unless: 'delivered' }]
    let ref: HistoryRef
    const readOnTelegram = async () => {
      const reports = createDeliveryReports({ redis: fixture.redis, channel: 'telegram' })
      await reports.receive({ providerIds: ['telegram-1'], state: 'read' })
    }

    /** the step of SMS has begun */
    async function begin(answer: () => Promise<Outcome>): Promise<FakeCourier> {
      await fixture.directory.linkContact('telegram', person, '70000001')
      const telegram = fakeCourier({ channel: 'telegram', answer: () => ({ kind: 'sent', providerId: 'telegram-1' }) })
      await fixture.run({ ...telegram, givesReports: true })
      const courier = await run(answer)
      ref = await fixture.put([person], { steps, text: old })
      await until(async () => (await fixture.receipts(ref))[0]?.channels.telegram?.state === 'sent', 'Telegram has it')
      await until(async () => (await waitingOn('sms')) > 0, 'the next step waits')
      await fixture.fallDue(ref)
      return courier
    }
    const waitingOn = async (channel: string) =>
      ((await fixture.get(ref)).waiting ?? []).filter((each) => each.channel === channel).length

    it('is tried where nobody knows of the first step, and is the last', async () => {
      const courier = await begin(async () => barred)
      await fixture.settled(ref)
      expect(sentBy(courier).map(([address]) => address)).to.deep.equal([first, second])
      await isBalanced(ref)
    })

    it('is spared whoever reads it on Telegram while the first phone is asked', async () => {
      const held = heldAnswer()
      const courier = await begin(held.answer)
      await until(held.isAsked, 'the first is asked')
      await readOnTelegram()
      held.give(barred)
      await fixture.settled(ref)
      expect(sentBy(courier).map(([address]) => address)).to.deep.equal([first])
      const found = await receipt(ref)
      expect(found).to.include({ state: 'cancelled', reason: 'reached-elsewhere' })
      expect(found?.earlier?.[0]).to.include({ contact: '01', state: 'failed' })
      await isBalanced(ref)
    })
  })

  it('leaves nothing of whoever has one phone', async () => {
    const lone = 'lone'
    await fixture.directory.putPerson({
      id: lone,
      name: lone,
      role: 'student',
      timeZone: 'Europe/Moscow',
      language: 'ru',
    })
    await fixture.directory.linkContact('sms', lone, '+79000003003')
    const courier = await run()
    const ref = await fixture.put([lone], { channels: ['sms'] })
    await fixture.settled(ref)
    expect(courier.handed).to.have.length(1)
    expect(await fixture.redis.keys('tried:*')).to.deep.equal([])
  })
})
