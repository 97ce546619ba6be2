import type { AddressInfo } from 'node:net'
import { createApiKeys, createDirectory } from '@courier-fleet/directory'
import { silentLog, systemClock } from '@courier-fleet/process'
import {
  connectRedis,
  connectSubscriber,
  createHistories,
  masterOnly,
  reachRedis,
  startLiveSettings,
} from '@courier-fleet/store'
import { freshRedis, redisGate, until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import { usualTimeoutMs } from '../src/connect-queue-redis.ts'
import { buildApp, connectQueueRedis } from '../src/index.ts'
import { createWebhooks } from '../src/subscriptions/webhooks.ts'
import { createTracker } from '../src/tracker/index.ts'
import { far } from './service.ts'

/** What every request answers within, Redis there or not: its settings say two seconds, a busy machine adds to them, and a call may wait for a minute. */
const withinMs = 20_000
/** A stream, and whoever waits, looks once a second, and then waits for an answer. */
const lookAndAnswerMs = 1000 + withinMs

async function startBehindGate() {
  const fresh = await freshRedis()
  const gate = await redisGate(fresh.url)
  const redis = connectQueueRedis(gate.url)
  const subscriber = connectSubscriber(gate.url, { name: 'changes' })
  await reachRedis(silentLog, redis)
  const clock = systemClock
  const rules = { timeZone: 'Europe/Moscow', quotas: {} }
  const shards = 16
  const log = silentLog
  const settings = await startLiveSettings({ redis, subscriber, log })
  const histories = createHistories({ redis, shards, settings })
  const tracker = createTracker({ subscriber, histories })
  const directory = createDirectory({ redis, country: 'RU' })
  const apiKeys = createApiKeys({ redis, clock })
  const built = {
    redis,
    durability: masterOnly,
    histories,
    tracker,
    directory,
    apiKeys,
    clock,
    log,
    shards,
    rules,
    settings,
  }
  const app = await buildApp({ ...built, webhooks: createWebhooks({}) })
  // with the patience that a queue has not
  const setUp = connectRedis(fresh.url, { name: 'set-up' })
  const { apiKey } = await createApiKeys({ redis: setUp, clock }).create({
    owner: 'boss',
    role: 'admin',
    label: 'test',
  })
  const anna = { id: 'anna', name: 'Anna', role: 'student', timeZone: 'UTC', language: 'en' } as const
  await createDirectory({ redis: setUp, country: 'RU' }).putPerson(anna)
  setUp.disconnect()
  await app.listen({ host: '127.0.0.1', port: 0 })
  const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`

  const open = (method: string, path: string, body?: RequestInit['body'], more: Record<string, string> = {}) =>
    fetch(url + path, {
      method,
      headers: {
        authorization: `Bearer ${apiKey}`,
        ...(typeof body === 'string' ? { 'content-type': 'application/json' } : {}),
        ...more,
      },
      ...(body ? { body, duplex: 'half' } : {}),
    })
  return {
    gate,
    open,
    async call(method: string, path: string, body?: object, more?: Record<string, string>) {
      const started = performance.now()
      const answer = await open(method, path, body && JSON.stringify(body), more)
      const text = await answer.text()
      const json = answer.headers.get('content-type')?.includes('json') ? JSON.parse(text) : undefined
      return { status: answer.status, headers: answer.headers, json, ms: performance.now() - started }
    },
    async stop() {
      await app.close()
      await tracker.stop()
      settings.stop()
      redis.disconnect()
      subscriber.disconnect()
      await gate.close()
      await fresh.stop()
    },
  }
}

type Service = Awaited<ReturnType<typeof startBehindGate>>
type Called = Awaited<ReturnType<Service['call']>>

describe('Redis away', () => {
  let service: Service
  beforeEach(async () => {
    service = await startBehindGate()
  })
  afterEach(() => service.stop())

  const message = { to: ['user:anna'], text: 'Hello', at: far }

  function expectAway({ status, headers, json, ms }: Called, what: string, maxMs = withinMs) {
    expect([status, json?.code], what).to.deep.equal([503, 'redis-away'])
    expect(headers.get('content-type'), what).to.contain('application/problem+json')
    expect(headers.get('retry-after'), what).to.equal('2')
    expect(ms, what).to.be.lessThan(maxMs)
  }

  /** Without an API key Redis is asked only once the body has been looked at. */
  const unsigned: Record<string, object> = {
    '/v1/sign-ins': { person: 'anna' },
    '/v1/sessions': { person: 'anna', code: '12345678' },
  }

  /** Every route there is, as the service itself describes them, and some with what could be accepted. */
  async function everythingIs503() {
    const { json } = await service.call('GET', '/openapi.json')
    const paths = Object.entries(json.paths as Record<string, object>).filter(([path]) => path.startsWith('/v1/'))
    const routes = paths.flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => [method.toUpperCase(), path.replaceAll(/\{[^}]+\}/g, 'x')] as const),
    )
    expect(routes.length).to.be.above(30)
    const calls = [
      ...routes.map(
        async ([method, path]) =>
          [
            await service.call(method, path, method === 'POST' ? unsigned[path] : undefined),
            `${method} ${path}`,
          ] as const,
      ),
      ...['', '?wait=60s'].map(
        async (query) => [await service.call('POST', `/v1/messages${query}`, message), 'with a body'] as const,
      ),
      service.call('GET', '/readyz').then((called) => [called, '/readyz'] as const),
    ]
    for (const [called, what] of await Promise.all(calls)) expectAway(called, what)
    for (const path of ['/healthz', '/metrics']) expect((await service.call('GET', path)).status, path).to.equal(200)
  }

  /** What is answered once Redis is there. To a machine that stands still for two seconds it has been away, too. */
  const whenThere = (...asked: Parameters<Service['call']>): Promise<Called> =>
    until(async () => {
      const called = await service.call(...asked)
      return called.status !== 503 && called
    }, 'Redis is there again')
  const histories = async () => (await whenThere('GET', '/v1/histories')).json.histories as { key: string }[]
  async function worksAgain() {
    expect((await whenThere('GET', '/readyz')).status).to.equal(200)
    expect(await histories(), 'nothing was accepted').to.deep.equal([])
    expect((await whenThere('POST', '/v1/messages', message)).status).to.equal(201)
  }

  it('refused: 503 soon, and works again after', async () => {
    await service.gate.refuse()
    await everythingIs503()
    await service.gate.restore()
    await worksAgain()
  })

  it('silent: 503 soon, and works again after', async () => {
    service.gate.silence()
    await everythingIs503()
    service.gate.abandon()
    await worksAgain()
  })

  it('silent for longer than usual: waits where it is told to', async () => {
    const fresh = await freshRedis()
    const gate = await redisGate(fresh.url)
    const redis = connectQueueRedis(gate.url, 60_000)
    try {
      await reachRedis(silentLog, redis)
      gate.silence()
      const asked = redis.ping()
      await new Promise((resolve) => setTimeout(resolve, 1.5 * usualTimeoutMs))
      await gate.restore()
      expect(await asked).to.equal('PONG')
    } finally {
      redis.disconnect()
      await gate.close()
      await fresh.stop()
    }
  })

  it('silent to every new connection: the same', async () => {
    service.gate.silence()
    service.gate.cut()
    await everythingIs503()
    service.gate.abandon()
    await worksAgain()
  })

  for (const [how, goAway, comeBack] of [
    ['refused', () => service.gate.refuse(), () => service.gate.restore()],
    ['silent', async () => service.gate.silence(), async () => service.gate.abandon()],
  ] as const) {
    it(`${how} in the middle of a wait: the one who waits is told, and may repeat the call`, async () => {
      const idempotent = { 'idempotency-key': 'once' }
      // one that stood still for as long as Redis may be silent is told that it is away, and calls again
      const wait = async (): Promise<Called> => {
        const called = await service.call('POST', '/v1/messages?wait=60s', message, idempotent)
        return [409, 503].includes(called.status) && !isGone ? wait() : called
      }
      let isGone = false
      const waiting = wait()
      await until(async () => (await histories()).length > 0, 'it is accepted')
      isGone = true
      const gone = performance.now()
      await goAway()
      const told = await waiting
      expectAway({ ...told, ms: performance.now() - gone }, 'who waits', lookAndAnswerMs)
      await comeBack()
      // the mark of the first call goes as soon as Redis can be told
      const repeated = await until(async () => {
        const called = await whenThere('POST', '/v1/messages?wait=0', message, idempotent)
        return called.status !== 409 && called
      }, 'the first call is over')
      expect(repeated.status).to.equal(202)
      expect(repeated.ms).to.be.below(withinMs)
      expect((await histories()).map(({ key }) => key)).to.deep.equal([repeated.json.history.key])
    })

    it(`${how} in the middle of a bulk: the lines accepted are kept, the others answered 503`, async () => {
      const lines = new TransformStream<Uint8Array, Uint8Array>()
      const writer = lines.writable.getWriter()
      const write = () => writer.write(new TextEncoder().encode(`${JSON.stringify(message)}\n`))
      const first = write()
      const type = { 'content-type': 'application/x-ndjson' }
      const answer = await service.open('POST', '/v1/messages:bulk', lines.readable, type)
      const reader = (answer.body as ReadableStream<Uint8Array>).getReader()
      const read = async () => JSON.parse(new TextDecoder().decode((await reader.read()).value))
      await first
      const accepted = await read()
      expect(accepted.status).to.equal(201)

      await goAway()
      const asked = performance.now()
      await write()
      expect(await read()).to.include({ line: 2, status: 503, code: 'redis-away' })
      expect(performance.now() - asked).to.be.below(withinMs)
      await writer.close()
      await comeBack()
      expect((await histories()).map(({ key }) => key)).to.deep.equal([accepted.key])
    })

    it(`${how} while events are followed: the stream ends, and can be followed again`, async () => {
      const { key } = (await whenThere('POST', '/v1/messages', message)).json
      const follow = () => service.open('GET', `/v1/histories/${key}/events`)
      const reader = ((await follow()).body as ReadableStream<Uint8Array>).getReader()
      expect(new TextDecoder().decode((await reader.read()).value)).to.contain('event: history')
      const gone = performance.now()
      await goAway()
      const ending = await reader.read().then(
        ({ done }) => done,
        () => true,
      )
      expect(ending).to.equal(true)
      expect(performance.now() - gone).to.be.below(lookAndAnswerMs)
      await comeBack()
      await whenThere('GET', `/v1/histories/${key}`)
      const again = await follow()
      expect(again.status).to.equal(200)
      await again.body?.cancel()
    })
  }
})
