import { shardName } from '@courier-fleet/api-types'
import { retentionMs, silentLog } from '@courier-fleet/process'
import { connectNode, keys } from '@courier-fleet/store'
import { capturedLog, type FreshRedis, freshRedis, ownRedis, until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import type { Redis } from 'ioredis'
import { createRetention, type Rounds } from '../src/index.ts'

const shards = 2
const keptMs = 3_600_000
const refOf = (index: number) => ({ shard: shardName(index % shards), sender: 'dean', id: `message-${index}` })

/** Messages that were over `agoMs` ago. */
async function addOver(redis: Redis, from: number, to: number, agoMs: number): Promise<void> {
  for (let index = from; index < to; index += 1) {
    const ref = refOf(index)
    await Promise.all([
      redis.hset(keys.history(ref), { state: 'settled', expected: 'vk' }),
      redis.set(keys.receipts(ref, 'vk'), 's'),
      redis.zadd(keys.retention(ref.shard), Date.now() - agoMs, `${ref.sender}:${ref.id}`),
    ])
  }
}

const historiesLeft = async (redis: Redis) => (await redis.keys('history:*')).length

const read = (text: string | undefined) => retentionMs(text, 'RETENTION_DAYS')

describe('retention', () => {
  it('takes a number of days, or says what it wants', () => {
    expect(read(undefined)).to.equal(90 * 86_400_000)
    expect(read('0.5')).to.equal(43_200_000)
    for (const bad of ['0', '-1', 'ninety', '1e3', '90 days', '.', ' ']) {
      expect(() => read(bad), bad).to.throw(/^RETENTION_DAYS must be a number of days above 0.*\n?$/)
    }
  })

  describe('on a schedule of its own', () => {
    let fresh: FreshRedis
    const started: Rounds[] = []
    const run = (redis: Redis, log = silentLog) => {
      const retention = createRetention({ redis, shards, keptMs: () => keptMs, log })
      started.push(retention)
      retention.start()
      return retention
    }
    beforeEach(async () => {
      fresh = await freshRedis()
    })
    afterEach(async () => {
      await Promise.all(started.splice(0).map((retention) => retention.stop()))
      await fresh.stop()
    })

    it('removes what is old in every shard, in more than one step, says how much, and leaves the rest', async () => {
      await addOver(fresh.redis, 0, 250, keptMs + 1000)
      await addOver(fresh.redis, 250, 260, keptMs - 60_000)
      const { log, text } = capturedLog()
      run(fresh.redis, log)
      run(fresh.redis)
      let left = Number.POSITIVE_INFINITY
      const looked = setInterval(() => void historiesLeft(fresh.redis).then((found) => (left = found)), 10)
      await until(() => left <= 10, 'the old ones are gone')
      await Promise.all(started.map((retention) => retention.stop()))
      clearInterval(looked)
      expect(await fresh.redis.keys('receipts:*')).to.have.length(10)
      expect(await fresh.redis.zcard(keys.retention('00'))).to.equal(5)
      expect(text()).to.match(/"messages":\d+,"entries":0.*removed/)
    })

    it('stops between two steps, twice if asked', async () => {
      await addOver(fresh.redis, 0, 600, keptMs + 1000)
      const retention = run(fresh.redis)
      await Promise.all([retention.stop(), retention.stop()])
      expect(await historiesLeft(fresh.redis)).to.be.within(400, 600)
    })
  })

  it('counts by what is set now: shortened, what is over longer than that goes at once', async () => {
    const fresh = await freshRedis()
    let kept = keptMs
    const retention = createRetention({ redis: fresh.redis, shards, keptMs: () => kept, log: silentLog })
    try {
      await addOver(fresh.redis, 0, 40, keptMs - 60_000)
      await addOver(fresh.redis, 40, 50, 1000)
      retention.start()
      retention.hurry()
      await addOver(fresh.redis, 50, 51, keptMs + 1000)
      retention.hurry()
      await until(async () => (await historiesLeft(fresh.redis)) === 50, 'a round is over')
      kept = 60_000
      retention.hurry()
      await until(async () => (await historiesLeft(fresh.redis)) === 10, 'the older ones are gone')
    } finally {
      await retention.stop()
      await fresh.stop()
    }
  })

  it('goes on when Redis was away', async () => {
    const server = await ownRedis()
    const redis = connectNode(server.url, { name: 'retention' })
    const retention = createRetention({ redis, shards, keptMs: () => keptMs, log: silentLog })
    try {
      await redis.connect()
      await addOver(redis, 0, 300, keptMs + 1000)
      retention.start()
      await server.kill()
      await server.restart()
      const watcher = server.redis()
      await until(async () => (await historiesLeft(watcher)) === 0, 'all are gone')
    } finally {
      await retention.stop()
      redis.disconnect()
      await server.stop()
    }
  })
})
