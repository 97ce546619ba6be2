/** What a message says of the rules about people: its type, and where it asks for less or more than that. */
import { type AuditLine, type BulkAnswer, type HistoryView, parseHistoryKey, type Role } from '@courier-fleet/api-types'
import { keys, parseRecord, writeSettings } from '@courier-fleet/store'
import { until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import { far } from './service.ts'
import { type Asked, startUniversity, type University } from './university.ts'

interface Answer {
  readonly key: string
  readonly code: string
  readonly field: string
  readonly detail: string
}

describe('the type of a message', () => {
  let fleet: University
  const typeNamed = (id: string, number: number, more: object) => ({
    id,
    number,
    name: { ru: `Вид ${id}`, en: `Type ${id}` },
    ...more,
  })
  const send = (more: object, as: Role = 'trainer'): Promise<Asked<Answer>> =>
    fleet.ask('POST /v1/messages', { as }, { to: ['group:own'], text: 'Hello', at: far, ...more })
  const view = async (key: string) => (await fleet.ask<HistoryView>(`GET /v1/histories/${key}`, { as: 'admin' })).json
  const stored = async (key: string) => {
    const ref = parseHistoryKey(key)
    const [record, type] = await Promise.all([
      fleet.redis.get(keys.record(ref)),
      fleet.redis.hget(keys.history(ref), 'type'),
    ])
    return { type, rules: parseRecord(record as string).rules }
  }

  beforeEach(async () => {
    fleet = await startUniversity()
    const types = [
      typeNamed('news', 2, { level: 2 }),
      typeNamed('exams', 3, { level: 4, quiet: 'ignore', senders: ['staff', 'operator'] }),
    ]
    await writeSettings(fleet.redis, { expected: 0, by: 'operator-1', stored: { types } })
    await until(async () => (await send({ type: 'news' })).status === 201, 'the types are known')
  })
  afterEach(() => fleet.stop())

  it('is general where it says nothing, and then not a byte more is kept', async () => {
    const [named, silent] = [await send({ type: 'general', text: 'a' }), await send({ text: 'b' })]
    for (const { json } of [named, silent]) {
      expect((await view(json.key)).type).to.deep.equal({ id: 'general', name: { ru: 'Общее', en: 'General' } })
      expect(await stored(json.key)).to.deep.equal({ type: null, rules: undefined })
    }
    const bytes = ({ json }: typeof named) => fleet.redis.strlen(keys.record(parseHistoryKey(json.key)))
    expect(await bytes(named)).to.equal(await bytes(silent))
  })

  it('is kept for the couriers and shown with its name, with what else the message says', async () => {
    const said = { type: 'news', level: 1, quiet: 'respect', duplicates: 'allow' }
    const { status, json } = await send(said)
    expect(status).to.equal(201)
    expect(await stored(json.key)).to.deep.equal({ type: 'news', rules: said })
    expect(await view(json.key)).to.deep.include({
      ...said,
      type: { id: 'news', name: { ru: 'Вид news', en: 'Type news' } },
    })
  })

  it('belongs to the body: the same key with another type is another message', async () => {
    const { key } = (await fleet.ask<Answer>('POST /v1/history-keys', { as: 'trainer' })).json
    const put = (more: object) =>
      fleet.ask<Answer>(
        `PUT /v1/histories/${key}`,
        { as: 'trainer' },
        { to: ['group:own'], text: 'Hi', at: far, ...more },
      )
    expect((await put({ type: 'news' })).status).to.equal(201)
    expect((await put({ type: 'news' })).status).to.equal(200)
    for (const other of [{}, { type: 'news', level: 1 }, { type: 'news', quiet: 'respect' }])
      expect((await put(other)).json, JSON.stringify(other)).to.include({ code: 'another-body' })
  })

  it('there is none of is refused with those there are and the one that was meant, whichever way it is sent', async () => {
    const wanted = {
      code: 'unknown-type',
      field: 'type',
      detail: 'there is no type "nevs"; did you mean news? There are exams, general, news',
    }
    expect(await send({ type: 'nevs' })).to.nested.include({ status: 422, 'json.code': wanted.code })
    expect((await send({ type: 'nevs' })).json).to.include(wanted)
    const { key } = (await fleet.ask<Answer>('POST /v1/history-keys', { as: 'trainer' })).json
    const message = { to: ['group:own'], text: 'Hello', at: far, type: 'nevs' }
    expect((await fleet.ask(`PUT /v1/histories/${key}`, { as: 'trainer' }, message)).json).to.include(wanted)
    const headers = { 'content-type': 'application/x-ndjson' }
    const lines = [message, { ...message, type: 'news' }].map((line) => `${JSON.stringify(line)}\n`).join('')
    const bulk = await fleet.ask<string>('POST /v1/messages:bulk', { as: 'trainer', headers }, lines)
    const answers = bulk.json
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as BulkAnswer)
    expect(answers[0]).to.include(wanted)
    expect(answers[1]).to.include({ status: 201 })
  })

  it("service is nobody's to send", async () => {
    for (const as of ['trainer', 'admin'] as const)
      expect((await send({ type: 'service' }, as)).json).to.include({
        code: 'unknown-type',
        detail: 'the type "service" is for the fleet\'s own words. There are exams, general, news',
      })
  })

  it('may be for some roles only', async () => {
    expect((await send({ type: 'exams' }, 'staff')).status).to.equal(201)
    for (const as of ['trainer', 'admin'] as const)
      expect((await send({ type: 'exams' }, as)).json).to.include({
        status: 403,
        code: 'not-your-type',
        field: 'type',
        detail: `the type exams is for staff, operator, and you are ${as}`,
      })
  })

  it('has its level lowered by anyone and raised by operators', async () => {
    for (const level of [1, 2]) expect((await send({ type: 'news', level })).status).to.equal(201)
    for (const as of ['trainer', 'staff'] as const)
      expect((await send({ type: 'news', level: 3 }, as)).json).to.include({
        status: 403,
        code: 'raises-level',
        field: 'level',
        detail: 'messages of the type news have the level 2: only an operator may send one with 3',
      })
    expect((await send({ type: 'news', level: 5 }, 'operator')).status).to.equal(201)
  })

  it('is sent in quiet hours by staff, or where it says so itself', async () => {
    expect((await send({ type: 'news', quiet: 'ignore' })).json).to.include({
      status: 403,
      code: 'ignores-quiet',
      field: 'quiet',
      detail: 'messages of the type news keep quiet hours: only staff may send one that does not',
    })
    expect((await send({ type: 'news', quiet: 'ignore' }, 'staff')).status).to.equal(201)
    expect((await send({ type: 'exams', quiet: 'ignore' }, 'staff')).status).to.equal(201)
    expect((await send({ type: 'exams', quiet: 'respect' }, 'staff')).status).to.equal(201)
  })

  it('stands in the audit with what the message asked for', async () => {
    await send({ type: 'news', quiet: 'ignore', level: 5 }, 'operator')
    const { lines } = (await fleet.ask<{ lines: AuditLine[] }>('GET /v1/audit?limit=1', { as: 'operator' })).json
    expect(lines[0]).to.include({
      action: 'message.sent',
      by: 'operator-1',
      detail: 'group:own: 3 people; type news, level 5, quiet: ignore',
    })
  })

  it('of what the fleet says itself is service', async () => {
    await fleet.codeFor('trainer-1')
    const answer = await fleet.ask<Answer>(
      'POST /v1/answers',
      { as: 'inbound' },
      { channel: 'telegram', address: '7001', text: 'Sent' },
    )
    expect(await stored(answer.json.key)).to.deep.equal({ type: 'service', rules: { type: 'service' } })
    const refs = await fleet.redis.keys('history:*:system:*')
    expect(refs).to.have.length(1)
    expect(await fleet.redis.hget(refs[0] as string, 'type')).to.equal('service')
  })
})
