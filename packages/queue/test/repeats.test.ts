/** An answer never hides that what it answers about was cancelled, and the same moment is the same however it is written. */
import type { Acceptance, BulkAnswer } from '@courier-fleet/api-types'
import { keys } from '@courier-fleet/store'
import { expect } from 'chai'
import { type Call, far, type Service, startService } from './service.ts'

const message = { to: ['group:own'], text: 'Hello', at: far }

describe('a call repeated after its message was cancelled', () => {
  let service: Service
  beforeEach(async () => {
    service = await startService()
  })
  afterEach(() => service.stop())

  const call = (method: NonNullable<Call['method']>, path: string, body?: unknown, headers = {}) =>
    service.call(path, { method, as: 'trainer', headers, ...(body === undefined ? {} : { body }) })
  const cancel = async (key: string) => expect((await call('DELETE', `/v1/histories/${key}`)).status).to.equal(200)
  const issue = async () => String((await call('POST', '/v1/history-keys')).json.key)
  const once = { 'idempotency-key': 'once' }

  it('the same PUT says so, and what to do', async () => {
    const key = await issue()
    expect((await call('PUT', `/v1/histories/${key}`, message)).status).to.equal(201)
    await cancel(key)
    const { status, json } = await call('PUT', `/v1/histories/${key}`, message)
    expect([status, json.code, json.field]).to.deep.equal([409, 'cancelled', 'key'])
    expect(json.detail).to.match(/^it was cancelled at 20\S+Z; to send it after all, put it under a new key$/)
    expect((await call('PUT', `/v1/histories/${key}`, { ...message, text: 'x' })).json.code).to.equal('another-body')
  })

  it('a PUT under a key that was cancelled before anything was put says so', async () => {
    const key = await issue()
    await cancel(key)
    const { status, json } = await call('PUT', `/v1/histories/${key}`, message)
    expect([status, json.code]).to.deep.equal([409, 'cancelled'])
  })

  for (const [what, path] of [
    ['POST', '/v1/messages'],
    ['POST that waits', '/v1/messages?wait=0s'],
  ] as const) {
    it(`the same Idempotency-Key on a ${what} says so, whether the answer was kept or not`, async () => {
      const { json } = await call('POST', path, message, once)
      await cancel(String(json.key ?? (json.history as Acceptance).key))
      for (const kept of [true, false]) {
        if (!kept) await service.redis.del(...(await service.redis.keys(keys.idempotency('trainer-1', '*'))))
        const again = await call('POST', path, message, once)
        expect([again.status, again.json.code, again.json.field]).to.deep.equal([409, 'cancelled', 'Idempotency-Key'])
        expect(again.json.detail).to.match(/cancelled at 20\S+Z; to send it after all, use another Idempotency-Key$/)
      }
    })
  }

  it('so does the same Idempotency-Key on PUT and PATCH', async () => {
    const key = await issue()
    const put = () => call('PUT', `/v1/histories/${key}`, message, once)
    const patch = () => call('PATCH', `/v1/histories/${key}`, { at: far }, once)
    expect([(await put()).status, (await patch()).status]).to.deep.equal([201, 200])
    await cancel(key)
    expect([(await put()).json.code, (await patch()).json.code]).to.deep.equal(['cancelled', 'cancelled'])
  })

  it('so does a line of a bulk request', async () => {
    const bulk = async () => {
      const headers = { ...once, 'content-type': 'application/x-ndjson' }
      const lines = [message, { ...message, text: 'Other' }].map((line) => `${JSON.stringify(line)}\n`).join('')
      const { text } = await call('POST', '/v1/messages:bulk', lines, headers)
      return text.split('\n', 2).map((line) => JSON.parse(line) as BulkAnswer)
    }
    const [first] = await bulk()
    await cancel(String(first?.key))
    expect((await bulk()).map(({ status, code }) => [status, code])).to.deep.equal([
      [409, 'cancelled'],
      [200, undefined],
    ])
  })

  it('a message that was stopped while it ran is no different', async () => {
    const key = await issue()
    await call('PUT', `/v1/histories/${key}`, message)
    const [, sender, id] = key.split('.') as [string, string, string]
    await service.redis.hset(keys.history({ shard: key.slice(0, 2), sender, id }), {
      state: 'running',
      cancelled: Date.now(),
    })
    expect((await call('PUT', `/v1/histories/${key}`, message)).json.code).to.equal('cancelled')
  })
})

describe('the same moment in another offset', () => {
  let service: Service
  before(async () => {
    service = await startService()
  })
  after(() => service.stop())
  const day = far.slice(0, 10)
  const utc = { ...message, at: `${day}T09:00:00Z`, expires: `${day}T12:00:00Z` }
  const moscow = { ...message, at: `${day}T12:00:00+03:00`, expires: `${day}T15:00:00.000+03:00` }

  it('is the same body', async () => {
    const { json } = await service.call<{ key: string }>('/v1/history-keys', { method: 'POST', as: 'trainer' })
    const put = (body: object) => service.call(`/v1/histories/${json.key}`, { method: 'PUT', as: 'trainer', body })
    expect([(await put(utc)).status, (await put(moscow)).status]).to.deep.equal([201, 200])
    expect((await put({ ...moscow, at: utc.at.replace('09', '08') })).json.code).to.equal('another-body')
  })

  it('is the same call of an Idempotency-Key', async () => {
    const post = (body: object) =>
      service.call('/v1/messages', { method: 'POST', as: 'trainer', body, headers: { 'idempotency-key': 'offsets' } })
    const first = await post(utc)
    const again = await post(moscow)
    expect([again.status, again.json]).to.deep.equal([201, first.json])
  })
})
