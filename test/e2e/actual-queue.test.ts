/**
 * actual_queue's own scenario, as its users know it: an event with a delay, a recheck that says error and one that says ok, two events
 * that wait until somebody is online, and the statistics by type. Over its own interface, a real fleet and a real receiver.
 */
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { ChannelList, HistoryView } from '@courier-fleet/api-types'
import { createApiKeys } from '@courier-fleet/directory'
import { systemClock } from '@courier-fleet/process'
import { type OwnRedis, ownRedis, until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import { type Fleet, startFleet } from './fleet.ts'

interface Called {
  readonly path: string
  readonly atMs: number
  readonly body: { readonly type: string; readonly data?: { readonly uid?: string; readonly type?: string } }
}

describe('a system that was written for actual_queue', () => {
  let redis: OwnRedis
  let fleet: Fleet
  let server: Server
  let own: string
  let senderKey: string
  let presenceKey: string
  const calls: Called[] = []
  /** what a recheck is answered, by its path */
  const rechecks = new Map<string, { status: number; body: string }>()
  const called = (path: string) => calls.filter((call) => call.path === path)

  before(async () => {
    server = createServer((request, response) => {
      let text = ''
      request.setEncoding('utf8').on('data', (chunk) => {
        text += chunk
      })
      request.on('end', () => {
        const path = request.url ?? ''
        calls.push({ path, atMs: Date.now(), body: JSON.parse(text) })
        const { status = 200, body = '' } = rechecks.get(path) ?? {}
        response.writeHead(status).end(body)
      })
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    own = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    redis = await ownRedis()
    fleet = await startFleet({ redis, couriers: { http: 1 }, queueEnv: { ACTUAL_QUEUE: 'on' } })
    const keys = createApiKeys({ redis: redis.redis(), clock: systemClock })
    senderKey = (await keys.create({ owner: 'shop', role: 'staff', label: 'e2e' })).apiKey
    presenceKey = (await keys.create({ owner: 'site', role: 'presence', label: 'e2e' })).apiKey
    for (const id of ['coupon', 'building']) {
      const { status } = await fleet.api.call('PUT', `/v1/types/${id}`, { name: { ru: id, en: id } })
      expect(status).to.be.below(300)
    }
    await fleet.api.call('PUT', '/v1/people/anna', { name: 'Анна', role: 'student' })
  })
  after(async () => {
    await fleet?.stop()
    await redis?.stop()
    server.close()
  })

  type Fields = Record<string, string | number>
  async function get(path: string, fields: Fields, key = senderKey) {
    const query = new URLSearchParams({ key, ...fields } as Record<string, string>)
    const answer = await fetch(`${fleet.apiUrl}${path}?${query}`)
    return { status: answer.status, text: await answer.text(), location: answer.headers.get('location') ?? '' }
  }
  async function post(path: string, fields: Fields, key = senderKey) {
    const body = new URLSearchParams(fields as Record<string, string>)
    const answer = await fetch(`${fleet.apiUrl}${path}`, {
      method: 'POST',
      body,
      headers: { authorization: `Bearer ${key}` },
    })
    return { status: answer.status, text: await answer.text(), location: answer.headers.get('location') ?? '' }
  }
  async function setSettings(change: { onlineIntervalSeconds: number }) {
    const { version } = await fleet.api.get<{ version: number }>('/v1/settings')
    const headers = {
      authorization: `Bearer ${fleet.apiKey}`,
      'content-type': 'application/json',
      'if-match': `"${version}"`,
    }
    const { status } = await fetch(`${fleet.apiUrl}/v1/settings`, {
      method: 'PATCH',
      headers,
      body: JSON.stringify(change),
    })
    expect(status).to.equal(200)
    await until(async () => {
      const { settings } = await fleet.api.get<ChannelList>('/v1/channels')
      return settings.using === settings.of
    }, 'all processes know')
  }
  const stateOf = async (location: string) =>
    await fleet.api.get<{ state: string; waiting?: { cause: string }[] }>(location)
  const dueAt = async (location: string) => Date.parse((await fleet.api.get<HistoryView>(location)).at ?? '')

  it('has its URL called once the delay is over, and not before', async () => {
    const atMs = Date.now()
    const { status, text } = await get('/send_delayed', {
      url: `${own}/built`,
      delay: 1,
      uid: 'anna',
      type: 'building',
    })
    expect([status, text]).to.deep.equal([200, 'ok'])
    await until(() => called('/built').length === 1, 'it is called')
    const [call] = called('/built')
    expect((call?.atMs ?? 0) - atMs).to.be.at.least(1000)
    expect(call?.body.data).to.deep.equal({ uid: 'anna', type: 'building' })
  })

  it('asks its recheck first: after error the URL is not called, after ok it is', async () => {
    rechecks.set('/recheck-error', { status: 200, body: 'error' })
    rechecks.set('/recheck-ok', { status: 200, body: 'ok' })
    const fields = { delay: 0, type: 'building', uid: 'anna' }
    const no = await post('/send_delayed', { ...fields, url: `${own}/no`, recheck_url: `${own}/recheck-error` })
    const yes = await post('/send_delayed', { ...fields, url: `${own}/yes`, recheck_url: `${own}/recheck-ok` })
    expect([no.status, yes.status]).to.deep.equal([200, 200])
    await until(() => called('/yes').length === 1, 'it is called')
    await until(async () => (await stateOf(no.location)).state === 'settled', 'the other is over')
    expect(called('/no')).to.deep.equal([])
    expect(called('/recheck-error')).to.not.deep.equal([])
    const asked = called('/recheck-ok')[0]?.atMs ?? Number.POSITIVE_INFINITY
    expect(asked).to.be.at.most(called('/yes')[0]?.atMs ?? 0)
  })

  it('has one of two called for each report that somebody is online, the one that was due first', async () => {
    await setSettings({ onlineIntervalSeconds: 1 })
    const fields = { uid: 'anna', type: 'coupon', send_than_online: 'true' }
    const second = await get('/send_delayed', { ...fields, delay: 1, url: `${own}/second` })
    const first = await get('/send_delayed', { ...fields, delay: 0, url: `${own}/first` })
    for (const { location } of [first, second])
      await until(async () => (await stateOf(location)).waiting?.[0]?.cause === 'online', 'it waits for her')
    expect([called('/first'), called('/second')]).to.deep.equal([[], []])
    // of a machine that stood still between the two calls, the one that was asked for first may be due first
    const [before, after] = await Promise.all([first, second].map(({ location }) => dueAt(location)))
    const [one, other] = (before as number) < (after as number) ? ['/first', '/second'] : ['/second', '/first']

    const reportedMs = Date.now()
    expect((await get('/user_online', { uid: 'anna' }, presenceKey)).text).to.equal('ok')
    await until(() => called(one).length === 1, 'the first is called')
    expect(called(other)).to.deep.equal([])
    await until(async () => {
      await post('/user_online', { uid: 'anna' }, presenceKey)
      return called(other).length === 1
    }, 'the second is called, once the interval is over')
    expect(called(one)).to.have.length(1)
    expect((called(other)[0]?.atMs ?? 0) - reportedMs).to.be.at.least(1000)
  })

  it('counts by type, of 7 days and of 24 hours', async () => {
    const apiKey = fleet.apiKey
    for (const span of ['daily', 'hourly']) {
      const told = await until(async () => {
        const { text } = await get(`/stats/types/${span}`, {}, apiKey)
        const types = JSON.parse(text) as Record<string, Record<string, { received: number; sent: number }>>
        const sumOf = (type: string) =>
          Object.values(types[type] ?? {}).reduce(
            (sum, each) => [(sum[0] ?? 0) + each.received, (sum[1] ?? 0) + each.sent],
            [0, 0],
          )
        const sums = { building: sumOf('building'), coupon: sumOf('coupon') }
        return sums.coupon[1] === 2 && sums.building[1] === 2 ? sums : undefined
      }, 'all of it is counted')
      expect(told).to.deep.equal({ building: [3, 2], coupon: [2, 2] })
    }
  })

  it('is refused what it may not, and told what would be right', async () => {
    const problem = async (answer: Promise<{ status: number; text: string }>) => {
      const { status, text } = await answer
      const { code, field } = JSON.parse(text)
      return [status, code, field]
    }
    const url = `${own}/never`
    expect(await problem(get('/send_delayed', { url }, 'cf_none'))).to.deep.equal([401, 'bad-api-key', undefined])
    expect(await problem(get('/send_delayed', { url }, ''))).to.deep.equal([401, 'no-api-key', undefined])
    expect(await problem(get('/send_delayed', { url }, presenceKey))).to.deep.equal([403, 'not-allowed', undefined])
    expect(await problem(get('/user_online', { uid: 'anna' }))).to.deep.equal([403, 'not-allowed', undefined])
    expect(await problem(get('/send_delayed', {}))).to.deep.equal([422, 'invalid', 'url'])
    expect(await problem(get('/send_delayed', { url, delay: 'soon' }))).to.deep.equal([422, 'invalid', 'delay'])
    expect(await problem(get('/send_delayed', { url, dealy: 5 }))).to.deep.equal([422, 'invalid', 'dealy'])
    expect(await problem(get('/send_delayed', { url, type: 'none' }))).to.deep.equal([422, 'unknown-type', 'type'])
    expect(await problem(get('/send_delayed', { url, send_than_online: '1' }))).to.deep.equal([422, 'invalid', 'uid'])
    const stranger = { url, uid: 'nobody-here', send_than_online: '1' }
    expect(await problem(get('/send_delayed', stranger))).to.deep.equal([422, 'unknown-person', 'whenOnline'])
    expect(called('/never')).to.deep.equal([])
  })
})
