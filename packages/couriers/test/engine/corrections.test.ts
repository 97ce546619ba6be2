/** A message is given another text while it goes out, or after: who gets which text, who is edited, and what is said of it. */
import type { FleetSettingsInput, HistoryRef, MessageRules, Problem } from '@courier-fleet/api-types'
import { type NewText, type Snapshot, writeSettings } from '@courier-fleet/store'
import { until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import type { Item, Outcome } from '../../src/courier.ts'
import { createDeliveryReports } from '../../src/engine/delivery-reports.ts'
import { fakeCourier } from './fake-courier.ts'
import { createFixture, type Fixture } from './fixture.ts'
import { startReceiver } from './receiver.ts'

const old = 'Занятия отменены'
const corrected = 'Занятия перенесены'
const intro = 'Исправление к сообщению от 14:02:'
const followUpText = `${intro}\n${corrected}`
const sent = (item: Item): Outcome => ({ kind: 'sent', providerId: `id-${item.address}` })
const unclear: Outcome = { kind: 'unknown', why: 'no answer' }
const refused: Outcome = { kind: 'rejected', class: 'refused', detail: 'too old' }
const news: MessageRules = { type: 'news' }
/** nobody is sent the same news twice */
const noDuplicates: FleetSettingsInput = {
  types: [{ id: 'news', number: 7, name: { ru: 'Новости', en: 'News' }, duplicates: {} }],
  quietJitterSeconds: 0,
}

/** What the clock on a wall shows where people live who have said nothing of it. */
const clockIn = (atMs: number) =>
  new Date(atMs).toLocaleTimeString('en-GB', { timeZone: 'Europe/Moscow', hour: '2-digit', minute: '2-digit' })

describe('engine: corrections', () => {
  let fixture: Fixture
  beforeEach(async () => {
    fixture = await createFixture()
  })
  afterEach(() => fixture.stop())

  async function correct(ref: HistoryRef, more: Partial<NewText> = {}): Promise<number> {
    const snapshot = (await fixture.histories.snapshot(ref)) as Snapshot
    const how = { text: corrected, followUp: 'where-needed', intro, by: 'dean', atMs: Date.now(), ...more } as const
    return fixture.histories.correct(snapshot, how)
  }
  const refusalOf = (call: Promise<unknown>) =>
    call.then(
      () => 'accepted',
      (error: Problem) => error.code,
    )
  const lastOf = async (ref: HistoryRef) => (await fixture.get(ref)).versions?.at(-1)?.corrected?.vk
  const textsTo = (items: readonly Item[], to: string) =>
    items.filter(({ address }) => address === to).map(({ text }) => text)
  async function isBalanced(ref: HistoryRef): Promise<void> {
    for (const { channel, balanced } of await fixture.histories.recount(ref)) expect(balanced, channel).to.equal(true)
  }

  it('while it is sent: nobody is marked with the old text any more, and whoever has it is edited', async () => {
    const people = await fixture.people(60)
    const held: (() => void)[] = []
    let isHeld = true
    const courier = fakeCourier({
      answer: async (item) => {
        if (isHeld) await new Promise<void>((resolve) => held.push(resolve))
        return sent(item)
      },
      answerEdit: ({ providerId }) => ({ kind: 'sent', providerId }),
    })
    await fixture.run(courier)
    const ref = await fixture.put(people)
    await until(() => held.length >= 10, 'some are with the provider')
    const before = held.length
    expect(await correct(ref)).to.equal(2)
    expect(await lastOf(ref)).to.deep.include({ edited: 0, pending: before })
    isHeld = false
    for (const release of held) release()
    await fixture.settled(ref)
    expect(courier.handed.filter(({ text }) => text === old)).to.have.length(before)
    expect(courier.handed.filter(({ text }) => text === corrected)).to.have.length(60 - before)
    const edits = courier.edited.map(({ address, providerId, text }) => `${address} ${providerId} ${text}`)
    const had = courier.handed.filter(({ text }) => text === old)
    expect(edits.sort()).to.deep.equal(had.map(({ address }) => `${address} id-${address} ${corrected}`).sort())
    expect(await lastOf(ref)).to.deep.equal({ edited: before, followedUp: 0, pending: 0, unknown: 0, uncorrected: 0 })
    const { text, versions, channels, people: known } = await fixture.get(ref)
    expect([text, versions?.map((each) => each.text)]).to.deep.equal([corrected, [old, corrected]])
    expect(Object.keys(channels)).to.deep.equal(['vk'])
    expect([channels.vk?.sent, known?.handedOver ?? 0]).to.deep.equal([60, known?.handedOver ?? 0])
    await isBalanced(ref)
  })

  it('where the channel cannot edit: exactly those who have it, or may have it, are told; nobody else is', async () => {
    const people = await fixture.people(6)
    const fates: Record<string, Outcome> = { '1001': unclear, '1002': refused }
    const courier = fakeCourier({
      foldsResends: false,
      window: 3,
      answer: (item) => (item.text === old ? (fates[item.address] ?? sent(item)) : sent(item)),
    })
    await fixture.run(courier)
    const ref = await fixture.put([...people, 'nobody'])
    await fixture.settled(ref)
    courier.handed.length = 0
    await correct(ref)
    await fixture.settled(ref)
    const told = courier.handed.map(({ address, text }) => [address, text])
    const whom = ['1001', '1003', '1004', '1005', '1006']
    expect(told.sort()).to.deep.equal(whom.map((address) => [address, followUpText]))
    expect(await lastOf(ref)).to.deep.equal({ edited: 0, followedUp: 5, pending: 0, unknown: 0, uncorrected: 0 })
    expect((await fixture.get(ref)).channels.vk).to.include({ sent: 4, unknown: 1, failed: 1, 'no-contact': 1 })
    await isBalanced(ref)
  })

  it('says of nobody that they were edited whose delivery is reported before the answer to the message of its own', async () => {
    const reports = createDeliveryReports({ redis: fixture.redis, channel: 'vk' })
    const courier = fakeCourier({
      foldsResends: false,
      window: 3,
      answer: async (item) => {
        if (item.text === old) return sent(item)
        const providerId = `new-${item.address}`
        // the id is noted beside the receipt, and may be there first
        await reports.index([{ ref, leg: 'vk~2', ordinal: Number(item.address) - 1001, providerId }])
        await reports.receive({ providerIds: [providerId], state: 'delivered' })
        return { kind: 'sent', providerId }
      },
    })
    await fixture.run(courier)
    const ref = await fixture.put(await fixture.people(4))
    await fixture.settled(ref)
    await correct(ref)
    await fixture.settled(ref)
    expect(textsTo(courier.handed, '1001')).to.deep.equal([old, followUpText])
    expect(await lastOf(ref)).to.include({ edited: 0, followedUp: 4 })
  })

  it('where it cannot be edited any more they are told; where that is not wanted they are counted', async () => {
    const people = await fixture.people(4)
    const courier = fakeCourier({
      answer: sent,
      answerEdit: ({ address, providerId }) => (address === '1001' ? refused : { kind: 'sent', providerId }),
    })
    await fixture.run(courier)
    const ref = await fixture.put(people)
    await fixture.settled(ref)
    await correct(ref)
    await fixture.settled(ref)
    expect(await lastOf(ref)).to.include({ edited: 3, followedUp: 1 })
    expect(textsTo(courier.handed, '1001')).to.deep.equal([old, followUpText])

    const third = 'Всё по расписанию'
    await correct(ref, { text: third, followUp: 'never' })
    await fixture.settled(ref)
    expect(await lastOf(ref)).to.include({ edited: 3, followedUp: 0, uncorrected: 1 })
    expect(courier.edited.filter(({ text }) => text === third).map(({ address }) => address)).to.not.include('1001')
    expect(courier.handed.filter(({ text }) => text.includes(third))).to.deep.equal([])
    await isBalanced(ref)
  })

  it('where it is wanted always, whoever is edited is told besides, and both are counted', async () => {
    const courier = fakeCourier({
      answer: (item) => (item.text === followUpText && item.address === '1003' ? refused : sent(item)),
      answerEdit: ({ address, providerId }) => (address === '1001' ? refused : { kind: 'sent', providerId }),
    })
    await fixture.run(courier)
    const ref = await fixture.put([...(await fixture.people(4)), 'nobody'])
    await fixture.settled(ref)
    courier.handed.length = 0
    await correct(ref, { followUp: 'always', alsoTold: ['vk', 'telegram'] })
    await fixture.settled(ref)
    const told = courier.handed.map(({ address, text }) => [address, text])
    expect(told.sort()).to.deep.equal(['1001', '1002', '1003', '1004'].map((address) => [address, followUpText]))
    expect(new Set(courier.handed.map(({ key }) => key)).size, 'each is a message of its own').to.equal(4)
    const counts = { followedUp: 1, pending: 0, unknown: 0, uncorrected: 0 }
    expect(await lastOf(ref)).to.deep.equal({ ...counts, edited: 3, alsoTold: 2, toBeTold: 0 })
    const { channels, waiting } = await fixture.get(ref)
    expect([Object.keys(channels), waiting]).to.deep.equal([['vk'], undefined])
    // who was told because no edit reached them has nothing to be told besides
    const legs = (await fixture.receipts(ref)).map(({ corrections = {} }) => Object.keys(corrections).join())
    expect(legs).to.deep.equal(['vk~2', 'vk~2,vk~2~told', 'vk~2,vk~2~told', 'vk~2,vk~2~told', ''])
    await isBalanced(ref)

    // both of their messages have the second text: only another one of its own changes that
    courier.edited.length = 0
    const third = 'Всё по расписанию'
    await correct(ref, { text: third, followUp: 'never' })
    await fixture.settled(ref)
    expect(await lastOf(ref)).to.include({ edited: 1, followedUp: 0, uncorrected: 3 })
    expect(courier.edited.map(({ address }) => address)).to.deep.equal(['1003'])
    await correct(ref, { text: 'Решено', followUp: 'always', alsoTold: ['vk'] })
    await fixture.settled(ref)
    expect(await lastOf(ref)).to.include({ edited: 1, followedUp: 3, alsoTold: 1, uncorrected: 0 })
    await isBalanced(ref)
  })

  it('tells of an edit only once it is made, also when the process dies between the two; nobody is told twice', async () => {
    const never = new Promise<Outcome>(() => {})
    const first = fakeCourier({ answer: sent, answerEdit: () => never })
    const dying = await fixture.run(first, { leaseMs: 1e9, consumer: 'vk-dying' })
    const ref = await fixture.put(await fixture.people(3))
    await fixture.settled(ref)
    await correct(ref, { followUp: 'always', alsoTold: ['vk'] })
    await until(() => first.edited.length === 3, 'they are edited')
    expect(await lastOf(ref)).to.include({ pending: 3, alsoTold: 0, toBeTold: 0 })
    const { waiting = [] } = await fixture.get(ref)
    expect(waiting.reduce((all, { people }) => all + people, 0)).to.be.at.most(3)
    expect(first.handed).to.have.length(3)
    await dying.stop(0)
    const second = fakeCourier({
      answer: () => never,
      answerEdit: ({ providerId }) => ({ kind: 'sent', providerId }),
    })
    const telling = await fixture.run(second, { leaseMs: 2_000, consumer: 'vk-telling' })
    await until(() => second.handed.length === 3, 'they are told')
    expect(await lastOf(ref)).to.include({ edited: 3, alsoTold: 0, toBeTold: 3 })
    await telling.stop(0)
    const third = fakeCourier({ answer: sent, answerEdit: () => never })
    await fixture.run(third, { leaseMs: 2_000, consumer: 'vk-third' })
    await fixture.settled(ref)
    expect(third.handed.map(({ key }) => key).sort()).to.deep.equal(second.handed.map(({ key }) => key).sort())
    expect(third.edited).to.deep.equal([])
    expect(await lastOf(ref)).to.include({ edited: 3, alsoTold: 3, toBeTold: 0, pending: 0 })
    await isBalanced(ref)
  })

  it('in quiet hours the edit is made at once, and the message of its own waits; cancelled meanwhile they were edited', async () => {
    const courier = fakeCourier({ answer: sent, answerEdit: ({ providerId }) => ({ kind: 'sent', providerId }) })
    await fixture.run(courier)
    const people = await fixture.people(2)
    const ref = await fixture.put(people)
    await fixture.settled(ref)
    const quiet = { from: clockIn(Date.now() - 3_600_000), to: clockIn(Date.now() + 7_200_000) }
    await fixture.directory.changeWishes(people[0] as string, () => ({ off: [], quiet }))
    await correct(ref, { followUp: 'always', alsoTold: ['vk'] })
    await until(async () => (await lastOf(ref))?.alsoTold === 1, 'one is told')
    expect(await lastOf(ref)).to.include({ edited: 2, toBeTold: 1, pending: 0 })
    await until(
      async () => (await fixture.get(ref)).waiting?.some(({ cause }) => cause === 'quiet') ?? false,
      'it waits',
    )
    await fixture.histories.cancel(ref, 'dean')
    await fixture.settled(ref)
    expect(await lastOf(ref)).to.include({ edited: 2, alsoTold: 1, toBeTold: 0, uncorrected: 0 })
    await isBalanced(ref)
  })

  it('while they wait: rules go by the new text, whatever was sent of the old one', async () => {
    const set = (expected: number, stored: FleetSettingsInput) =>
      writeSettings(fixture.redis, { expected, by: 'operator-1', stored: { ...noDuplicates, ...stored } })
    await set(0, {})
    const courier = fakeCourier({ answer: sent })
    await fixture.run(courier)
    const people = await fixture.people(20)
    await fixture.settled(await fixture.put(people, { rules: news }))
    await set(1, { quiet: { from: clockIn(Date.now() - 3_600_000), to: clockIn(Date.now() + 7_200_000) } })
    await fixture.settingsAreKnown()
    const ref = await fixture.put(people, { rules: news })
    const waiting = async () => ((await fixture.get(ref)).waiting ?? []).reduce((sum, each) => sum + each.people, 0)
    await until(async () => (await waiting()) === 20, 'they wait')
    courier.handed.length = 0
    await correct(ref)
    await fixture.histories.callForward(ref, 'quiet', 'dean')
    expect((await fixture.settled(ref)).channels.vk).to.include({ sent: 20, suppressed: 0 })
    expect(courier.handed.map(({ text }) => text)).to.deep.equal(Array(20).fill(corrected))
    await isBalanced(ref)
  })

  for (const window of [undefined, 3])
    for (const told of [7, 20])
      it(`while it is decided of them: nobody is refused for the old text, of ${told} who would be; ${window ? 'through a window' : 'together'}`, async () => {
        const receiver = await startReceiver()
        try {
          let release = () => {}
          const isReleased = new Promise<void>((resolve) => {
            release = resolve
          })
          receiver.answer(async (response) => {
            await isReleased
            response.end('ok')
          })
          await writeSettings(fixture.redis, { expected: 0, by: 'operator-1', stored: noDuplicates })
          const courier = fakeCourier({ batchSize: 20, answer: sent, ...(window ? { window } : {}) })
          await fixture.run(courier)
          const people = await fixture.people(20)
          await fixture.settled(await fixture.put(people.slice(0, told), { rules: news }))
          courier.handed.length = 0
          const recheck = { url: receiver.url, per: 'message', onSilence: 'hold' } as const
          const ref = await fixture.put(people, { rules: news, recheck })
          await until(() => receiver.heard.length === 1, 'the job has read the old text')
          await correct(ref)
          release()
          expect((await fixture.settled(ref)).channels.vk).to.include({ sent: 20, suppressed: 0 })
          expect(courier.handed.map(({ text }) => text)).to.deep.equal(Array(20).fill(corrected))
          expect(await lastOf(ref)).to.equal(undefined)
          await isBalanced(ref)
        } finally {
          await receiver.close()
        }
      })

  it('of one that has not started only the text is another', async () => {
    const courier = fakeCourier({ answer: sent, answerEdit: ({ providerId }) => ({ kind: 'sent', providerId }) })
    await fixture.run(courier)
    const ref = await fixture.put(await fixture.people(3), { dueMs: Date.now() + 3_600_000 })
    await correct(ref)
    await fixture.fallDue(ref)
    await fixture.settled(ref)
    expect(courier.handed.map(({ text }) => text)).to.deep.equal([corrected, corrected, corrected])
    expect(courier.edited).to.deep.equal([])
    expect((await fixture.get(ref)).versions?.[1]?.corrected).to.deep.equal({})
  })

  it('is made one at a time, nine texts at most, and not of what was cancelled', async () => {
    const ref = await fixture.put(await fixture.people(2))
    const courier = fakeCourier({
      answer: sent,
      answerEdit: () => ({ kind: 'throttled', scope: 'recipient', retryAfterMs: 3_600_000, reason: 'later' }),
    })
    await fixture.run(courier)
    await fixture.settled(ref)
    expect(await refusalOf(correct(ref, { text: old }))).to.equal('cannot-correct')
    await correct(ref)
    await until(async () => ((await fixture.get(ref)).waiting ?? []).length > 0, 'they wait')
    expect(await refusalOf(correct(ref, { text: 'и снова' }))).to.equal('in-progress')
    await fixture.histories.cancel(ref, 'dean')
    await fixture.settled(ref)
    expect(await lastOf(ref)).to.include({ pending: 0, uncorrected: 2 })
    expect(await refusalOf(correct(ref, { text: 'и снова' }))).to.equal('was-cancelled')
    const other = await fixture.put(['p00000'], { dueMs: Date.now() + 3_600_000 })
    for (let version = 2; version <= 9; version += 1)
      expect(await correct(other, { text: `text ${version}` })).to.equal(version)
    expect(await refusalOf(correct(other, { text: 'one more' }))).to.equal('cannot-correct')
    await isBalanced(ref)
  })

  it('a process that dies with the old text marked, and one that dies while it edits, leave nobody out', async () => {
    const people = await fixture.people(4)
    const never = new Promise<Outcome>(() => {})
    const first = fakeCourier({ batchSize: 4, answer: () => never })
    const dying = await fixture.run(first, { leaseMs: 1e9, consumer: 'vk-dying' })
    const ref = await fixture.put(people)
    await until(() => first.handed.length === 4, 'all are with the provider')
    await correct(ref)
    await dying.stop(0)
    const second = fakeCourier({ answer: sent, answerEdit: () => never })
    const editing = await fixture.run(second, { leaseMs: 2_000, consumer: 'vk-editing' })
    await until(() => second.edited.length === 4, 'all are edited')
    // the same message to the provider, with the text as it is now
    expect(second.handed.map(({ text }) => text)).to.deep.equal([corrected, corrected, corrected, corrected])
    expect(second.handed.map(({ key }) => key)).to.deep.equal(first.handed.map(({ key }) => key))
    await editing.stop(0)
    const third = fakeCourier({ answer: sent, answerEdit: ({ providerId }) => ({ kind: 'sent', providerId }) })
    await fixture.run(third, { leaseMs: 2_000, consumer: 'vk-third' })
    await fixture.settled(ref)
    expect(third.handed).to.deep.equal([])
    expect(await lastOf(ref)).to.deep.equal({ edited: 4, followedUp: 0, pending: 0, unknown: 0, uncorrected: 0 })
    await isBalanced(ref)
  })

  it('whoever is given back after it was not sent the old text is sent the new one, and told nothing of it', async () => {
    const people = await fixture.people(3)
    let release = () => {}
    const isReleased = new Promise<void>((resolve) => {
      release = resolve
    })
    const courier = fakeCourier({
      foldsResends: false,
      window: 3,
      answer: async (item) => {
        if (item.text !== old) return sent(item)
        await isReleased
        return { kind: 'throttled', scope: 'recipient', retryAfterMs: 1, reason: 'later' }
      },
    })
    await fixture.run(courier)
    const ref = await fixture.put(people)
    await until(() => courier.handed.length === 3, 'all are with the provider')
    await correct(ref)
    release()
    await fixture.settled(ref)
    expect(courier.handed.slice(3).map(({ text }) => text)).to.deep.equal([corrected, corrected, corrected])
    expect(await lastOf(ref)).to.deep.equal({ edited: 0, followedUp: 0, pending: 0, unknown: 0, uncorrected: 0 })
    await isBalanced(ref)
  })

  it('lists whoever turns out to have been sent the old text after all, by a process that was refused', async () => {
    const courier = fakeCourier({
      answer: (item) => (item.address === '1001' ? refused : sent(item)),
      answerEdit: ({ providerId }) => ({ kind: 'sent', providerId }),
    })
    await fixture.run(courier)
    const ref = await fixture.put(await fixture.people(2))
    await fixture.settled(ref)
    await correct(ref)
    await fixture.settled(ref)
    expect(await lastOf(ref)).to.include({ edited: 1, uncorrected: 0 })
    const reports = createDeliveryReports({ redis: fixture.redis, channel: 'vk' })
    await reports.reportAccepted(ref, 'vk', [{ ordinal: 0, evidence: '#77' }])
    expect(await lastOf(ref)).to.include({ edited: 1, uncorrected: 1 })
    await isBalanced(ref)
  })

  it('counts nobody anew in the statistics', async () => {
    const courier = fakeCourier({ answer: sent, answerEdit: ({ providerId }) => ({ kind: 'sent', providerId }) })
    await fixture.run(courier)
    const ref = await fixture.put(await fixture.people(2))
    await fixture.settled(ref)
    const counted = async () => {
      const [key] = (await fixture.redis.keys('stats:*')).filter((each) => !each.endsWith(':all'))
      return key ? fixture.redis.hgetall(key) : {}
    }
    const before = await counted()
    await correct(ref)
    await fixture.settled(ref)
    expect(await counted()).to.deep.equal(before)
  })
})
