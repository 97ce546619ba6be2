/** Each is sent their own text: in their language and with their values, as they are at the mark. */
import type { Personal } from '@courier-fleet/api-types'
import { bucketOf, keys, writeSettings } from '@courier-fleet/store'
import { until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import type { Outcome } from '../../src/courier.ts'
import { fakeCourier } from './fake-courier.ts'
import { createFixture, type Fixture } from './fixture.ts'

describe('engine: a text that is not the same for everybody', () => {
  let fixture: Fixture
  beforeEach(async () => {
    fixture = await createFixture()
  })
  afterEach(() => fixture.stop())

  const put = (people: readonly string[], text: string, personal: Personal, more: object = {}) =>
    fixture.put(people, { text, personal, channels: ['vk'], ...more })
  const setLanguage = async (id: string, language: string) =>
    fixture.directory.putPerson({ id, name: id, role: 'student', timeZone: 'UTC', language })
  const [ru, en] = ['Занятие переносится', 'The class is moved']
  const inBoth = { language: 'ru', texts: { en } }

  it('is in the language of each, and has what is known of each at that time', async () => {
    const people = await fixture.people(3)
    const ref = await put(
      people,
      '{{name}} {{id}} {{room}}',
      { fields: { room: '@204' } },
      { dueMs: Date.now() + 86_400_000 },
    )
    await fixture.directory.putPerson({
      id: people[0] as string,
      name: 'Анна',
      role: 'student',
      timeZone: 'UTC',
      language: 'ru',
    })
    await setLanguage(people[1] as string, 'en')
    const courier = fakeCourier()
    await fixture.run(courier)
    await fixture.fallDue(ref)
    await fixture.settled(ref)
    const sent = courier.handed.map(({ text }) => text)
    expect(sent[0], 'VK would take a value with @ for a mention').to.equal('Анна p00000 @\u200d204')
    const both = await put(people, ru, inBoth)
    await fixture.settled(both)
    expect(courier.handed.slice(3).map(({ text }) => text)).to.deep.equal([ru, en, ru])
  })

  it('says what is known of somebody when they are sent to, not when it was accepted; what they have lost since is told', async () => {
    const people = await fixture.people(3)
    const known = (index: number, fields: Record<string, string>) =>
      fixture.directory.putPerson({
        id: people[index] as string,
        name: 'x',
        role: 'student',
        timeZone: 'UTC',
        language: 'ru',
        fields,
      })
    for (const index of [0, 1, 2]) await known(index, { room: '204' })
    const ref = await put(people, 'Room {{room}}', { fields: {} }, { dueMs: Date.now() + 86_400_000 })
    await known(0, { room: '[205|x]' })
    await known(1, {})
    const courier = fakeCourier()
    await fixture.run(courier)
    await fixture.fallDue(ref)
    await fixture.settled(ref)
    expect(courier.handed.map(({ text }) => text)).to.deep.equal(['Room [\u200d205|x]', 'Room 204'])
    const fates = (await fixture.receipts(ref)).map(({ channels }) => channels.vk)
    expect(fates.map((fate) => fate?.reason ?? fate?.state)).to.deep.equal(['sent', 'missing-field', 'sent'])
    expect(fates[1]).to.deep.include({ state: 'failed', detail: 'no value for room' })
  })

  it('is not sent to whoever has no value any more: they are told apart, and nobody reads a hole', async () => {
    const people = await fixture.people(3)
    const ref = await put(people, 'Hello {{name}}', { fields: {} }, { dueMs: Date.now() + 86_400_000 })
    const gone = people[1] as string
    await fixture.redis.hdel(keys.people(bucketOf(gone)), gone)
    const courier = fakeCourier()
    await fixture.run(courier)
    await fixture.fallDue(ref)
    await fixture.settled(ref)
    expect(courier.handed.map(({ text }) => text)).to.deep.equal(['Hello p00000', 'Hello p00002'])
    const fates = (await fixture.receipts(ref)).map(({ channels }) => channels.vk?.reason ?? channels.vk?.state)
    expect(fates).to.deep.equal(['sent', 'missing-field', 'sent'])
    expect((await fixture.receipts(ref))[1]?.channels.vk?.detail).to.equal('no value for name')
  })

  it('is taken from whoever has it, whatever is known of them by then', async () => {
    const people = await fixture.people(2)
    const known = (id: string, fields: Record<string, string>) =>
      fixture.directory.putPerson({ id, name: 'x', role: 'student', timeZone: 'UTC', language: 'ru', fields })
    for (const id of people) await known(id, { room: '204' })
    const courier = fakeCourier({
      answer: ({ address }) => ({ kind: 'sent', providerId: `1${address}` }),
      answerRecall: ({ providerId }) => ({ kind: 'sent', providerId }),
    })
    await fixture.run(courier)
    const ref = await put(people, 'Room {{room}}', { fields: {} })
    await fixture.settled(ref)
    await known(people[0] as string, {})
    expect(await fixture.histories.recall(ref, 'dean')).to.equal('withdrawing')
    await until(async () => (await fixture.get(ref)).recalled?.channels.vk?.pending === 0, 'nobody is left')
    expect((await fixture.get(ref)).recalled?.channels.vk).to.deep.include({ deleted: 2, remaining: 0 })
    expect(courier.recalled.length).to.equal(2)
  })

  it('has a key for each text of a span, and the same at every try', async () => {
    const people = await fixture.people(4)
    for (const index of [1, 3]) await setLanguage(people[index] as string, 'en')
    const tries: string[][] = []
    const slow: Outcome = { kind: 'throttled', retryAfterMs: 1, scope: 'recipient', reason: 'slow' }
    const courier = fakeCourier({
      keySpan: 100,
      answer({ key, text, address }) {
        tries.push([`${key}`, text, address])
        return tries.length > 4 ? { kind: 'sent', providerId: address } : slow
      },
    })
    await fixture.run(courier)
    await fixture.settled(await put(people, ru, inBoth))
    const [first, second] = [tries.slice(0, 4), tries.slice(4)]
    expect(second).to.deep.equal(first)
    const keyOf = (index: number) => first[index]?.[0]
    expect([keyOf(0) === keyOf(2), keyOf(1) === keyOf(3), keyOf(0) === keyOf(1)]).to.deep.equal([true, true, false])
    await fixture.settled(await fixture.put(people, { text: ru, channels: ['vk'] }))
    expect(new Set(tries.slice(8).map(([key]) => key)).size, 'one text, one key').to.equal(1)
  })

  it('is a duplicate of what each has read, and of nothing else', async () => {
    const types = [{ id: 'news', number: 7, name: { ru: 'Н', en: 'N' }, duplicates: { window: 'PT1H' } }]
    await writeSettings(fixture.redis, { expected: 0, by: 'operator-1', stored: { types } })
    const people = await fixture.people(2)
    await setLanguage(people[1] as string, 'en')
    await fixture.run(fakeCourier())
    await fixture.settingsAreKnown()
    const news = { rules: { type: 'news' } }
    await fixture.settled(await fixture.put(people, { text: en, channels: ['vk'], ...news }))
    const ref = await put(people, ru, inBoth, news)
    await fixture.settled(ref)
    const fates = (await fixture.receipts(ref)).map(({ channels }) => channels.vk?.reason ?? channels.vk?.state)
    expect(fates).to.deep.equal(['sent', 'duplicate'])
    expect((await fixture.histories.recount(ref)).every(({ balanced }) => balanced)).to.equal(true)
  })
})
