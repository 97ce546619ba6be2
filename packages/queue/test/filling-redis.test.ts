/** Redis cannot be filled by anyone. */
import { type HistoryView, parseHistoryKey } from '@courier-fleet/api-types'
import { keys } from '@courier-fleet/store'
import { expect } from 'chai'
import { far } from './service.ts'
import { startUniversity, type University } from './university.ts'

const rules = { timeZone: 'Europe/Moscow', quotas: {} }
const message = { to: ['group:own'], text: 'x', at: far }

describe('what one owner may put into Redis', () => {
  let fleet: University
  const start = async (more: object = {}) => {
    fleet = await startUniversity({ ...rules, ...more })
  }
  afterEach(() => fleet.stop())

  type Answer = { readonly status: number; readonly json: { readonly code?: unknown } }
  const codeOf = ({ status, json }: Answer) => (status < 400 ? status : json.code)
  const codesOf = async (calls: Promise<Answer>[]) => (await Promise.all(calls)).map(codeOf)
  const count = (codes: unknown[], code: unknown) => codes.filter((each) => each === code).length

  it('is bounded by a rate of calls that change something, whatever becomes of them', async () => {
    await start({ callsPerSecond: { trainer: 1 } })
    const missing = () => fleet.ask('DELETE /v1/histories/00.trainer-1.aaaaaaaaaaaa', { as: 'trainer' })
    const begun = performance.now()
    const answers = await Promise.all(Array.from({ length: 60 }, missing))
    const codes = answers.map(codeOf)
    expect(count(codes, 'unknown-key')).to.be.within(30, 31 + (performance.now() - begun) / 1000)
    expect(count(codes, 'unknown-key') + count(codes, 'too-many-calls')).to.equal(60)
    const refused = answers.filter((answer) => codeOf(answer) === 'too-many-calls')
    expect(refused.map(({ headers }) => headers.get('retry-after'))).to.deep.equal(refused.map(() => '1'))
    expect((await fleet.ask('GET /v1/limits', { as: 'trainer' })).status, 'reading').to.equal(200)
    expect((await fleet.ask('POST /v1/history-keys', { as: 'staff' })).status, 'others').to.equal(201)
  })

  it('is bounded by messages a day, cancelled ones included', async () => {
    await start({ stored: { trainer: { messages: 5, bytes: 1_000_000 } } })
    const codes: unknown[] = []
    for (let i = 0; i < 7; i += 1) {
      const sent = await fleet.ask<{ key: string; code?: string }>('POST /v1/messages', { as: 'trainer' }, message)
      codes.push(sent.status === 201 ? 201 : sent.json.code)
      if (sent.status === 201) await fleet.ask(`DELETE /v1/histories/${sent.json.key}`, { as: 'trainer' })
    }
    expect(codes).to.deep.equal([201, 201, 201, 201, 201, 'too-much-today', 'too-much-today'])
    const lines = `${JSON.stringify(message)}\n`.repeat(2)
    const headers = { 'content-type': 'application/x-ndjson' }
    const bulk = await fleet.ask<string>('POST /v1/messages:bulk', { as: 'trainer', headers }, lines)
    expect(bulk.json).to.match(/"code":"too-much-today".*\n.*"code":"too-much-today"/)
    expect((await fleet.ask('POST /v1/messages', { as: 'staff' }, message)).status).to.equal(201)
  })

  it('is bounded by bytes a day: of texts, of audiences, of keys', async () => {
    await start({ stored: { trainer: { messages: 1000, bytes: 100_000 } } })
    const long = { ...message, text: 'я'.repeat(20_000) }
    const codes = await codesOf(
      Array.from({ length: 4 }, () => fleet.ask('POST /v1/messages', { as: 'trainer' }, long)),
    )
    expect([count(codes, 201), count(codes, 'too-much-today')]).to.deep.equal([2, 2])
    const issued = await codesOf(
      Array.from({ length: 120 }, () => fleet.ask('POST /v1/history-keys', { as: 'trainer' })),
    )
    expect(count(issued, 'too-much-today')).to.be.above(20)
  })

  it('is no answer of a call that did nothing', async () => {
    await start()
    const calls: [call: string, body?: unknown][] = [
      ['DELETE /v1/histories/00.trainer-1.aaaaaaaaaaaa'],
      ['POST /v1/messages', { to: [], text: 'x' }],
      ['POST /v1/audiences:resolve', { to: ['group:own'] }],
      [`POST /v1/histories/${await fleet.send()}/tracker`, { timeout: 0 }],
    ]
    for (const [call, body] of calls) {
      const headers = { 'idempotency-key': 'fresh' }
      const first = await fleet.ask(call, { as: 'trainer', headers }, body)
      const again = await fleet.ask(call, { as: 'trainer', headers }, body)
      expect([again.status, again.headers.get('idempotency-replayed')], call).to.deep.equal([first.status, null])
    }
    expect(await fleet.redis.keys('idempotency:*')).to.deep.equal([])
  })

  it('is little of a message that was cancelled before it started', async () => {
    await start()
    const people = Array.from({ length: 3000 }, (_, i) => `p-${i},P,student,crowd`)
    const headers = { 'content-type': 'text/csv' }
    await fleet.ask('POST /v1/imports', { as: 'admin', headers }, ['id,name,role,groups', ...people].join('\n'))
    for (const to of ['group:own', 'group:crowd']) {
      const body = { to: [to], text: 'т'.repeat(20_000), at: far }
      const { json } = await fleet.ask<HistoryView>('POST /v1/messages', { as: 'staff' }, body)
      const ref = parseHistoryKey(json.key)
      const before = (await fleet.ask<HistoryView>(`GET /v1/histories/${json.key}`, { as: 'staff' })).json
      expect((await fleet.ask(`DELETE /v1/histories/${json.key}`, { as: 'staff' })).status).to.equal(200)
      expect(await fleet.redis.exists(keys.audience(ref))).to.equal(0)
      expect(await fleet.redis.strlen(keys.record(ref))).to.be.below(120)
      const { json: after } = await fleet.ask<HistoryView>(`GET /v1/histories/${json.key}`, { as: 'staff' })
      const { text: _, to: __, cancelledAt, ...rest } = after
      expect(after).not.to.have.any.keys('text', 'to')
      expect(cancelledAt).to.be.a('string')
      const { text: ___, to: ____, senderLine: _____, ...was } = before
      expect(rest).to.deep.include({ ...was, state: 'cancelled' })
      const receipts = await fleet.ask<{ receipts: unknown[] }>(`GET /v1/histories/${json.key}/receipts`, {
        as: 'staff',
      })
      expect([receipts.status, receipts.json.receipts]).to.deep.equal([200, []])
      expect((await fleet.ask(`DELETE /v1/histories/${json.key}`, { as: 'staff' })).status, 'again').to.equal(200)
    }
  })

  it('is nothing new while Redis is nearly full; what was accepted goes on', async () => {
    await start({ redisFull: 'by-maxmemory' })
    await fleet.send()
    await fleet.stop()
    await start({ redisFull: 1 })
    const { json: sent } = await fleet.ask<{ code: string }>('POST /v1/messages', { as: 'trainer' }, message)
    expect(sent.code).to.equal('redis-nearly-full')
    const refused: [call: string, body?: unknown][] = [
      ['POST /v1/history-keys'],
      ['PUT /v1/people/new', { name: 'New', role: 'student' }],
      ['POST /v1/enrolments', { channel: 'sms' }],
    ]
    for (const [call, body] of refused) {
      const answer = await fleet.ask(call, { as: 'admin' }, body)
      expect([answer.status, answer.json.code, answer.headers.get('retry-after')], call).to.deep.equal([
        503,
        'redis-nearly-full',
        '30',
      ])
    }
    const lines = `${JSON.stringify(message)}\n`
    const type = { 'content-type': 'application/x-ndjson' }
    const bulk = await fleet.ask<string>('POST /v1/messages:bulk', { as: 'admin', headers: type }, lines)
    expect(bulk.json).to.contain('"status":503,"code":"redis-nearly-full"')
    expect((await fleet.ask('GET /v1/people', { as: 'admin' })).status).to.equal(200)
    expect((await fleet.ask('DELETE /v1/people/anna', { as: 'admin' })).status).to.equal(204)
    expect((await fleet.ask('POST /v1/sign-ins', {}, { person: 'admin-1' })).status).to.equal(202)
  })
})
