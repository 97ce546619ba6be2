/** A message is withdrawn while it goes out, or after: from whom it is taken, how, and what is said of whoever still has it. */
import type { HistoryRef, Problem } from '@courier-fleet/api-types'
import type { Snapshot } from '@courier-fleet/store'
import { until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import type { Edit, Item, Outcome } from '../../src/courier.ts'
import { fakeCourier } from './fake-courier.ts'
import { createFixture, type Fixture } from './fixture.ts'

const sent = ({ address }: Item): Outcome => ({ kind: 'sent', providerId: `1${address}` })
const done = ({ providerId }: Edit): Outcome => ({ kind: 'sent', providerId })
const refused: Outcome = { kind: 'rejected', class: 'refused', detail: 'too old' }
const none = { deleted: 0, replaced: 0, pending: 0, remaining: 0 }

describe('engine: recalls', () => {
  let fixture: Fixture
  beforeEach(async () => {
    fixture = await createFixture()
  })
  afterEach(() => fixture.stop())

  const recall = (ref: HistoryRef) => fixture.histories.recall(ref, 'dean')
  const countsOf = async (ref: HistoryRef) => (await fixture.get(ref)).recalled?.channels.vk
  const refusalOf = (call: Promise<unknown>) =>
    call.then(
      () => 'accepted',
      (error: Problem) => error.code,
    )
  async function correct(ref: HistoryRef, text: string, alsoTold: readonly string[] = []): Promise<void> {
    const snapshot = (await fixture.histories.snapshot(ref)) as Snapshot
    const followUp = alsoTold.length > 0 ? 'always' : 'where-needed'
    const how = { text, followUp, alsoTold, intro: 'Correction:', by: 'dean', atMs: Date.now() } as const
    await fixture.histories.correct(snapshot, how)
  }
  async function isBalanced(ref: HistoryRef): Promise<void> {
    for (const { channel, balanced } of await fixture.histories.recount(ref)) expect(balanced, channel).to.equal(true)
  }

  it('while it is sent to 300: nobody is sent it any more, and whoever has it loses it', async () => {
    const people = await fixture.people(300)
    const held: (() => void)[] = []
    let isHeld = true
    const courier = fakeCourier({
      answer: async (item) => {
        if (isHeld && held.length < 20) await new Promise<void>((resolve) => held.push(resolve))
        return sent(item)
      },
      answerRecall: done,
    })
    await fixture.run(courier)
    const ref = await fixture.put(people)
    await until(() => held.length >= 10, 'some are with the provider')
    expect(await recall(ref)).to.equal('withdrawing')
    const had = courier.handed.length
    isHeld = false
    for (const release of held) release()
    await fixture.settled(ref)
    expect(courier.handed.length, 'nobody after the answer').to.equal(had)
    const idsOf = (items: readonly Item[]) => items.map(({ address }) => `1${address}`).sort()
    expect(courier.recalled.map(({ providerId }) => providerId).sort()).to.deep.equal(idsOf(courier.handed))
    expect(await countsOf(ref)).to.deep.equal({ ...none, deleted: had })
    const { state, cancelledAt, channels, versions } = await fixture.get(ref)
    expect([state, cancelledAt !== undefined, versions]).to.deep.equal(['settled', true, undefined])
    expect(channels.vk).to.include({ sent: had, cancelled: 300 - had, pending: 0 })
    await isBalanced(ref)
  })

  it('where the channel can neither delete nor edit they still have it, and are counted', async () => {
    const courier = fakeCourier({ answer: sent })
    await fixture.run(courier)
    const ref = await fixture.put([...(await fixture.people(3)), 'nobody'])
    await fixture.settled(ref)
    expect(await recall(ref)).to.equal('withdrawing')
    await fixture.settled(ref)
    expect(await countsOf(ref)).to.deep.equal({ ...none, remaining: 3 })
    expect(courier.handed).to.have.length(3)
    await isBalanced(ref)
  })

  it('what cannot be deleted any more says that it was withdrawn, to each in their language; else it stays', async () => {
    const people = await fixture.people(3)
    const [first] = people as [string]
    await fixture.directory.putPerson({ id: first, name: 'A', role: 'student', timeZone: 'UTC', language: 'en' })
    const courier = fakeCourier({
      answer: ({ address }) => ({ kind: 'sent', providerId: address === '1002' ? '7,8' : address }),
      answerRecall: () => refused,
      answerEdit: (edit) => (edit.address === '1003' ? refused : done(edit)),
    })
    await fixture.run(courier)
    const ref = await fixture.put(people)
    await fixture.settled(ref)
    await recall(ref)
    await fixture.settled(ref)
    expect(courier.edited.map(({ providerId, text }) => `${providerId} ${text}`).sort()).to.deep.equal([
      '1001 Message withdrawn',
      '1003 Сообщение отозвано',
      '7 Сообщение отозвано',
      '8 Сообщение отозвано',
    ])
    expect(await countsOf(ref)).to.deep.equal({ ...none, replaced: 2, remaining: 1 })
    expect(courier.handed, 'nobody is sent a message of its own').to.have.length(3)
    await isBalanced(ref)
  })

  it('of one that was corrected: both messages of whoever has two; while it is corrected, that ends first', async () => {
    let corrections = 0
    const courier = fakeCourier({
      answer: ({ address, text }) => ({ kind: 'sent', providerId: text.startsWith('Correction:') ? '99' : address }),
      answerEdit: (edit) => {
        corrections += 1
        return edit.address === '1001' ? refused : done(edit)
      },
      answerRecall: done,
    })
    await fixture.run(courier)
    const ref = await fixture.put(await fixture.people(2))
    await fixture.settled(ref)
    await correct(ref, 'another text')
    await fixture.settled(ref)
    expect(corrections).to.equal(2)
    await recall(ref)
    await fixture.settled(ref)
    expect(courier.recalled.map(({ providerId }) => providerId).sort()).to.deep.equal(['1001,99', '1002'])
    expect(await countsOf(ref)).to.deep.equal({ ...none, deleted: 2 })
    expect((await fixture.get(ref)).versions).to.have.length(2)
    await isBalanced(ref)
  })

  it('of one whose edits were told of besides: both messages, and nobody is told any more', async () => {
    const courier = fakeCourier({
      answer: ({ address, text }) => ({ kind: 'sent', providerId: text.startsWith('Correction:') ? '99' : address }),
      answerEdit: done,
      answerRecall: done,
    })
    await fixture.run(courier)
    const ref = await fixture.put(await fixture.people(1))
    await fixture.settled(ref)
    await correct(ref, 'another text', ['vk'])
    await fixture.settled(ref)
    await recall(ref)
    await fixture.settled(ref)
    expect(courier.recalled.map(({ providerId }) => providerId)).to.deep.equal(['1001,99'])
    expect(await countsOf(ref)).to.deep.equal({ ...none, deleted: 1 })
    await isBalanced(ref)
  })

  it('waits for an edit that is under way, so that it does not come after', async () => {
    const steps: string[] = []
    let release = () => {}
    const isReleased = new Promise<void>((resolve) => {
      release = resolve
    })
    const courier = fakeCourier({
      concurrency: 4,
      answer: sent,
      answerEdit: async (edit) => {
        await isReleased
        steps.push('edited')
        return done(edit)
      },
      answerRecall: (message) => {
        steps.push('deleted')
        return done(message)
      },
    })
    await fixture.run(courier)
    const ref = await fixture.put(await fixture.people(1))
    await fixture.settled(ref)
    await correct(ref, 'another text')
    await until(() => courier.edited.length === 1, 'it is edited')
    await recall(ref)
    await until(
      async () => (await fixture.get(ref)).waiting?.some(({ cause }) => cause === 'withdrawn') ?? false,
      'it waits',
    )
    expect(steps).to.deep.equal([])
    release()
    await fixture.settled(ref)
    expect(steps).to.deep.equal(['edited', 'deleted'])
    expect(await countsOf(ref)).to.deep.equal({ ...none, deleted: 1 })
    await isBalanced(ref)
  })

  it('twice is once; so is it after a stop, and nothing else can be done with it then', async () => {
    const courier = fakeCourier({ answer: sent, answerRecall: done })
    await fixture.run(courier)
    const ref = await fixture.put(await fixture.people(2))
    await fixture.settled(ref)
    await recall(ref)
    await fixture.settled(ref)
    expect(await recall(ref)).to.equal('withdrawing')
    await fixture.settled(ref)
    expect(courier.recalled).to.have.length(2)
    expect(await refusalOf(correct(ref, 'another text'))).to.equal('was-cancelled')
    const later = await fixture.put(['p00000'], { dueMs: Date.now() + 3_600_000 })
    expect(await recall(later)).to.equal('cancelled')
    expect(await recall(later)).to.equal('cancelled')
    expect((await fixture.get(later)).recalled).to.equal(undefined)
    expect(await refusalOf(recall({ ...later, id: 'qSj02jydWlRQbLLYGJt-58' }))).to.equal('unknown-key')
  })

  it('from whoever gets nothing more, too', async () => {
    const courier = fakeCourier({ answer: sent, answerRecall: done })
    await fixture.run(courier)
    const people = await fixture.people(2)
    const ref = await fixture.put(people)
    await fixture.settled(ref)
    await fixture.directory.markContact('vk', people[0] as string, '1001', {
      state: 'blocked',
      reason: 'blocked',
      agoMs: () => 0,
    })
    await recall(ref)
    await fixture.settled(ref)
    expect(await countsOf(ref)).to.deep.equal({ ...none, deleted: 2 })
  })

  it('a process that dies while it deletes leaves nobody out; of whom nobody knows, they may still have it', async () => {
    const never = new Promise<Outcome>(() => {})
    const first = fakeCourier({
      batchSize: 4,
      concurrency: 6,
      answer: (item) => (item.address === '1001' ? never : sent(item)),
      answerRecall: () => never,
    })
    const dying = await fixture.run(first, { leaseMs: 1e9, consumer: 'vk-dying' })
    const ref = await fixture.put(await fixture.people(1))
    const other = await fixture.put((await fixture.people(4)).slice(1))
    await until(() => first.handed.length === 4, 'all are with the provider')
    await fixture.settled(other)
    await Promise.all([recall(ref), recall(other)])
    await until(() => first.recalled.length === 3, 'they are deleted')
    await dying.stop(0)
    const second = fakeCourier({ answer: sent, answerRecall: done })
    await fixture.run(second, { leaseMs: 2_000, consumer: 'vk-second' })
    await Promise.all([fixture.settled(ref), fixture.settled(other)])
    expect(second.handed).to.deep.equal([])
    expect(await countsOf(other)).to.deep.equal({ ...none, deleted: 3 })
    expect(await countsOf(ref)).to.deep.equal({ ...none, remaining: 1 })
    await isBalanced(ref)
    await isBalanced(other)
  })
})
