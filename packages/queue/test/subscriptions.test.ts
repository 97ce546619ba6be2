/** Subscriptions over real HTTP, told to a real server on this machine. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { DeliveryList, SubscriptionCreated, SubscriptionList, SubscriptionTest } from '@courier-fleet/api-types'
import { keys } from '@courier-fleet/store'
import { secretHolder } from '@courier-fleet/subscriptions'
import { until } from '@courier-fleet/testkit'
import { newSecret, type SealingKey, sealingKey, sealSecret } from '@courier-fleet/webhooks'
import { expect } from 'chai'
import { Webhook } from 'standardwebhooks'
import { startUniversity, type University } from './university.ts'

interface Received {
  readonly headers: Record<string, string>
  readonly body: string
}

describe('subscriptions of the service', () => {
  let fleet: University
  let receiver: Server
  let url: string
  let answer: { status: number; headers?: Record<string, string> }
  const received: Received[] = []
  before(async () => {
    fleet = await startUniversity()
    receiver = createServer((request, response) => {
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('end', () => {
        received.push({ headers: request.headers as Record<string, string>, body: Buffer.concat(chunks).toString() })
        response.writeHead(answer.status, answer.headers).end()
      })
    })
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
    url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`
  })
  beforeEach(() => {
    received.length = 0
    answer = { status: 204 }
  })
  after(async () => {
    receiver.close()
    await fleet.stop()
  })
  afterEach(async () => {
    const { json } = await fleet.ask<SubscriptionList>('GET /v1/subscriptions?owner=*', { as: 'admin' })
    for (const { id } of json.subscriptions) await fleet.ask(`DELETE /v1/subscriptions/${id}`, { as: 'admin' })
  })

  const subscribe = (as: 'trainer' | 'staff' | 'operator', body: Record<string, unknown> = {}) =>
    fleet.ask<SubscriptionCreated>(
      'POST /v1/subscriptions',
      { as },
      { url, resource: 'group', resource_id: 'own', ...body },
    )
  const refused = async (as: 'trainer' | 'staff' | 'operator', body: Record<string, unknown>) => {
    const { status, json } = await subscribe(as, body)
    const { code, field, detail } = json as unknown as { code: string; field: string; detail: string }
    return { is: [status, code, field], detail }
  }

  it('are counted for whoever watches the fleet, with how long the oldest change has waited', async () => {
    // a scrape a second reads what there is
    const scraped = (said: RegExp) =>
      until(async () => said.test((await fleet.ask<string>('GET /metrics')).json), `a scrape says ${said}`)
    const { id } = (await subscribe('trainer')).json
    await subscribe('staff', { url: `${url}/other` })
    await scraped(/fleet_subscriptions\{state="active"\} 2[\s\S]*fleet_oldest_undelivered_seconds 0\n/)
    const sinceMs = Date.now() - 90_000
    const failing = JSON.stringify({ sinceMs, nextMs: sinceMs, why: 'answered 500' })
    await fleet.redis.hset(keys.subscription(id), 'failing', failing)
    await scraped(/fleet_subscriptions\{state="failing"\} 1[\s\S]*fleet_oldest_undelivered_seconds (89|9\d|1\d\d)/)
    await fleet.redis.hset(keys.subscription(id), 'disabled', JSON.stringify({ sinceMs, reason: 'failing', why: '' }))
    await scraped(/fleet_subscriptions\{state="disabled"\} 1[\s\S]*fleet_oldest_undelivered_seconds 0\n/)
    await fleet.redis.zadd(keys.subscriptionsDue, Date.now() - 300_000, 'another')
    await scraped(/fleet_oldest_undelivered_seconds (299|3\d\d)/)
    await fleet.redis.zrem(keys.subscriptionsDue, 'another')
  })

  it('are made with a secret that is answered once, listed, read and removed', async () => {
    const { status, json: made } = await subscribe('trainer')
    expect(status).to.equal(201)
    expect(made.secret).to.match(/^whsec_[A-Za-z0-9+/]{43}=$/)
    const { secret, ...shown } = made
    expect(shown).to.deep.include({
      owner: 'trainer-1',
      url,
      resource: 'group',
      resource_id: 'own',
      secrets: 1,
      state: 'active',
    })
    const list = await fleet.ask<SubscriptionList>('GET /v1/subscriptions', { as: 'trainer' })
    expect(list.json.subscriptions).to.deep.equal([shown])
    expect((await fleet.ask(`GET /v1/subscriptions/${made.id}`, { as: 'trainer' })).json).to.deep.equal(shown)
    // neither does Redis have it in the clear, anywhere
    for (const record of await fleet.redis.keys('subscri*'))
      if ((await fleet.redis.type(record)) === 'hash')
        expect(JSON.stringify(await fleet.redis.hgetall(record))).to.not.include(secret.slice(6, 40))
    expect((await fleet.ask(`DELETE /v1/subscriptions/${made.id}`, { as: 'trainer' })).status).to.equal(204)
    const gone = await fleet.ask(`GET /v1/subscriptions/${made.id}`, { as: 'trainer' })
    expect([gone.status, gone.json.code]).to.deep.equal([404, 'unknown-subscription'])
  })

  it('answer a repeated call as the first, its secret sealed meanwhile', async () => {
    const headers = { 'idempotency-key': 'subscribe-1' }
    const call = () =>
      fleet.ask<SubscriptionCreated>('POST /v1/subscriptions', { as: 'staff', headers }, { url, resource: 'history' })
    const [first, again] = [await call(), await call()]
    expect(again.json).to.deep.equal(first.json)
    const [kept = ''] = await fleet.redis.keys('idempotency:staff-1:*')
    expect(await fleet.redis.get(kept)).to.not.include('whsec_')
  })

  it('say why a URL is refused, and where', async () => {
    for (const [bad, why] of [
      ['ftp://example.org/', /must begin with https:\/\//],
      ['https://user:secret@example.org/', /no user name/],
      ['https://10.0.0.1/hook', /public address/],
      ['https://[::ffff:10.0.0.1]/hook', /public address/],
      ['https://2852039166/latest/meta-data', /public address/],
      ['https://example.org:6379/', /port 6379/],
      ['nowhere', /must be a URL/],
    ] as const) {
      const { is, detail } = await refused('trainer', { url: bad })
      expect(is, bad).to.deep.equal([422, 'refused-url', 'url'])
      expect(detail, bad).to.match(why)
    }
  })

  it('are for what there is and the caller may read', async () => {
    const cases: [as: 'trainer' | 'staff' | 'operator', body: Record<string, unknown>, is: unknown[]][] = [
      ['trainer', { resource_id: 'other' }, [404, 'unknown-resource', 'resource_id']],
      ['trainer', { resource_id: 'none' }, [404, 'unknown-resource', 'resource_id']],
      ['staff', { resource: 'history', resource_id: await fleet.send() }, [404, 'unknown-resource', 'resource_id']],
      ['trainer', { resource: 'person', resource_id: 'anna' }, [404, 'unknown-resource', 'resource_id']],
      ['trainer', { resource: 'ownership', resource_id: 'own' }, [422, 'invalid', 'resource_id']],
      ['trainer', { resource: 'history', resource_id: 'own' }, [422, 'invalid', 'resource_id']],
      ['trainer', { resource: 'campaign' }, [422, 'invalid', 'resource']],
    ]
    for (const [as, body, is] of cases) expect((await refused(as, body)).is, JSON.stringify(body)).to.deep.equal(is)
    for (const [as, body] of [
      ['trainer', { resource: 'history', resource_id: await fleet.send() }],
      ['trainer', { resource: 'person', resource_id: 'trainer-1' }],
      ['trainer', { resource: 'ownership', resource_id: 'group:own' }],
      ['staff', { resource: 'person', resource_id: 'anna' }],
      ['staff', { resource: 'cohort', resource_id: 'all' }],
      ['staff', { resource: 'type', resource_id: 'general' }],
      ['staff', { resource: 'person', resource_id: undefined }],
    ] as const)
      expect((await subscribe(as, body)).status, JSON.stringify(body)).to.equal(201)
  })

  it('are refused only for the same URL, resource and id', async () => {
    await subscribe('trainer')
    expect((await refused('staff', {})).is).to.deep.equal([409, 'already-subscribed', undefined])
    expect((await subscribe('staff', { url: `${url}2` })).status).to.equal(201)
  })

  it('of others are for operators to see and to remove, and for nobody to manage', async () => {
    const { id } = (await subscribe('trainer')).json
    const code = async (call: string, as: 'staff' | 'operator', body?: unknown) =>
      (await fleet.ask(`${call.replace('{id}', id)}`, { as }, body)).json.code
    for (const call of ['GET /v1/subscriptions/{id}', 'DELETE /v1/subscriptions/{id}'])
      expect(await code(call, 'staff'), call).to.equal('unknown-subscription')
    for (const as of ['staff', 'operator'] as const) {
      for (const call of [
        'POST /v1/subscriptions/{id}:rotate',
        'POST /v1/subscriptions/{id}:test',
        'GET /v1/subscriptions/{id}/deliveries',
      ])
        expect(await code(call, as), `${as}: ${call}`).to.equal('unknown-subscription')
      const since = new Date().toISOString()
      expect(await code('POST /v1/subscriptions/{id}:replay', as, { since })).to.equal('unknown-subscription')
    }
    expect(await code('GET /v1/subscriptions?owner=trainer-1', 'staff')).to.equal('not-allowed')
    const seen = await fleet.ask<SubscriptionList>('GET /v1/subscriptions?owner=trainer-1', { as: 'operator' })
    expect(seen.json.subscriptions.map((each) => each.id)).to.deep.equal([id])
    expect(seen.json.subscriptions[0]).to.not.have.property('secret')
    expect((await fleet.ask(`DELETE /v1/subscriptions/${id}`, { as: 'operator' })).status).to.equal(204)
  })

  it('are tried by a signed body, with what was answered, and it is among the deliveries', async () => {
    const { id, secret } = (await subscribe('trainer')).json
    const { json } = await fleet.ask<SubscriptionTest>(`POST /v1/subscriptions/${id}:test`, { as: 'trainer' })
    expect(json).to.include({ delivered: true, status: 204 })
    const [{ body, headers }] = received as [Received]
    const told = new Webhook(secret).verify(body, headers) as Record<string, unknown>
    expect(told).to.deep.include({
      type: 'subscription.test',
      subscription: id,
      resource: 'group',
      resource_id: 'own',
      diff: {},
    })
    expect(told.id).to.equal(headers['webhook-id'])
    answer = { status: 302, headers: { location: 'http://169.254.169.254/' } }
    const moved = await fleet.ask<SubscriptionTest>(`POST /v1/subscriptions/${id}:test`, { as: 'trainer' })
    expect(moved.json).to.include({ delivered: false, status: 302, why: 'redirects are not followed' })
    const { deliveries } = (await fleet.ask<DeliveryList>(`GET /v1/subscriptions/${id}/deliveries`, { as: 'trainer' }))
      .json
    expect(deliveries.map(({ status, delivered }) => [status, delivered])).to.deep.equal([
      [302, false],
      [204, true],
    ])
    expect(deliveries[1]?.body).to.equal(body)
  })

  it('sign with each secret of a day: the new one, and the one before it', async () => {
    const { id, secret } = (await subscribe('trainer')).json
    const rotated = await fleet.ask<{ secret: string; valid: number }>(`POST /v1/subscriptions/${id}:rotate`, {
      as: 'trainer',
    })
    expect([rotated.status, rotated.json.valid]).to.deep.equal([200, 2])
    await fleet.ask(`POST /v1/subscriptions/${id}:test`, { as: 'trainer' })
    const [{ body, headers }] = received as [Received]
    for (const each of [secret, rotated.json.secret]) new Webhook(each).verify(body, headers)
    expect(() => new Webhook(`whsec_${Buffer.alloc(32).toString('base64')}`).verify(body, headers)).to.throw()
  })

  it('are not called where a secret is of another FLEET_SECRET, until it is made anew', async () => {
    const { id } = (await subscribe('trainer')).json
    const sealing = sealingKey({ FLEET_SECRET: 'another secret of tests that is long enough' }) as SealingKey
    const sealed = sealSecret(sealing, newSecret(), secretHolder(id))
    const [readable] = JSON.parse((await fleet.redis.hget(keys.subscription(id), 'secrets')) as string)
    const test = async () =>
      (await fleet.ask<SubscriptionTest>(`POST /v1/subscriptions/${id}:test`, { as: 'trainer' })).json
    const rotate = async () =>
      (await fleet.ask<{ valid: number }>(`POST /v1/subscriptions/${id}:rotate`, { as: 'trainer' })).json
    for (const [secrets, valid] of [
      [[{ sealed }], 1],
      [[readable, { sealed, untilMs: Date.now() + 60_000 }], 2],
    ]) {
      await fleet.redis.hset(keys.subscription(id), 'secrets', JSON.stringify(secrets))
      const why = 'its secret cannot be read with this FLEET_SECRET: make it anew'
      expect(await test()).to.deep.equal({ delivered: false, why, ms: 0 })
      expect(received).to.deep.equal([])
      expect(await rotate()).to.include({ valid })
      expect(await test()).to.include({ delivered: true })
      received.length = 0
    }
  })

  it('are replayed since at most 14 days ago, and one that is disabled goes on by it', async () => {
    const { id } = (await subscribe('trainer')).json
    const replay = async (ms: number) => {
      const since = new Date(Date.now() + ms).toISOString()
      const { status, json } = await fleet.ask(`POST /v1/subscriptions/${id}:replay`, { as: 'trainer' }, { since })
      return [status, json.code]
    }
    const day = 86_400_000
    expect(await replay(60_000)).to.deep.equal([422, 'invalid'])
    expect(await replay(-15 * day)).to.deep.equal([422, 'invalid'])
    const disabled = JSON.stringify({ sinceMs: 1000, reason: 'failing', why: 'it answered 500' })
    await fleet.redis.hset(keys.subscription(id), { disabled })
    const state = async () => (await fleet.ask(`GET /v1/subscriptions/${id}`, { as: 'trainer' })).json
    expect(await state()).to.deep.include({
      state: 'disabled',
      disabled: { since: '1970-01-01T00:00:01.000Z', reason: 'failing', why: 'it answered 500' },
    })
    expect(await replay(-13 * day)).to.deep.equal([202, undefined])
    expect((await state()).state).to.equal('active')
    expect(Number(await fleet.redis.hget(keys.subscription(id), 'replay'))).to.be.closeTo(Date.now() - 13 * day, 60_000)
  })

  it('are noted in the audit, without a secret', async () => {
    const { id, secret } = (await subscribe('trainer')).json
    await fleet.ask(`POST /v1/subscriptions/${id}:rotate`, { as: 'trainer' })
    await fleet.ask(`DELETE /v1/subscriptions/${id}`, { as: 'operator' })
    const { json } = await fleet.ask<{ lines: { action: string; by: string; detail: string }[] }>(
      'GET /v1/audit?limit=3',
      { as: 'operator' },
    )
    expect(json.lines.map(({ action, by }) => [action, by])).to.deep.equal([
      ['subscription.removed', 'operator-1'],
      ['subscription.rotated', 'trainer-1'],
      ['subscription.created', 'trainer-1'],
    ])
    expect(json.lines[2]?.detail).to.equal(`${id}: group own, ${url}`)
    expect(JSON.stringify(json)).to.not.include(secret)
  })
})
