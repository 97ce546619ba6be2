/** Messages to one person that are due within the merge window of the first go out as one, each with a history of its own. */
import type { HistoryRef } from '@courier-fleet/api-types'
import { eraseEverywhere, keys, newHistoryRef, type PutInput, type Snapshot } from '@courier-fleet/store'
import { until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import { presumeAttempted } from '../../../backup/src/presume.ts'
import type { Item, Outcome } from '../../src/courier.ts'
import { wakeShard } from '../../src/engine/claims/waker.ts'
import { createDeliveryReports } from '../../src/engine/delivery-reports.ts'
import { fakeCourier } from './fake-courier.ts'
import { createFixture, type Fixture } from './fixture.ts'

const texts = ['Сдать книги', 'Собрание', 'Экскурсия'] as const
const both = `${texts[0]}\n\n${texts[1]}`
const sms = { channels: ['sms'] }
const sent = (item: Item): Outcome => ({ kind: 'sent', providerId: `id-${item.address}` })

describe('engine: messages that go out as one', () => {
  let fixture: Fixture
  let person: string
  beforeEach(async () => {
    fixture = await createFixture()
    ;[person] = (await fixture.people(1)) as [string]
  })
  afterEach(() => fixture.stop())

  let bodies = 0
  /** Due so long after a moment that is over. */
  async function put(text: string, afterMs: number, more: Partial<PutInput> = {}): Promise<HistoryRef> {
    const ref = newHistoryRef('dean', 2, undefined, person)
    bodies += 1
    const merge = { person, windowMs: 60_000, channels: ['vk', 'sms'] }
    const what = {
      ref,
      issued: false,
      digest: `d${bodies}`,
      source: 'api',
      text,
      to: [`user:${person}`],
      merge,
    } as const
    const when = {
      dueMs: start + afterMs,
      expiresMs: 0,
      class: 'normal',
      audience: [person],
      channels: ['vk'],
    } as const
    await fixture.histories.put({ ...what, ...when, ...more })
    return ref
  }
  let start = 0
  beforeEach(() => {
    start = Date.now() + 3_600_000
  })

  /** The time has come of the first, and of nothing that is due later. */
  async function wakeFirst(ref: HistoryRef): Promise<void> {
    const member = `${ref.sender}:${ref.id}:0`
    await fixture.redis.zadd(keys.due(ref.shard), 'XX', Date.now() - 10, member)
    await until(async () => (await wakeShard(fixture.redis, ref.shard, 50)) > 0, 'it has started')
  }
  /** One that was to go along, and does not. */
  async function goesAtItsOwnTime(ref: HistoryRef): Promise<void> {
    await until(async () => (await fixture.get(ref)).waiting?.length === 1, 'it waits for its own time')
    await fixture.fallDue(ref)
    await fixture.settled(ref)
  }
  const stateOf = async (ref: HistoryRef) => (await fixture.receipts(ref))[0]?.channels.vk?.state
  const sentWith = async (ref: HistoryRef) => (await fixture.receipts(ref))[0]?.channels.vk?.sentWith
  const textsOf = (items: readonly Item[]) => items.map(({ text }) => text)
  const cancel = async (ref: HistoryRef) => fixture.histories.cancel(ref, 'dean')
  async function areBalanced(...refs: HistoryRef[]): Promise<void> {
    for (const ref of refs)
      for (const { channel, balanced } of await fixture.histories.recount(ref)) expect(balanced, channel).to.equal(true)
    expect(await fixture.redis.hgetall(keys.waiting(refs[0]?.shard as string))).to.deep.equal({})
  }

  it('one message with both texts, two histories that say so, and nothing is left', async () => {
    const first = await put(texts[0], 0)
    const second = await put(texts[1], 20_000)
    await wakeFirst(first)
    const courier = fakeCourier()
    await fixture.run(courier)
    await fixture.settled(first)
    await fixture.settled(second)
    expect(textsOf(courier.handed)).to.deep.equal([both])
    expect([await stateOf(first), await stateOf(second)]).to.deep.equal(['sent', 'sent'])
    expect(await sentWith(first)).to.equal(undefined)
    expect(await sentWith(second)).to.equal(`${first.shard}.dean.${first.id}`)
    await areBalanced(first, second)
    expect(await fixture.redis.keys('merge:*')).to.deep.equal([])
  })
  const apart: [what: string, afterMs: number, more: Partial<PutInput>][] = [
    ['a second after the window', 61_000, {}],
    ['of another type', 20_000, { rules: { type: 'news' } }],
    ['of another class', 20_000, { class: 'bulk' }],
    ['on other channels', 20_000, { channels: ['vk', 'sms'] }],
    ['that is to go by itself', 20_000, { merge: undefined }],
  ]
  for (const [what, afterMs, more] of apart)
    it(`one ${what} waits for its own time`, async () => {
      const first = await put(texts[0], 0)
      const second = await put(texts[1], afterMs, more)
      await wakeFirst(first)
      const courier = fakeCourier()
      await fixture.run(courier)
      await fixture.run(fakeCourier({ channel: 'sms' }))
      await fixture.settled(first)
      expect(textsOf(courier.handed)).to.deep.equal([texts[0]])
      expect((await fixture.get(second)).state).to.equal('scheduled')
      await fixture.fallDue(second)
      await fixture.settled(second)
      expect(textsOf(courier.handed)).to.deep.equal([texts[0], texts[1]])
      expect(await sentWith(second)).to.equal(undefined)
    })

  it('one that was moved goes at its new time', async () => {
    const first = await put(texts[0], 0)
    const second = await put(texts[1], 20_000)
    const third = await put(texts[2], 120_000)
    await fixture.histories.reschedule(second, start + 90_000)
    await fixture.histories.reschedule(third, start + 30_000)
    await wakeFirst(first)
    const courier = fakeCourier()
    await fixture.run(courier)
    await fixture.settled(third)
    expect(textsOf(courier.handed)).to.deep.equal([`${texts[0]}\n\n${texts[2]}`])
    expect((await fixture.get(second)).state).to.equal('scheduled')
  })

  it('cancelled before the first is due: it is not taken along, and the first cancelled takes nobody with it', async () => {
    const first = await put(texts[0], 0)
    const second = await put(texts[1], 20_000)
    const third = await put(texts[2], 30_000)
    await cancel(second)
    await cancel(first)
    await wakeFirst(third)
    const courier = fakeCourier()
    await fixture.run(courier)
    await fixture.settled(third)
    expect(textsOf(courier.handed)).to.deep.equal([texts[2]])
  })

  for (const [what, which, left] of [
    ['the second', 1, 0],
    ['the first', 0, 1],
  ] as const)
    it(`${what} cancelled after they have started and before the mark: the other goes by itself`, async () => {
      const refs = [await put(texts[0], 0), await put(texts[1], 20_000)] as const
      await wakeFirst(refs[0])
      await cancel(refs[which])
      const courier = fakeCourier()
      await fixture.run(courier)
      await fixture.settled(refs[0])
      if (left === 1) await goesAtItsOwnTime(refs[1])
      else await fixture.settled(refs[1])
      expect(textsOf(courier.handed)).to.deep.equal([texts[left]])
      expect(await stateOf(refs[left])).to.equal('sent')
      expect(await stateOf(refs[which])).to.equal('cancelled')
      await areBalanced(...refs)
    })

  it('a cancel while they are with the provider comes too late for both', async () => {
    let release: (() => void) | undefined
    const refs = [await put(texts[0], 0), await put(texts[1], 20_000)]
    await wakeFirst(refs[0] as HistoryRef)
    const courier = fakeCourier({
      async answer(item) {
        await new Promise<void>((resolve) => {
          release = resolve
        })
        return sent(item)
      },
    })
    await fixture.run(courier)
    await until(() => release !== undefined, 'they are with the provider')
    for (const ref of refs) await cancel(ref)
    release?.()
    for (const ref of refs) await fixture.settled(ref)
    expect(textsOf(courier.handed)).to.deep.equal([both])
    for (const ref of refs) expect(await stateOf(ref)).to.equal('sent')
    await areBalanced(...refs)
  })

  it('too long together: each goes by itself', async () => {
    const long = [`а${'б'.repeat(3000)}`, `в${'г'.repeat(3000)}`] as const
    const refs = [await put(long[0], 0), await put(long[1], 20_000)] as [HistoryRef, HistoryRef]
    await wakeFirst(refs[0])
    const courier = fakeCourier()
    await fixture.run(courier)
    await fixture.settled(refs[0])
    expect(textsOf(courier.handed)).to.deep.equal([long[0]])
    await goesAtItsOwnTime(refs[1])
    expect(textsOf(courier.handed)).to.deep.equal(long)
    await areBalanced(...refs)
  })

  it('put off by the provider, they go as one again; refused, both are; a report is of both', async () => {
    const outcomes: Outcome[] = [{ kind: 'throttled', retryAfterMs: 10, scope: 'recipient' } as Outcome]
    const refs = [await put(texts[0], 0), await put(texts[1], 20_000)]
    await wakeFirst(refs[0] as HistoryRef)
    const courier = fakeCourier({ answer: (item) => outcomes.shift() ?? sent(item) })
    await fixture.run(courier)
    for (const ref of refs) await fixture.settled(ref)
    expect(textsOf(courier.handed)).to.deep.equal([both, both])
    expect(new Set(courier.handed.map(({ key }) => key)).size).to.equal(1)
    const reports = createDeliveryReports({ redis: fixture.redis, channel: 'vk' })
    const [ref] = refs as [HistoryRef]
    await reports.index([{ providerId: 'later', ref, leg: 'vk', ordinal: 0 }])
    await reports.receive({ providerIds: ['later'], state: 'read' })
    for (const each of refs) expect(await stateOf(each)).to.equal('read')
    await areBalanced(...refs)
  })

  for (const foldsResends of [true, false])
    it(`a process that is frozen after the mark, resends ${foldsResends ? '' : 'not '}folded: its successor does the same for both`, async () => {
      const refs = [await put(texts[0], 0), await put(texts[1], 20_000)]
      await wakeFirst(refs[0] as HistoryRef)
      let wakeUp: (() => void) | undefined
      const frozen = fakeCourier({
        foldsResends,
        async answer(item) {
          await new Promise<void>((resolve) => {
            wakeUp = resolve
          })
          return sent(item)
        },
      })
      await fixture.run(frozen, { leaseMs: 1e9, consumer: 'frozen' })
      await until(() => wakeUp !== undefined, 'it is with the provider')
      for (const ref of refs) expect(await fixture.redis.getrange(keys.receipts(ref, 'vk'), 0, 0)).to.equal('a')
      const courier = fakeCourier({ foldsResends })
      await fixture.run(courier, { leaseMs: 300 })
      for (const ref of refs) await fixture.settled(ref)
      const keysOf = (items: readonly Item[]) => items.map(({ key, text }) => `${key} ${text}`)
      expect(keysOf(courier.handed)).to.deep.equal(foldsResends ? keysOf(frozen.handed) : [])
      for (const ref of refs) expect(await stateOf(ref)).to.equal(foldsResends ? 'sent' : 'unknown')
      wakeUp?.()
      for (const ref of refs) await until(async () => (await stateOf(ref)) === 'sent', 'what it knows is said of both')
      await areBalanced(...refs)
    })

  it('put off for longer: each waits, and goes, by itself', async () => {
    const outcomes: Outcome[] = [{ kind: 'throttled', retryAfterMs: 60_000, scope: 'recipient' } as Outcome]
    const refs = [await put(texts[0], 0), await put(texts[1], 20_000)] as [HistoryRef, HistoryRef]
    await wakeFirst(refs[0])
    const courier = fakeCourier({ answer: (item) => outcomes.shift() ?? sent(item) })
    await fixture.run(courier)
    await goesAtItsOwnTime(refs[1])
    expect((await fixture.get(refs[0])).waiting).to.have.length(1)
    await fixture.fallDue(refs[0])
    await fixture.settled(refs[0])
    expect(textsOf(courier.handed)).to.deep.equal([both, texts[1], texts[0]])
    for (const ref of refs) expect(await sentWith(ref)).to.equal(undefined)
    await areBalanced(...refs)
  })

  it('a text that was corrected before the mark stands there as it is now; afterwards none of them is edited', async () => {
    const refs = [await put(texts[0], 0), await put(texts[1], 20_000)] as [HistoryRef, HistoryRef]
    await wakeFirst(refs[0])
    const correct = async (ref: HistoryRef, text: string) => {
      const snapshot = (await fixture.histories.snapshot(ref)) as Snapshot
      return fixture.histories.correct(snapshot, {
        text,
        followUp: 'where-needed',
        intro: 'Исправление:',
        by: 'dean',
        atMs: Date.now(),
      })
    }
    await correct(refs[1], 'Собрание в 18:00')
    const courier = fakeCourier({ answerEdit: ({ providerId }) => ({ kind: 'sent', providerId }) })
    await fixture.run(courier)
    for (const ref of refs) await fixture.settled(ref)
    await correct(refs[0], 'Сдать все книги')
    await fixture.settled(refs[0])
    await until(
      async () => (await fixture.get(refs[0])).versions?.at(-1)?.corrected?.vk?.followedUp === 1,
      'it is corrected',
    )
    expect(courier.edited).to.deep.equal([])
    expect(textsOf(courier.handed)).to.deep.equal([`${texts[0]}\n\nСобрание в 18:00`, 'Исправление:\nСдать все книги'])
  })

  it('one whose text a correction has made another for each goes by itself', async () => {
    const refs = [await put(texts[0], 0), await put(texts[1], 20_000)] as [HistoryRef, HistoryRef]
    await wakeFirst(refs[0])
    const snapshot = (await fixture.histories.snapshot(refs[1])) as Snapshot
    const how = { followUp: 'where-needed', intro: 'Исправление:', by: 'dean', atMs: Date.now() } as const
    await fixture.histories.correct(snapshot, { text: 'Собрание: {{id}}', personal: { fields: {} }, ...how })
    const courier = fakeCourier()
    await fixture.run(courier)
    await fixture.settled(refs[0])
    await goesAtItsOwnTime(refs[1])
    expect(textsOf(courier.handed)).to.deep.equal([texts[0], `Собрание: ${person}`])
    for (const ref of refs) expect(await sentWith(ref)).to.equal(undefined)
    await areBalanced(...refs)
  })

  it('one that is withdrawn stays where it stands, for the other text stands there, too', async () => {
    const refs = [await put(texts[0], 0), await put(texts[1], 20_000)] as [HistoryRef, HistoryRef]
    await wakeFirst(refs[0])
    const courier = fakeCourier({ answerRecall: ({ providerId }) => ({ kind: 'sent', providerId }) })
    await fixture.run(courier)
    for (const ref of refs) await fixture.settled(ref)
    expect(await fixture.histories.recall(refs[0], 'dean')).to.equal('withdrawing')
    await fixture.settled(refs[0])
    expect(courier.recalled).to.deep.equal([])
    expect((await fixture.get(refs[0])).recalled?.channels.vk).to.include({ deleted: 0, remaining: 1 })
    expect(await stateOf(refs[1])).to.equal('sent')
  })

  const erase = () =>
    eraseEverywhere(fixture.redis, { person, name: '', addresses: [], by: 'admin' }, () => Promise.resolve(), true)

  for (const started of [false, true])
    it(`somebody is erased ${started ? 'after they have started' : 'while they are scheduled'}: nobody is sent anything, and no name is left`, async () => {
      const refs = [await put(texts[0], 0), await put(texts[1], 20_000)] as [HistoryRef, HistoryRef]
      if (started) await wakeFirst(refs[0])
      await erase()
      expect(await fixture.redis.keys('merge:*')).to.deep.equal([])
      if (!started) for (const ref of refs) await fixture.fallDue(ref)
      const courier = fakeCourier()
      await fixture.run(courier)
      for (const ref of refs) await fixture.settled(ref)
      expect(courier.handed).to.deep.equal([])
      for (const ref of refs) expect(await stateOf(ref)).to.equal('no-contact')
      await areBalanced(...refs)
      expect(await erase(), 'what is left of them').to.equal(0)
    })

  it('restored from a back-up, where they may have gone out as one: neither is sent again, and of both it is unknown', async () => {
    await fixture.people(1, 'sms')
    const refs = [await put(texts[0], 0, sms), await put(texts[1], 20_000, sms)] as [HistoryRef, HistoryRef]
    await fixture.redis.zadd(keys.due(refs[0].shard), 'XX', Date.now() - 10, `dean:${refs[0].id}:0`)
    await fixture.redis.hset(keys.channels(refs[0].shard), 'sms', 'in-use')
    const { redis, directory } = fixture
    for (const marked of [1, 0])
      expect((await presumeAttempted({ redis, shards: 2, directory })).get('sms'), 'once').to.equal(marked)
    for (const ref of refs) expect(await redis.getrange(keys.receipts(ref, 'sms'), 0, 0)).to.equal('a')
    const courier = fakeCourier({ channel: 'sms', foldsResends: false })
    await fixture.run(courier)
    for (const ref of refs) await fixture.settled(ref)
    expect(courier.handed).to.deep.equal([])
    for (const ref of refs) expect((await fixture.receipts(ref))[0]?.channels.sms?.state).to.equal('unknown')
    await areBalanced(...refs)
  })
})
