import { once } from 'node:events'
import { type AddressInfo, createConnection, createServer, type Server, type Socket } from 'node:net'
import { createHistories, silentLog, systemClock } from '@courier-fleet/core'
import { createApiKeys, createDirectory } from '@courier-fleet/directory'
import { freshRedis } from '@courier-fleet/testkit'
import { createTracker } from '@courier-fleet/tracker'
import { expect } from 'chai'
import { buildApp, connectQueueRedis } from '../src/index.ts'

/** What every request must answer within, Redis there or not. */
const withinMs = 2000

/** A way to Redis that can be cut, or fall silent. */
async function startProxy(target: URL) {
  const sockets = new Set<Socket>()
  let silent = false
  const server: Server = createServer((client) => {
    sockets.add(client)
    client.on('error', () => {}).on('close', () => sockets.delete(client))
    if (silent) return void client.resume()
    const redis = createConnection(Number(target.port), target.hostname)
    client.on('data', (bytes) => silent || redis.write(bytes))
    redis.on('data', (bytes) => silent || client.write(bytes))
    client.on('close', () => redis.destroy())
    redis.on('error', () => client.destroy()).on('close', () => client.destroy())
  })
  const port = await listen(server, 0)
  const cut = () => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    url: `redis://127.0.0.1:${port}${target.pathname}`,
    /** accepts, and never says a word */
    fallSilent: () => {
      silent = true
    },
    speak: () => {
      silent = false
      cut()
    },
    refuse: async () => {
      const closed = once(server, 'close')
      server.close()
      cut()
      await closed
    },
    accept: () => listen(server, port),
    cut,
    async stop() {
      cut()
      if (server.listening) await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function listen(server: Server, port: number): Promise<number> {
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

async function startBehindProxy() {
  const fresh = await freshRedis()
  const proxy = await startProxy(new URL(fresh.url))
  const redis = connectQueueRedis(proxy.url)
  const subscriber = connectQueueRedis(proxy.url)
  await Promise.all([redis.connect(), subscriber.connect()])
  const clock = systemClock
  const shards = 16
  const histories = createHistories({ redis, shards })
  const tracker = createTracker({ subscriber, histories })
  const directory = createDirectory({ redis, clock, country: 'RU' })
  const apiKeys = createApiKeys({ redis, clock })
  const app = await buildApp({ redis, histories, tracker, directory, apiKeys, clock, log: silentLog, shards })
  const { apiKey } = await apiKeys.create({ owner: 'boss', role: 'admin', label: 'test' })
  await directory.putPerson({ id: 'anna', name: 'Anna', role: 'student', timeZone: 'UTC', language: 'en' })
  return {
    proxy,
    redis,
    async call(method: 'GET' | 'POST', url: string, payload?: object) {
      const started = performance.now()
      const answer = await app.inject({
        method,
        url,
        headers: { authorization: `Bearer ${apiKey}` },
        ...(payload ? { payload } : {}),
      })
      return { answer, ms: performance.now() - started }
    },
    async stop() {
      await app.close()
      await tracker.stop()
      redis.disconnect()
      subscriber.disconnect()
      await proxy.stop()
      await fresh.stop()
    },
  }
}

describe('Redis away', () => {
  type Service = Awaited<ReturnType<typeof startBehindProxy>>
  let service: Service
  beforeEach(async () => {
    service = await startBehindProxy()
  })
  afterEach(() => service.stop())

  const message = { to: ['user:anna'], text: 'Hello', at: '2099-01-01T00:00:00Z' }

  async function everythingIs503() {
    const calls = await Promise.all([
      service.call('GET', '/v1/people'),
      service.call('POST', '/v1/messages', message),
      service.call('POST', '/v1/messages?wait=60s', message),
      service.call('POST', '/v1/history-keys'),
      service.call('GET', '/readyz'),
    ])
    for (const { answer, ms } of calls) {
      expect([answer.statusCode, answer.json().code]).to.deep.equal([503, 'redis-away'])
      expect(answer.headers['retry-after']).to.equal('2')
      expect(ms).to.be.lessThan(withinMs)
    }
    expect((await service.call('GET', '/healthz')).answer.statusCode).to.equal(200)
    expect((await service.call('GET', '/metrics')).answer.statusCode).to.equal(200)
  }

  async function worksAgain() {
    while ((await service.call('GET', '/readyz')).answer.statusCode !== 200);
    expect((await service.call('POST', '/v1/messages', message)).answer.statusCode).to.equal(201)
  }

  it('refused: 503 within two seconds, and works again after', async () => {
    await service.proxy.refuse()
    await everythingIs503()
    await service.proxy.accept()
    await worksAgain()
  })

  it('silent: 503 within two seconds, and works again after', async () => {
    service.proxy.fallSilent()
    await everythingIs503()
    service.proxy.speak()
    await worksAgain()
  })

  it('silent to every new connection: the same', async () => {
    service.proxy.fallSilent()
    service.proxy.cut()
    await everythingIs503()
    service.proxy.speak()
    await worksAgain()
  })

  it('gone in the middle of a wait: the one who waits is told', async () => {
    const waiting = service.call('POST', '/v1/messages?wait=60s', message)
    while ((await service.call('GET', '/v1/histories')).answer.json().histories.length === 0);
    await service.proxy.refuse()
    const { answer } = await waiting
    expect([answer.statusCode, answer.json().code]).to.deep.equal([503, 'redis-away'])
    await service.proxy.accept()
    await worksAgain()
  })
})
