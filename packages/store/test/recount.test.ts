import { type FreshRedis, freshRedis } from '@courier-fleet/testkit'
import { expect } from 'chai'
import type { Redis } from 'ioredis'
import { connectNode } from '../src/connection/connect.ts'
import { recount } from '../src/history/recount.ts'
import { keys } from '../src/keys.ts'

const ref = { shard: '01', sender: 'dean', id: 'lecture-0000' }
const people = 500

describe('a recount', () => {
  let fresh: FreshRedis
  let redis: Redis
  beforeEach(async () => {
    fresh = await freshRedis()
    redis = connectNode(fresh.url, { name: 'recount' })
    await redis.connect()
    await redis.hset(keys.history(ref), { size: people, expected: 'sms,vk', corrections: 'vk~2', 'sms:s': people })
    await redis.set(keys.receipts(ref, 'sms'), 's'.repeat(people))
  })
  afterEach(async () => {
    redis.disconnect()
    await fresh.stop()
  })

  it('counts what nothing was ever written of as pending, and corrections too', async () => {
    await redis.hset(keys.history(ref), { 'vk:s': 1, 'vk~2:d': 1 })
    await redis.set(keys.receipts(ref, 'vk'), 's')
    await redis.set(keys.receipts(ref, 'vk~2'), 'd')
    const found = await recount(redis, ref)
    expect(found.map(({ channel, balanced }) => [channel, balanced])).to.deep.equal([
      ['sms', true],
      ['vk', true],
      ['vk~2', true],
    ])
    expect(found[1]?.bytes).to.include({ sent: 1, pending: people - 1 })
  })

  it('says of which channel they do not agree, and of nothing what there is not', async () => {
    await redis.hset(keys.history(ref), { 'vk:s': 1 })
    const found = await recount(redis, ref)
    expect(found.map(({ channel, balanced }) => [channel, balanced])).to.deep.equal([
      ['sms', true],
      ['vk', false],
      ['vk~2', true],
    ])
    expect(await recount(redis, { ...ref, id: 'nothing' })).to.deep.equal([])
  })

  it('says nothing of a message that is purged meanwhile', async () => {
    const purging = Object.create(redis) as Redis
    purging.hgetall = async (history: string) => {
      const found = await redis.hgetall(history)
      await redis.unlink(history, keys.receipts(ref, 'sms'))
      return found
    }
    expect(await recount(purging, ref)).to.deep.equal([])
  })

  it('agrees at every moment, while one report after another comes', async () => {
    let isOver = false
    const reporting = (async () => {
      for (let ordinal = 0; ordinal < people; ordinal += 1) {
        const counted = fresh.redis
          .multi()
          .hincrby(keys.history(ref), 'sms:s', -1)
          .hincrby(keys.history(ref), 'sms:d', 1)
        await counted.setrange(keys.receipts(ref, 'sms'), ordinal, 'd').exec()
      }
      isOver = true
    })()
    while (!isOver)
      for (const { channel, ledger, bytes } of await recount(redis, ref)) expect(ledger, channel).to.deep.equal(bytes)
    await reporting
    expect((await recount(redis, ref))[0]?.bytes).to.include({ delivered: people, sent: 0 })
  })
})
