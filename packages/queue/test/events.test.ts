import { once } from 'node:events'
import { connect } from 'node:net'
import { historyView, parseHistoryKey } from '@courier-fleet/api-types'
import { hints, keys } from '@courier-fleet/store'
import { until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import { type Service, startService } from './service.ts'

describe('GET /v1/histories/{key}/events', () => {
  let service: Service
  let url: string
  before(async () => {
    service = await startService()
    url = await service.listen()
  })
  after(() => service.stop())

  async function listen(key: string, signal?: AbortSignal) {
    const headers = { authorization: `Bearer ${service.keyOf.trainer}`, accept: 'text/event-stream' }
    const response = await fetch(`${url}/v1/histories/${key}/events`, { headers, ...(signal ? { signal } : {}) })
    const { body } = response
    if (!body) throw new Error('no body')
    async function* events() {
      let rest = ''
      for await (const text of (body as ReadableStream).pipeThrough(new TextDecoderStream())) {
        const parts = (rest + text).split('\n\n')
        rest = parts.pop() as string
        for (const part of parts) if (part.startsWith('event: history')) yield part
      }
    }
    return { response, events: events() }
  }
  const viewOf = (event: string) => historyView.parse(JSON.parse(event.replace(/^event: history\ndata: /, '')))
  const subscribed = async (key: string) => {
    const reply = (await service.redis.pubsub('SHARDNUMSUB', hints.change(parseHistoryKey(key)))) as unknown
    return Number(Array.isArray(reply) ? reply[1] : Object.values(reply as object)[0])
  }

  it('tells the history now, then every change, and ends when it is over', async () => {
    const key = await service.send()
    const { response, events } = await listen(key)
    expect(response.headers.get('content-type')).to.equal('text/event-stream')
    const first = await events.next()
    expect(viewOf(first.value as string).state).to.equal('scheduled')
    const sooner = new Date(Date.now() + 200 * 86_400_000).toISOString()
    await service.call(`/v1/histories/${key}`, { method: 'PATCH', as: 'trainer', body: { at: sooner } })
    expect(viewOf((await events.next()).value as string).at).to.equal(sooner)
    await service.call(`/v1/histories/${key}`, { method: 'DELETE', as: 'trainer' })
    expect(viewOf((await events.next()).value as string).state).to.equal('cancelled')
    expect((await events.next()).done).to.equal(true)
  })

  it('goes on after it has settled while reports are open, and tells a later failure', async () => {
    const key = await service.send()
    const ref = parseHistoryKey(key)
    const size = Number(await service.redis.hget(keys.history(ref), 'size'))
    const change = async (byte: 's' | 'f', fields: Record<string, string | number>) => {
      await service.redis
        .multi()
        .set(keys.receipts(ref, 'sms'), byte.repeat(size))
        .set(keys.reasons(ref, 'sms'), (byte === 'f' ? 'U' : '\0').repeat(size))
        .hset(keys.history(ref), fields)
        .spublish(hints.change(ref), '')
        .exec()
    }
    await change('s', { state: 'settled', expected: 'sms', settled: Date.now(), 'sms:settled': 1, 'sms:s': size })
    const { events } = await listen(key)
    expect(viewOf((await events.next()).value as string)).to.deep.include({ state: 'settled' })
    const body = { timeout: 60, until: 'delivered' }
    const waiting = service.call(`/v1/histories/${key}/tracker`, { method: 'POST', as: 'trainer', body })
    await until(async () => (await subscribed(key)) === 1, 'both wait')
    await change('f', { 'sms:s': 0, 'sms:f': size })
    const { people } = viewOf((await events.next()).value as string)
    expect(people).to.deep.include({ handedOver: 0, notDelivered: size, why: { undelivered: size } })
    expect((await events.next()).done).to.equal(true)
    expect((await waiting).json.sentence).to.match(/^Nobody got it\./)
  })

  it('goes on while somebody is unknown, and tells what is found out elsewhere; a tracker does not wait for that', async () => {
    const key = await service.send()
    const ref = parseHistoryKey(key)
    const size = Number(await service.redis.hget(keys.history(ref), 'size'))
    await service.redis.set(keys.receipts(ref, 'sms'), 'u'.repeat(size))
    const fields = { state: 'settled', expected: 'sms', settled: Date.now(), 'sms:settled': 1, 'sms:u': size }
    await service.redis.hset(keys.history(ref), fields)
    const { events } = await listen(key)
    expect(viewOf((await events.next()).value as string).people).to.include({ unknown: size })
    const call = { method: 'POST', as: 'trainer' } as const
    const tracked = await service.call(`/v1/histories/${key}/tracker`, {
      ...call,
      body: { timeout: 60, until: 'delivered' },
    })
    expect(tracked.json.settled).to.equal(true)
    const body = { channel: 'sms', outcome: 'delivered', people: 'all' }
    const resolved = await service.call(`/v1/histories/${key}/receipts:resolve`, { ...call, body })
    expect(resolved.status, resolved.text).to.equal(200)
    expect(viewOf((await events.next()).value as string).people).to.include({ unknown: 0, delivered: size })
    expect((await events.next()).done).to.equal(true)
  })

  it('is waited for until one of two things', async () => {
    const key = await service.send()
    const body = { timeout: 1, until: 'read' }
    const answer = await service.call(`/v1/histories/${key}/tracker`, { method: 'POST', as: 'trainer', body })
    expect([answer.status, answer.json.field]).to.deep.equal([422, 'until'])
  })

  it('lets go of a client that goes away', async () => {
    const key = await service.send()
    const leave = new AbortController()
    const { events } = await listen(key, leave.signal)
    await events.next()
    await until(async () => (await subscribed(key)) === 1, 'it is listened to')
    leave.abort()
    await until(async () => (await subscribed(key)) === 0, 'nobody listens any more')
  })

  it('ends when the service stops, so that stopping does not wait for listeners', async () => {
    const other = await startService()
    const otherUrl = await other.listen()
    const key = await other.send()
    const response = await fetch(`${otherUrl}/v1/histories/${key}/events`, {
      headers: { authorization: `Bearer ${other.keyOf.trainer}` },
    })
    const reader = response.body?.getReader()
    await reader?.read()
    const waiting = fetch(`${otherUrl}/v1/histories/${key}/tracker`, {
      method: 'POST',
      headers: { authorization: `Bearer ${other.keyOf.trainer}`, 'content-type': 'application/json' },
      body: JSON.stringify({ timeout: 300 }),
    })
    await once(other.app.server, 'request')
    await other.stop()
    expect((await reader?.read())?.done).to.equal(true)
    expect(((await (await waiting).json()) as { settled: boolean }).settled).to.equal(false)
  })

  it('does not hold up the end of a service, nor does a connection on which nothing was asked', async () => {
    const other = await startService()
    const otherUrl = new URL(await other.listen())
    const key = await other.send()
    const leave = new AbortController()
    const headers = { authorization: `Bearer ${other.keyOf.trainer}` }
    const response = await fetch(`${otherUrl.origin}/v1/histories/${key}/events`, { headers, signal: leave.signal })
    await response.body?.getReader().read()
    // fetch opens the next one by itself when it is told to leave one, but not always in time
    const unasked = [connect(Number(otherUrl.port)), connect(Number(otherUrl.port))] as const
    unasked[1].write('GET /healthz HTTP/1.1\r\nHost')
    for (const socket of unasked) socket.on('error', () => {}) // it may be cut
    await Promise.all(unasked.map((socket) => once(socket, 'connect')))
    const accepted = () =>
      new Promise<number>((resolve) => other.app.server.getConnections((_error, count) => resolve(count)))
    await until(async () => (await accepted()) === 3, 'the service has them')
    leave.abort()
    await other.stop()
    for (const socket of unasked) socket.destroy()
  })

  it('is a plain problem for a key that is not known', async () => {
    const { response } = await listen('00.trainer-1.aaaaaaaaaaaa')
    expect(response.status).to.equal(404)
    expect(response.headers.get('content-type')).to.match(/^application\/problem\+json/)
  })
})
