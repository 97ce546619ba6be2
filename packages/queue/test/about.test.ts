/** One reminder per person and thing. */
import type { Acceptance, BulkAnswer, HistoriesPage, LimitsView } from '@courier-fleet/api-types'
import { keys } from '@courier-fleet/store'
import { expect } from 'chai'
import { purge } from '../../timekeeper/src/retention.ts'
import { far } from './service.ts'
import { startUniversity, type University, type Who } from './university.ts'

const teacher: Who = { as: 'trainer' }
const reminder = { to: ['user:anna'], text: 'Your coupon is over soon', at: far, about: 'coupon:17' }

describe('a message about something', () => {
  let fleet: University
  beforeEach(async () => {
    fleet = await startUniversity({ timeZone: 'Europe/Moscow', quotas: { trainer: 4 } })
  })
  afterEach(() => fleet.stop())

  const send = (more: object = {}, who: Who = teacher) =>
    fleet.ask<Acceptance & { code: string; field: string; detail: string }>('POST /v1/messages', who, {
      ...reminder,
      ...more,
    })
  const cancel = (key: string) => fleet.ask(`DELETE /v1/histories/${key}`, teacher)
  const sent = async () => (await fleet.ask<HistoriesPage>('GET /v1/histories', teacher)).json.histories
  const left = async () => (await fleet.ask<LimitsView>('GET /v1/limits', teacher)).json.left

  it('asked again changes nothing: the answer is that of the one there is', async () => {
    const first = await send()
    const again = await send()
    expect([first.status, again.status, again.json]).to.deep.equal([201, 200, first.json])
    expect((await sent()).map(({ about }) => about)).to.deep.equal(['coupon:17'])
    expect(await left()).to.equal(3)
  })

  it('asked many times at once, in whichever way, is one message', async () => {
    const line = `${JSON.stringify(reminder)}\n`
    const headers = { 'content-type': 'application/x-ndjson' }
    const [bulk, ...single] = await Promise.all([
      fleet.ask<string>('POST /v1/messages:bulk', { ...teacher, headers }, line.repeat(20)),
      ...Array.from({ length: 20 }, () => send()),
    ])
    const lines = bulk.json
      .trim()
      .split('\n')
      .map((text) => JSON.parse(text) as BulkAnswer)
    const answered = [
      ...lines.map(({ status, key }) => [status, key]),
      ...single.map(({ status, json }) => [status, json.key]),
    ]
    expect(new Set(answered.map(([, key]) => key)).size, JSON.stringify(answered)).to.equal(1)
    expect(answered.map(([status]) => status).sort()).to.deep.equal([...Array(39).fill(200), 201])
    expect([(await sent()).length, await left()]).to.deep.equal([1, 3])
  })

  it('asked by two calls at once that know nothing of each other is one message, and counts once', async () => {
    for (const round of [1, 2, 3]) {
      const call = (name: string) =>
        send({ about: `coupon:${round}` }, { ...teacher, headers: { 'idempotency-key': `${name}-${round}` } })
      const answers = await Promise.all([call('one'), call('other')])
      expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, 201])
      expect(new Set(answers.map(({ json }) => json.key)).size).to.equal(1)
      expect([(await sent()).length, await left()]).to.deep.equal([round, 4 - round])
    }
  })

  it('asked with two texts at once, by lines or by calls, is one of them; the other is told its key', async () => {
    const lines = ['Over soon', 'Hurry'].map((text) => `${JSON.stringify({ ...reminder, text })}\n`)
    const headers = { 'content-type': 'application/x-ndjson' }
    const bulk = await fleet.ask<string>('POST /v1/messages:bulk', { ...teacher, headers }, lines.join(''))
    const about = 'coupon:18'
    const single = await Promise.all(['Over soon', 'Hurry'].map((text) => send({ about, text })))
    const both = [
      bulk.json
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Partial<BulkAnswer>),
      single.map(({ json }) => json as Partial<BulkAnswer>),
    ]
    for (const answers of both) {
      const key = answers.find((each) => each.key !== undefined)?.key
      const [other, ...more] = answers.filter((each) => each.key === undefined)
      expect([other?.status, other?.code, other?.field]).to.deep.equal([409, 'another-reminder', 'about'])
      expect(other?.detail).to.contain(key).and.contain('nothing has changed')
      expect(more).to.have.length(0)
    }
    expect([(await sent()).length, await left()]).to.deep.equal([2, 2])
  })

  it('cancelled and asked anew is a new one, however often', async () => {
    const seen = new Set<string>()
    for (let i = 0; i < 3; i += 1) {
      const { status, json } = await send()
      expect(status).to.equal(201)
      seen.add(json.key)
      expect((await cancel(json.key)).status).to.equal(200)
    }
    expect(seen.size).to.equal(3)
    const once = { ...teacher, headers: { 'idempotency-key': 'once' } }
    const { json } = await send({}, once)
    await cancel(json.key)
    expect((await send({}, once)).json.code, 'the same call').to.equal('cancelled')
    expect((await send()).status).to.equal(201)
  })

  it('with another text or time is refused with the key of the one there is', async () => {
    const { json: first } = await send()
    for (const other of [{ text: 'Hurry' }, { at: new Date(Date.now() + 3_600_000).toISOString() }]) {
      const { status, json } = await send(other)
      expect([status, json.code, json.field]).to.deep.equal([409, 'another-reminder', 'about'])
      expect(json.detail).to.contain(first.key).and.contain('nothing has changed')
    }
    expect([(await sent()).length, await left()]).to.deep.equal([1, 3])
  })

  it('is one for each person, thing and sender', async () => {
    const others = [send(), send({ to: ['user:boris'] }), send({ about: 'coupon:18' }), send({}, { as: 'staff' })]
    expect((await Promise.all(others)).map(({ status }) => status)).to.deep.equal([201, 201, 201, 201])
  })

  it('is for one person who is named, and its key is not issued before', async () => {
    for (const to of [['user:anna', 'user:boris'], ['group:own']]) {
      const { status, json } = await send({ to })
      expect([status, json.code, json.field]).to.deep.equal([422, 'about-one-person', 'to'])
    }
    expect((await send({ about: 'two words' })).status).to.equal(422)
    const { key } = (await fleet.ask<{ key: string }>('POST /v1/history-keys', teacher)).json
    const put = await fleet.ask(`PUT /v1/histories/${key}`, teacher, reminder)
    expect([put.status, put.json.code]).to.deep.equal([422, 'about-with-key'])
  })

  it('leaves nothing behind once it is purged', async () => {
    const { key } = (await send()).json
    const shard = key.slice(0, 2)
    await cancel(key)
    while ((await purge(fleet.redis, shard, 0, 10)).messages === 0);
    expect(await fleet.redis.exists(keys.about(shard, 'trainer-1', 'anna:coupon:17'))).to.equal(0)
    expect((await send()).status).to.equal(201)
  })
})
