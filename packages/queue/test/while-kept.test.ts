/** What is told of a message's people while it is purged, or cancelled before it has started: all of them, or that they are not. */
import { memberOf, parseHistoryKey } from '@courier-fleet/api-types'
import { createClient } from '@courier-fleet/client'
import { connectRedis, keys } from '@courier-fleet/store'
import { type FreshRedis, freshRedis, generatePeople } from '@courier-fleet/testkit'
import { purge } from '@courier-fleet/timekeeper'
import { expect } from 'chai'
import type { Redis } from 'ioredis'
import { type Service, startService } from './service.ts'

describe('what is told of people while they go', () => {
  /** more than a page of any kind */
  const everyone = 5100
  let fresh: FreshRedis
  let service: Service
  let url: string
  /** when the service tells Redis this of this key for the so many-th time, something happens before it */
  let interruption: { command: string; key: string; left: number; act: () => Promise<unknown> } | undefined
  const failures: unknown[] = []

  before(async () => {
    fresh = await freshRedis()
    service = await startService(fresh, undefined, undefined, (redisUrl) => {
      const redis = connectRedis(redisUrl, { name: 'queue', patienceMs: 60_000 }) as Redis
      const send = redis.sendCommand.bind(redis)
      redis.sendCommand = (command, stream) => {
        const isMeant = interruption?.command === command.name && interruption.key === String(command.args[0])
        if (!(interruption && isMeant) || --interruption.left > 0) return send(command, stream)
        const { act } = interruption
        interruption = undefined
        act()
          .catch((error: unknown) => failures.push(error))
          .then(() => send(command, stream))
        return command.promise
      }
      return redis
    })
    await service.directory.importCsv(generatePeople(everyone))
    url = await service.listen()
  })
  afterEach(() => {
    interruption = undefined
    expect(failures.splice(0)).to.deep.equal([])
  })
  after(async () => {
    await service.stop()
    await fresh.stop()
  })

  const historyKey = (key: string) => keys.history(parseHistoryKey(key))
  const recordKey = (key: string) => keys.record(parseHistoryKey(key))
  const audienceKey = (key: string) => keys.audience(parseHistoryKey(key))
  const purged = (key: string) => async () => {
    const ref = parseHistoryKey(key)
    await service.redis.zadd(keys.retention(ref.shard), 1, memberOf(ref))
    expect((await purge(service.redis, ref.shard, 86_400_000, 10)).messages).to.equal(1)
  }
  const cancelled = (key: string) => async () => {
    const client = createClient({ apiUrl: url, apiKey: service.keyOf.admin })
    expect((await client.cancel(key)).outcome).to.equal('cancelled')
  }
  const toAll = async () => {
    const body = { to: ['cohort:everyone'], text: 'Hello', at: new Date(Date.now() + 86_400_000).toISOString() }
    const client = createClient({ apiUrl: url, apiKey: service.keyOf.admin })
    return (await client.send(body)).key
  }
  /** @returns how many lines came, and how it ended */
  async function download(path: string): Promise<{ lines: number; end: 'whole' | 'broken off' }> {
    const headers = { authorization: `Bearer ${service.keyOf.admin}` }
    const response = await fetch(`${url}/v1/histories/${path}`, { headers })
    expect(response.status).to.equal(200)
    let lines = 0
    try {
      for await (const chunk of response.body as ReadableStream<Uint8Array>)
        for (const byte of chunk) if (byte === 10) lines += 1
      return { lines, end: 'whole' }
    } catch {
      return { lines, end: 'broken off' }
    }
  }

  const streams = [
    ['receipts?format=csv', everyone + 1],
    ['flow', everyone],
    ['flow?format=csv', 1],
  ] as const
  for (const [path, lines] of streams)
    it(`${path}: everybody, or the answer breaks off`, async () => {
      expect(await download(`${await toAll()}/${path}`)).to.deep.equal({ lines, end: 'whole' })
      for (const gone of [purged, cancelled]) {
        const between = await toAll()
        interruption = { command: 'hgetall', key: historyKey(between), left: 3, act: gone(between) }
        expect((await download(`${between}/${path}`)).end, `${gone.name} between two pages`).to.equal('broken off')
        const within = await toAll()
        interruption = { command: 'getrange', key: audienceKey(within), left: 2, act: gone(within) }
        expect((await download(`${within}/${path}`)).end, `${gone.name} within a page`).to.equal('broken off')
        expect(interruption).to.equal(undefined)
      }
    })

  it('a page of what was purged while it was read is no page, nor are its numbers', async () => {
    const reads = [
      ['receipts', 'getrange', recordKey],
      ['recount', 'hget', historyKey],
      ['funnel', 'hget', historyKey],
    ] as const
    for (const [path, command, keyOf] of reads) {
      const key = await service.send()
      interruption = { command, key: keyOf(key), left: 1, act: purged(key) }
      const { status, json } = await service.call(`/v1/histories/${key}/${path}`, { as: 'trainer' })
      expect([path, status, json.code]).to.deep.equal([path, 404, 'unknown-key'])
    }
  })

  it('whoever goes on is told that there is nobody to go on with: it was cancelled', async () => {
    const key = await toAll()
    const client = createClient({ apiUrl: url, apiKey: service.keyOf.admin })
    const { next } = await client.receipts(key, { limit: 1000 })
    await cancelled(key)()
    expect(await client.receipts(key)).to.deep.equal({ receipts: [] })
    const { status, json } = await service.call(`/v1/histories/${key}/receipts?from=${next}`, { as: 'admin' })
    expect([status, json.code]).to.deep.equal([409, 'was-cancelled'])
  })
})
