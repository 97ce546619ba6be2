/** A text that is not the same for everybody is corrected: each is edited to, or told, the newest text of their own. */
import type { HistoryRef, Personal } from '@courier-fleet/api-types'
import { until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import type { Item, Outcome } from '../../src/courier.ts'
import { fakeCourier } from './fake-courier.ts'
import { createFixture, type Fixture } from './fixture.ts'

const sent = (item: Item): Outcome => ({ kind: 'sent', providerId: `id-${item.address}` })
const done = { kind: 'sent', providerId: '' } as const
const refused: Outcome = { kind: 'rejected', class: 'refused', detail: 'too old' }
const never = new Promise<Outcome>(() => {})

const old = { text: 'Комната {{room}}', personal: { language: 'ru', texts: { en: 'Room {{room}}' }, fields: {} } }
const next = {
  text: 'Зал {{room}}',
  personal: { language: 'ru', texts: { en: 'Hall {{room}}' }, fields: {} } as Personal,
  intro: 'Исправление:',
  intros: { en: 'Correction:' },
}

describe('engine: corrections of a text that is not the same for everybody', () => {
  let fixture: Fixture
  beforeEach(async () => {
    fixture = await createFixture()
  })
  afterEach(() => fixture.stop())

  const know = (id: string, language: string, fields: Record<string, string>) =>
    fixture.directory.putPerson({ id, name: id, role: 'student', timeZone: 'UTC', language, fields })
  /** The odd ones read English; each has the room of their number. */
  async function readers(count: number, channel?: string): Promise<string[]> {
    const people = await fixture.people(count, channel)
    for (const [index, id] of people.entries()) await know(id, index % 2 ? 'en' : 'ru', { room: String(index) })
    return people
  }
  const put = (people: readonly string[], more: object = {}) =>
    fixture.put(people, { ...old, channels: ['vk'], ...more })
  async function correct(ref: HistoryRef, more: object = {}): Promise<number> {
    const snapshot = await fixture.histories.snapshot(ref)
    const how = { ...next, followUp: 'where-needed', by: 'dean', atMs: Date.now(), ...more } as const
    return snapshot ? fixture.histories.correct(snapshot, how) : 0
  }
  const lastOf = async (ref: HistoryRef) => (await fixture.get(ref)).versions?.at(-1)?.corrected?.vk
  const isBalanced = async (ref: HistoryRef) =>
    expect((await fixture.histories.recount(ref)).every(({ balanced }) => balanced)).to.equal(true)

  it('edits each to their own, tells whom no edit reaches in their language, and sends the rest the new text at once', async () => {
    const people = await readers(6)
    const held: (() => void)[] = []
    let isHeld = true
    const courier = fakeCourier({
      batchSize: 2,
      concurrency: 2,
      answer: async (item) => {
        if (isHeld) await new Promise<void>((resolve) => held.push(resolve))
        return sent(item)
      },
      answerEdit: ({ address }) => (['1001', '1002'].includes(address) ? refused : done),
    })
    await fixture.run(courier)
    const ref = await put(people)
    await until(() => held.length >= 2, 'some are with the provider')
    const had = [...courier.handed]
    expect(await correct(ref)).to.equal(2)
    isHeld = false
    for (const release of held) release()
    await fixture.settled(ref)
    const own = (items: readonly Item[]) => items.map(({ address, text }) => `${address} ${text}`).sort()
    const [before, after] = [
      ['1001 Комната 0', '1002 Room 1', '1003 Комната 2', '1004 Room 3', '1005 Комната 4', '1006 Room 5'],
      ['1001 Зал 0', '1002 Hall 1', '1003 Зал 2', '1004 Hall 3', '1005 Зал 4', '1006 Hall 5'],
    ]
    expect(own(had)).to.deep.equal(before.slice(0, had.length))
    expect(own(courier.edited)).to.deep.equal(after.slice(0, had.length))
    expect(own(courier.handed.slice(had.length))).to.deep.equal([
      '1001 Исправление:\nЗал 0',
      '1002 Correction:\nHall 1',
      ...after.slice(had.length),
    ])
    const edited = had.length - 2
    expect(await lastOf(ref)).to.deep.equal({ edited, followedUp: 2, pending: 0, unknown: 0, uncorrected: 0 })
    await isBalanced(ref)
  })

  it('reads what is known of somebody when they are corrected; who has no value by then is listed with the older text', async () => {
    const people = await readers(3)
    const courier = fakeCourier({ answer: sent, answerEdit: () => done })
    await fixture.run(courier)
    const ref = await put(people)
    await fixture.settled(ref)
    await know(people[0] as string, 'en', { room: '@7' })
    await know(people[1] as string, 'en', {})
    await correct(ref)
    await fixture.settled(ref)
    const edits = courier.edited.map(({ address, text }) => `${address} ${text}`)
    expect(edits).to.deep.equal(['1001 Hall @\u200d7', '1003 Зал 2'])
    expect(await lastOf(ref)).to.include({ edited: 2, uncorrected: 1 })
    const [, lost] = await fixture.receipts(ref)
    expect(lost?.corrections?.['vk~2']).to.deep.include({ state: 'failed', reason: 'missing-field' })
    expect(lost?.channels.vk?.state).to.equal('sent')
  })

  it('keeps both texts with their values, and shows no value of anybody', async () => {
    const people = await readers(2)
    const ref = await put(people, { dueMs: Date.now() + 86_400_000, template: { id: 'room', version: 3 } })
    const each = { [people[0] as string]: { room: 'secret' } }
    await correct(ref, { personal: { fields: { room: '9' }, each }, text: 'Hall {{room}}' })
    const { text, fields, ownValues, template, versions } = await fixture.get(ref)
    expect({ text, fields, ownValues, template }).to.deep.equal({
      text: 'Hall {{room}}',
      fields: { room: '9' },
      ownValues: 1,
      template: undefined,
    })
    expect(versions?.map(({ at: _at, by: _by, corrected: _corrected, ...said }) => said)).to.deep.equal([
      { text: old.text, ...old.personal, template: { id: 'room', version: 3 } },
      { text: 'Hall {{room}}', fields: { room: '9' }, ownValues: 1 },
    ])
  })

  it('is itself corrected to one text for all, and one text for all to it', async () => {
    const people = await readers(2)
    const courier = fakeCourier({ answer: sent, answerEdit: () => done })
    await fixture.run(courier)
    const ref = await put(people)
    await fixture.settled(ref)
    await correct(ref, { text: 'Сбор {{room}}', personal: undefined, intros: undefined })
    await fixture.settled(ref)
    await correct(ref)
    await fixture.settled(ref)
    expect(courier.edited.map(({ text }) => text)).to.deep.equal(['Сбор {{room}}', 'Сбор {{room}}', 'Зал 0', 'Hall 1'])
    expect(await lastOf(ref)).to.include({ edited: 2, uncorrected: 0 })
  })

  it('where it is wanted always, tells each of their edit in their language, with what is known of them then', async () => {
    const people = await readers(6)
    let release = () => {}
    const held = new Promise<void>((resolve) => (release = resolve))
    const courier = fakeCourier({
      answer: sent,
      answerEdit: async ({ address }) => {
        await held
        return address === '1002' ? refused : done
      },
    })
    await fixture.run(courier)
    const ref = await put(people)
    await fixture.settled(ref)
    courier.handed.length = 0
    await correct(ref, { followUp: 'always', alsoTold: ['vk'] })
    await until(() => courier.edited.length === 6, 'they are edited')
    // between the edit and the message of its own
    await know(people[2] as string, 'en', { room: '77' })
    await know(people[3] as string, 'en', {})
    release()
    await fixture.settled(ref)
    const own = (items: readonly Item[]) => items.map(({ address, text }) => `${address} ${text}`).sort()
    const edits = ['1001 Зал 0', '1002 Hall 1', '1003 Зал 2', '1004 Hall 3', '1005 Зал 4', '1006 Hall 5']
    expect(own(courier.edited)).to.deep.equal(edits)
    expect(own(courier.handed)).to.deep.equal([
      '1001 Исправление:\nЗал 0',
      '1002 Correction:\nHall 1',
      '1003 Correction:\nHall 77',
      '1005 Исправление:\nЗал 4',
      '1006 Correction:\nHall 5',
    ])
    const counts = { edited: 5, followedUp: 1, alsoTold: 4, toBeTold: 0 }
    expect(await lastOf(ref)).to.deep.equal({ ...counts, pending: 0, unknown: 0, uncorrected: 0 })
    const receipts = await fixture.receipts(ref)
    expect(receipts[3]?.corrections?.['vk~2~told']).to.deep.include({ state: 'failed', reason: 'missing-field' })
    expect(Object.keys(receipts[1]?.corrections ?? {}), 'who was told has nothing to be told besides').to.deep.equal([
      'vk~2',
    ])
    await isBalanced(ref)

    // both of their messages have the second text: only another one of its own changes that
    courier.edited.length = 0
    courier.handed.length = 0
    await correct(ref, { followUp: 'always', alsoTold: ['vk'], text: 'Двор {{room|?}}', personal: { fields: {} } })
    await fixture.settled(ref)
    expect(own(courier.edited)).to.deep.equal(['1004 Двор ?'])
    const told = ['1001 0', '1002 1', '1003 77', '1004 ?', '1005 4', '1006 5']
    expect(own(courier.handed)).to.deep.equal(told.map((each) => each.replace(' ', ' Исправление:\nДвор ')))
    expect(await lastOf(ref)).to.include({ edited: 1, followedUp: 5, alsoTold: 1, uncorrected: 0 })
    await isBalanced(ref)
  })

  describe('where one key is for a hundred people and one text', () => {
    const spanned = { keySpan: 100, batchSize: 4 }
    /** `<address> <key>` of what was handed over. */
    const keysOf = (items: readonly Item[]) => items.map(({ address, key }) => `${address} ${key}`).sort()

    for (const [what, before, after] of [
      ['as it was marked', old, next],
      ['also where all read the same before', { text: 'Комната' }, next],
      ['also where all read the same now', old, { text: 'Зал', personal: undefined, intro: 'Исправление:' }],
    ] as const)
      it(`whoever was marked with the older text by a process that died is sent the newest under the same key: ${what}`, async () => {
        const people = await readers(4)
        const first = fakeCourier({ ...spanned, answer: () => never })
        const dying = await fixture.run(first, { leaseMs: 1e9, consumer: 'vk-dying' })
        const ref = await fixture.put(people, { ...before, channels: ['vk'] })
        await until(() => first.handed.length === 4, 'all are with the provider')
        await correct(ref, after)
        await dying.stop(0)
        const second = fakeCourier({ ...spanned, answer: () => never, answerEdit: () => done })
        const again = await fixture.run(second, { leaseMs: 2_000, consumer: 'vk-again' })
        await until(() => second.handed.length === 4, 'all are sent again')
        await again.stop(0)
        const third = fakeCourier({ ...spanned, answer: sent, answerEdit: () => done })
        await fixture.run(third, { leaseMs: 2_000, consumer: 'vk-third' })
        await fixture.settled(ref)
        const isPersonal = after.personal !== undefined
        const texts = isPersonal ? ['Зал 0', 'Hall 1', 'Зал 2', 'Hall 3'] : ['Зал', 'Зал', 'Зал', 'Зал']
        for (const { handed } of [second, third]) {
          expect(handed.map(({ text }) => text)).to.deep.equal(texts)
          expect(keysOf(handed)).to.deep.equal(keysOf(first.handed))
        }
        expect(third.edited.map(({ text }) => text)).to.deep.equal(texts)
        expect(await lastOf(ref)).to.deep.equal({ edited: 4, followedUp: 0, pending: 0, unknown: 0, uncorrected: 0 })
        await isBalanced(ref)
      })

    it('whoever was marked with the newest text keeps the key of that', async () => {
      const people = await readers(2)
      const ref = await put(people, { dueMs: Date.now() + 86_400_000 })
      await correct(ref)
      const first = fakeCourier({ ...spanned, answer: () => never })
      const dying = await fixture.run(first, { leaseMs: 1e9, consumer: 'vk-dying' })
      await fixture.fallDue(ref)
      await until(() => first.handed.length === 2, 'all are with the provider')
      await dying.stop(0)
      const second = fakeCourier({ ...spanned, answer: sent })
      await fixture.run(second, { leaseMs: 2_000, consumer: 'vk-again' })
      await fixture.settled(ref)
      expect(keysOf(second.handed)).to.deep.equal(keysOf(first.handed))
    })

    it('who is told the same by a message of its own shares a key, also after an edit that was refused', async () => {
      const people = await readers(4)
      for (const [index, id] of people.entries()) await know(id, index % 2 ? 'en' : 'ru', { room: 'A' })
      const isFirst = ({ address, text }: Item) => address === '1001' && text === 'Комната A'
      const courier = fakeCourier({
        ...spanned,
        // of whose message the provider gives no id there is nothing to edit
        answer: (item) => (isFirst(item) ? { kind: 'sent', providerId: '' } : sent(item)),
        answerEdit: () => refused,
      })
      await fixture.run(courier)
      const ref = await put(people)
      await fixture.settled(ref)
      const before = courier.handed.length
      await correct(ref)
      await fixture.settled(ref)
      const followed = courier.handed.slice(before)
      const keyOf = (address: string) => followed.find((item) => item.address === address)?.key
      expect(followed.length).to.equal(4)
      expect([keyOf('1001') === keyOf('1003'), keyOf('1002') === keyOf('1004')]).to.deep.equal([true, true])
      expect(keyOf('1001')).to.not.equal(keyOf('1002'))
    })

    it('who is told of the same edit shares a key, which is that of no other message, and a process that died changes none', async () => {
      const people = await readers(4)
      for (const [index, id] of people.entries()) await know(id, index % 2 ? 'en' : 'ru', { room: 'A' })
      const first = fakeCourier({ ...spanned, answer: sent, answerEdit: () => never })
      const dying = await fixture.run(first, { leaseMs: 1e9, consumer: 'vk-dying' })
      const ref = await put(people)
      await fixture.settled(ref)
      await correct(ref, { followUp: 'always', alsoTold: ['vk'] })
      await until(() => first.edited.length === 4, 'they are edited')
      await dying.stop(0)
      const second = fakeCourier({ ...spanned, answer: () => never, answerEdit: () => done })
      const telling = await fixture.run(second, { leaseMs: 2_000, consumer: 'vk-telling' })
      await until(() => second.handed.length === 4, 'they are told')
      await telling.stop(0)
      const third = fakeCourier({ ...spanned, answer: sent, answerEdit: () => never })
      await fixture.run(third, { leaseMs: 2_000, consumer: 'vk-third' })
      await fixture.settled(ref)
      const keyOf = (address: string) => third.handed.find((item) => item.address === address)?.key
      expect([keyOf('1001') === keyOf('1003'), keyOf('1002') === keyOf('1004')]).to.deep.equal([true, true])
      expect(new Set([...first.handed, ...third.handed].map(({ key }) => key)).size).to.equal(4)
      expect(keysOf(third.handed)).to.deep.equal(keysOf(second.handed))
      expect(third.edited).to.deep.equal([])
      expect(await lastOf(ref)).to.include({ edited: 4, alsoTold: 4, toBeTold: 0, pending: 0 })
      await isBalanced(ref)
    })
  })
})
