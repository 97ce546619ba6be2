import type { Role } from '@courier-fleet/api-types'
import { silentLog } from '@courier-fleet/process'
import { keys } from '@courier-fleet/store'
import { until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import Fastify from 'fastify'
import { createIdempotency, derivedHistoryId } from '../src/http/idempotency.ts'
import { addIdempotency } from '../src/http/idempotency-hooks.ts'
import { type Call, far, type Service, startService } from './service.ts'

const message = { to: ['group:own'], text: 'Hello', at: far }

/** A server of one route, whose answers wait before they are sent while it `isHeld`, as they do for a replica of Redis. */
async function startHeld({ redis }: Service, released: () => Promise<void>) {
  const app = Fastify()
  const server = { app, url: '', headers: { 'idempotency-key': 'one' }, isHeld: false, done: 0, held: 0, left: 0 }
  app.decorateRequest('principal')
  app.addHook('onRequest', async (request) => {
    request.principal = { owner: 'anna', role: 'admin', credential: 'hers' } as typeof request.principal
  })
  app.addHook('onSend', async () => {
    if (!server.isHeld) return
    server.held++
    await released()
  })
  app.addHook('onRequestAbort', async (_request) => {
    server.left++
  })
  addIdempotency(app, {
    idempotency: createIdempotency({ redis, log: silentLog }),
    histories: { accepted: () => Promise.reject(new Error('this is no message')) },
  })
  app.post('/', async () => ({ done: ++server.done }))
  server.url = await app.listen({ host: '127.0.0.1', port: 0 })
  return server
}

describe('Idempotency-Key', () => {
  let service: Service
  beforeEach(async () => {
    service = await startService()
  })
  afterEach(() => service.stop())

  function call(idempotencyKey: string, path: string, method: NonNullable<Call['method']>, as: Role, body?: unknown) {
    const headers = { 'idempotency-key': idempotencyKey }
    return service.call(path, { method, as, headers, ...(body === undefined ? {} : { body }) })
  }
  const post = (idempotencyKey: string, body: unknown = message) =>
    call(idempotencyKey, '/v1/messages', 'POST', 'trainer', body)

  async function sent(): Promise<number> {
    return (await service.call<{ histories: unknown[] }>('/v1/histories', { as: 'trainer' })).json.histories.length
  }

  it('gives the first answer again', async () => {
    const first = await post('one')
    const again = await post('one')
    expect(first.headers).not.to.have.property('idempotency-replayed')
    expect(again.headers['idempotency-replayed']).to.equal('true')
    expect([again.status, again.text, again.headers['content-type']]).to.deep.equal([
      201,
      first.text,
      first.headers['content-type'],
    ])
    expect(await sent()).to.equal(1)
  })

  it('keeps no refusal: what was refused did nothing, and may be right by now', async () => {
    const early = { ...message, to: ['group:late'] }
    expect((await post('one', early)).status).to.equal(422)
    await service.directory.putGroup({ id: 'late', name: 'Late', owners: ['trainer-1'] })
    await service.directory.addMembers('late', ['anna'])
    const again = await post('one', early)
    expect([again.status, again.headers['idempotency-replayed']]).to.deep.equal([201, undefined])
  })

  it('refuses another body under the same key', async () => {
    await post('one')
    const other = await post('one', { ...message, text: 'Goodbye' })
    expect([other.status, other.json.code, other.json.field]).to.deep.equal([
      422,
      'idempotency-key-reused',
      'Idempotency-Key',
    ])
    expect(await sent()).to.equal(1)
  })

  it('keeps no rehearsal: the call itself is made under the same key', async () => {
    const { key } = (await post('zero')).json as unknown as { key: string }
    const path = `/v1/histories/${key}/corrections`
    const correct = (query: string) => call('one', path + query, 'POST', 'trainer', { text: 'Goodbye' })
    for (const _ of [1, 2]) {
      const rehearsed = await correct('?dryRun=true')
      expect([rehearsed.status, rehearsed.headers['idempotency-replayed']]).to.deep.equal([200, undefined])
    }
    const first = await correct('')
    expect([first.status, first.json, first.headers['idempotency-replayed']]).to.deep.equal([
      202,
      { key, version: 2 },
      undefined,
    ])
    const again = await correct('')
    expect([again.status, again.json, again.headers['idempotency-replayed']]).to.deep.equal([202, first.json, 'true'])
    expect((await correct('?dryRun=true')).headers['idempotency-replayed'], 'the rehearsal').to.equal(undefined)
  })

  it('refuses a call that asks for something else under the same key, however long each waits', async () => {
    const sentNow = await post('one')
    const { key } = sentNow.json as unknown as { key: string }
    const waited = await call('one', '/v1/messages?wait=1s', 'POST', 'trainer', message)
    expect([waited.text, waited.headers['idempotency-replayed']]).to.deep.equal([sentNow.text, 'true'])
    const cancel = (query: string) => call('two', `/v1/histories/${key}${query}`, 'DELETE', 'trainer')
    expect((await cancel('')).status).to.equal(200)
    const other = await cancel('?recall=true')
    expect([other.status, other.json.code]).to.deep.equal([422, 'idempotency-key-reused'])
    expect((await cancel('')).headers['idempotency-replayed']).to.equal('true')
  })

  it('tells apart routes and owners', async () => {
    await post('one')
    const key = await call('one', '/v1/history-keys', 'POST', 'trainer')
    expect([key.status, key.headers['idempotency-replayed']]).to.deep.equal([201, undefined])
    const other = await call('one', '/v1/messages', 'POST', 'staff', message)
    expect([other.status, other.headers['idempotency-replayed']]).to.deep.equal([201, undefined])
  })

  it('sends one message for fifty equal requests at once', async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => post('one')))
    const texts = new Set(answers.filter(({ status }) => status === 201).map(({ text }) => text))
    expect(texts.size).to.equal(1)
    for (const { status, json } of answers) {
      if (status !== 201) expect([status, json.code]).to.deep.equal([409, 'in-progress'])
    }
    expect(await sent()).to.equal(1)
    expect((await post('one')).status).to.equal(201)
  })

  it('does not send twice when the answer of the first try was never kept', async () => {
    const first = await post('one')
    const [kept] = await service.redis.keys(keys.idempotency('trainer-1', '*'))
    await service.redis.del(kept as string)
    const again = await post('one')
    expect([again.status, again.json]).to.deep.equal([201, first.json])
    expect(again.headers).not.to.have.property('idempotency-replayed')
    await service.redis.del(kept as string)
    expect((await post('one', { ...message, text: 'Goodbye' })).json.code).to.equal('idempotency-key-reused')
    expect(await sent()).to.equal(1)
  })

  it('says so while the first call is running', async () => {
    const waiting = call('one', '/v1/messages?wait=60s', 'POST', 'trainer', message)
    const key = await until(async () => {
      const { json } = await service.call<{ histories: { key: string }[] }>('/v1/histories', { as: 'trainer' })
      return json.histories[0]?.key
    }, 'it is accepted')
    const second = await call('one', '/v1/messages?wait=60s', 'POST', 'trainer', message)
    expect([second.status, second.json.code, second.headers['retry-after']]).to.deep.equal([409, 'in-progress', '1'])
    await service.call(`/v1/histories/${key}`, { method: 'DELETE', as: 'trainer' })
    expect((await waiting).json.settled).to.equal(true)
    expect((await call('one', '/v1/messages?wait=60s', 'POST', 'trainer', message)).json.code).to.equal('cancelled')
  })

  const unsafe: [path: string, method: NonNullable<Call['method']>, body?: unknown][] = [
    ['/v1/history-keys', 'POST'],
    ['/v1/people/new', 'PUT', { name: 'New', role: 'student' }],
    ['/v1/people/dmitri', 'DELETE'],
    ['/v1/groups/new', 'PUT', { name: 'New' }],
    ['/v1/groups/own/members', 'POST', { people: ['dmitri'] }],
    ['/v1/groups/own/members/anna', 'DELETE'],
    ['/v1/cohorts/all', 'DELETE'],
    ['/v1/contacts/sms/anna', 'PUT', { address: '+79001234567' }],
    ['/v1/api-keys', 'POST', { owner: 'anna', role: 'student', label: 'x' }],
  ]
  for (const [path, method, body] of unsafe) {
    it(`holds for ${method} ${path}`, async () => {
      const first = await call('one', path, method, 'admin', body)
      expect(first.status).to.be.oneOf([200, 201, 204])
      const again = await call('one', path, method, 'admin', body)
      expect([again.status, again.text]).to.deep.equal([first.status, first.text])
      expect(again.headers['idempotency-replayed']).to.equal('true')
    })
  }

  it('keeps no API key in the clear', async () => {
    const body = { owner: 'anna', role: 'student', label: 'x' }
    const first = await call('one', '/v1/api-keys', 'POST', 'admin', body)
    // the secret may have an underscore of its own
    const [, secret] = /^cf_[0-9a-f]{16}_(.{32})$/.exec(String(first.json.apiKey)) as RegExpExecArray
    for (const key of await service.redis.keys(keys.idempotency('*', '*'))) {
      expect(await service.redis.get(key)).not.to.contain(secret)
    }
    const other = await service.apiKeys.create({ owner: 'admin-1', role: 'admin', label: 'second' })
    const headers = { authorization: `Bearer ${other.apiKey}`, 'idempotency-key': 'one' }
    expect((await service.call('/v1/api-keys', { method: 'POST', body, headers })).status).to.equal(422)
  })

  it('does nothing again for whoever leaves while the answer that was kept waits to be sent', async () => {
    let release = () => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    const server = await startHeld(service, () => released)
    const first = await fetch(server.url, { method: 'POST', headers: server.headers })
    expect([first.status, server.done]).to.deep.equal([200, 1])
    server.isHeld = true
    const leaving = new AbortController()
    const again = fetch(server.url, { method: 'POST', headers: server.headers, signal: leaving.signal }).catch(() => {})
    await until(async () => server.held === 1, 'the answer waits')
    leaving.abort()
    await again
    await until(async () => server.left === 1, 'the caller has left')
    server.isHeld = false
    release()
    const third = await fetch(server.url, { method: 'POST', headers: server.headers })
    expect([third.headers.get('idempotency-replayed'), server.done]).to.deep.equal(['true', 1])
    await server.app.close()
  })

  it('refuses a key that is none', async () => {
    for (const key of ['', 'a b', 'x'.repeat(256)]) {
      const answer = await post(key)
      expect([answer.status, answer.json.field]).to.deep.equal([400, 'Idempotency-Key'])
    }
  })

  it('derives another history for every owner, key and line', () => {
    const ids = [
      derivedHistoryId('a', 'b'),
      derivedHistoryId('b', 'a'),
      derivedHistoryId('a', 'b', 1),
      derivedHistoryId('a', 'c'),
    ]
    expect(new Set(ids).size).to.equal(ids.length)
  })
})
