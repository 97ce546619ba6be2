/** When new messages are laid by all shards of a fleet that grows: as soon as every process that is alive looks into them. */
import { silentLog } from '@courier-fleet/process'
import {
  announceProcess,
  beginGrowth,
  fixLaying,
  grownLayout,
  joinFleet,
  keys,
  masterOnly,
  readShards,
} from '@courier-fleet/store'
import { type FreshRedis, freshRedis, until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import { createGrowth } from '../src/growth.ts'

describe('a growth of shards', () => {
  let fresh: FreshRedis
  beforeEach(async () => {
    fresh = await freshRedis()
    await joinFleet(fresh.redis, 16)
  })
  afterEach(async () => {
    fixLaying(undefined)
    await fresh.stop()
  })

  const sinceMs = async () => (await readShards(fresh.redis)).sinceMs

  it('waits for the last process that does not look into all, and for one of an older version', async () => {
    const { redis } = fresh
    const announce = (name: string) => announceProcess(redis, { name, role: 'courier' }, () => ({ ready: true }))
    const courier = announce('courier-sms-1')
    await courier.refresh()
    await beginGrowth(redis, 16, 64, grownLayout)
    await joinFleet(redis)
    const timekeeper = announce('timekeeper')
    await timekeeper.refresh()
    let looks = 0
    const looking = new Proxy(redis, {
      get(target, name) {
        if (name === 'smembers') looks += 1
        const value = Reflect.get(target, name)
        return typeof value === 'function' ? value.bind(target) : value
      },
    })
    const growth = createGrowth({ redis: looking, durability: masterOnly, log: silentLog })
    growth.start()
    const looked = async (times: number) => {
      const from = looks
      for (let each = 0; each < times; each += 1) {
        growth.hurry()
        await until(() => looks > from + each, 'it has looked again')
      }
    }
    try {
      await looked(3)
      expect(await sinceMs(), 'the courier looks into 16').to.equal(undefined)
      const [name, key] = ['courier-vk-1', keys.process('courier-vk-1')]
      const said = { name, role: 'courier', pid: 1, startedAt: 1000, ready: 1 }
      await redis.multi().hset(key, said).sadd(keys.processes, name).exec()
      await courier.stop()
      await looked(3)
      expect(await sinceMs(), 'nobody knows into how many the other looks').to.equal(undefined)
      await redis.multi().del(key).srem(keys.processes, name).exec()
      await until(sinceMs, 'it is laid by all')
      expect(await redis.get(keys.laidBy('00'))).to.equal('64')
    } finally {
      await growth.stop()
      await Promise.all([courier.stop(), timekeeper.stop()])
    }
  })
})
