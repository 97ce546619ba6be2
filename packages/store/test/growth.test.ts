/** Shards that grow: whatever two processes and a timekeeper do in whichever order, what a repeated call must find is there once. */
import type { EventEmitter } from 'node:events'
import { type HistoryRef, serviceType, shardNames } from '@courier-fleet/api-types'
import { silentLog } from '@courier-fleet/process'
import { type FreshRedis, freshRedis, until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import type { Redis } from '../src/connection/client.ts'
import { masterOnly } from '../src/durability/durability.ts'
import { createEvents } from '../src/event/events.ts'
import { beginGrowth, endGrowth, followShards, lookAtShards, readShards } from '../src/growth.ts'
import { createHistories } from '../src/history/create-histories.ts'
import type { Histories } from '../src/history/histories.ts'
import type { Placed } from '../src/history/placed.ts'
import { hints, keys, newHistoryRef } from '../src/keys.ts'
import { type FleetShards, fixLaying, laidByOf } from '../src/laying.ts'
import { grownLayout, joinFleet, layout } from '../src/layout.ts'
import { connectSubscriber } from '../src/subscriber/connect-subscriber.ts'

const [few, many] = [16, 64]
const text = { digest: 'd', source: 'api', text: 'once', class: 'normal', rules: { type: serviceType } } as const
const message = { ...text, issued: false, to: ['user:anna'], audience: ['anna'], dueMs: Date.now() + 9e9, expiresMs: 0 }

describe('shards that grow', () => {
  let fresh: FreshRedis
  let histories: Histories
  beforeEach(async () => {
    fresh = await freshRedis()
    await joinFleet(fresh.redis, few)
  })
  afterEach(async () => {
    fixLaying(undefined)
    await fresh.stop()
  })

  /** A process that was started anew. */
  async function joinAgain(): Promise<void> {
    const shards = await joinFleet(fresh.redis)
    histories = createHistories({ redis: fresh.redis, shards })
  }
  const begin = () => beginGrowth(fresh.redis, few, many, grownLayout)
  const end = async () => endGrowth(fresh.redis, masterOnly, await readShards(fresh.redis))
  const put = ({ ref, laidBy }: Placed) => histories.put({ ...message, ref, laidBy })
  const placesOfAll = async (id: string): Promise<string[]> => {
    const there = shardNames(many).map((shard) => fresh.redis.exists(keys.history({ shard, sender: 'dean', id })))
    const found = await Promise.all(there)
    return shardNames(many).filter((_shard, index) => found[index] === 1)
  }

  it('begin and end one after the other, each once', async () => {
    expect(await readShards(fresh.redis)).to.deep.equal({ shards: few, former: [] })
    expect([await begin(), await begin()]).to.deep.equal([true, false])
    expect(await beginGrowth(fresh.redis, many, 256, grownLayout), 'while one is under way').to.equal(false)
    const growing = await readShards(fresh.redis)
    expect([growing, laidByOf(growing)]).to.deep.equal([{ shards: many, former: [few] }, few])
    await end()
    const { sinceMs, ...grown } = await readShards(fresh.redis)
    expect(grown).to.deep.equal({ shards: many, former: [few] })
    await endGrowth(fresh.redis, masterOnly, growing)
    expect((await readShards(fresh.redis)).sinceMs, 'ended once').to.equal(sinceMs)
    expect(await beginGrowth(fresh.redis, many, 256, grownLayout)).to.equal(true)
    await fresh.redis.set(keys.laidBy('00'), 256)
    await endGrowth(fresh.redis, masterOnly, growing)
    expect(await fresh.redis.get(keys.laidBy('00')), 'and says nowhere that fewer do').to.equal('256')
    expect(await readShards(fresh.redis), 'whoever ends one ends no later one').to.deep.equal({
      shards: 256,
      former: [few, many],
    })
  })

  it('are of a layout that no version reads which knows nothing of growth', async () => {
    expect(await fresh.redis.hget(keys.fleet, 'layout')).to.equal(String(layout))
    await begin()
    expect(await fresh.redis.hget(keys.fleet, 'layout')).to.equal(String(grownLayout))
    expect(await joinFleet(fresh.redis)).to.equal(many)
  })

  it('are looked into by whoever joins, and hold nothing new until the growth has ended', async () => {
    await begin()
    await joinAgain()
    const laid = () => new Set(Array.from({ length: 200 }, () => Number(newHistoryRef('dean', many).shard) >= few))
    expect([...laid()]).to.deep.equal([false])
    await end()
    await lookAtShards(fresh.redis)
    expect([...laid()].sort()).to.deep.equal([false, true])
  })

  it('know which channels are in use, and who is told of all messages', async () => {
    await fresh.redis.hset(keys.channels('03'), { vk: 'in-use', sms: 'retired' })
    await fresh.redis.zadd(keys.watched('ru'), 0, 'history:* sub-1', 0, 'history:dean:one sub-2')
    await begin()
    await end()
    for (const shard of shardNames(many).slice(few)) {
      expect(await fresh.redis.hgetall(keys.channels(shard))).to.deep.equal({ vk: 'in-use', sms: 'retired' })
    }
    const watched = await Promise.all(
      (await fresh.redis.keys('watched:*')).map((key) => fresh.redis.zrange(key, '0', '-1')),
    )
    expect(watched).to.have.length(1 + many - few)
    expect(watched.filter((each) => each.length === 1)).to.deep.equal(
      Array.from({ length: many - few }, () => ['history:* sub-1']),
    )
  })

  it('find events and reminders where they were laid, however long ago', async () => {
    const { redis } = fresh
    const ids = Array.from({ length: 12 }, (_unused, index) => `event-${index}`)
    const before = createEvents({ redis, shards: few })
    const laid = await Promise.all(ids.map((id) => before.refOf('dean', id)))
    const at = { name: undefined, late: 'refuse', plans: new Map(), atMs: Date.now() + 9e9 } as const
    for (const ref of laid) await before.put(ref, at)
    await begin()
    await end()
    await joinAgain()
    const after = createEvents({ redis, shards: many })
    expect(await Promise.all(ids.map((id) => after.refOf('dean', id)))).to.deep.equal(laid)
    const { events } = await after.list('dean', '', 100)
    expect(events.map(({ ref }) => ref.id)).to.have.members(ids)
    const news = await Promise.all(ids.map((id) => after.refOf('rector', id)))
    expect(news.some(({ shard }) => Number(shard) >= few)).to.equal(true)
    for (const ref of news) expect((await after.put(ref, at)).outcome).to.equal('created')
  })

  it('take no new event and no derived message from whoever knows fewer, and what is there from anybody', async () => {
    const { redis } = fresh
    const stale = createEvents({ redis, shards: few })
    const there = await stale.refOf('dean', 'exam')
    const at = { name: undefined, late: 'refuse', plans: new Map(), atMs: Date.now() + 9e9 } as const
    await stale.put(there, at)
    histories = createHistories({ redis, shards: few })
    const derived = await histories.place('dean', 'derived-before')
    await put(derived)
    await begin()
    await end()
    fixLaying({ shards: few, former: [] })
    expect((await stale.put(there, { ...at, atMs: at.atMs + 1000 })).outcome).to.equal('moved')
    expect((await put(derived)).created).to.equal(false)
    const refused = async (call: Promise<unknown>) => ((await call.catch((error) => error)) as { code?: string }).code
    expect(await refused(put(await histories.place('dean', 'derived-after')))).to.equal('try-again')
    fixLaying({ shards: few, former: [] })
    expect(await refused(stale.put(await stale.refOf('dean', 'other'), at))).to.equal('try-again')
    expect((await histories.put({ ...message, ref: newHistoryRef('dean', few) })).created).to.equal(true)
  })

  it('end a process that was not heard of while all the others came to look into them, and no other', async () => {
    const { redis } = fresh
    let ends = 0
    const subscriber = connectSubscriber(fresh.url, { name: 'follower' })
    const follow = (by: Redis) => followShards({ redis: by, subscriber, log: silentLog, onOutgrown: () => (ends += 1) })
    const stop = await follow(redis)
    try {
      await begin()
      await end()
      await until(() => ends === 1, 'it ends')
    } finally {
      stop()
    }
    await joinAgain()
    await beginGrowth(redis, many, 256, grownLayout)
    let looks = 0
    const counting = { hmget: (...args: [string, ...string[]]) => redis.hmget(...args).finally(() => (looks += 1)) }
    const stopOther = await follow(counting as unknown as Redis)
    try {
      for (const times of [1, 2]) {
        await redis.spublish(hints.settings, '')
        await until(() => looks >= times, 'another looks while a growth is under way')
      }
      ;(subscriber as unknown as EventEmitter).emit('ready')
      await until(() => looks >= 3, 'it looks once it may have missed a hint')
    } finally {
      stopOther()
      subscriber.disconnect()
    }
    expect(ends).to.equal(1)
  })

  it('have what two calls with the same derived id make once, in whichever order they and the growth go', async () => {
    await begin()
    const growing = await readShards(fresh.redis)
    await joinAgain()
    const orders = interleavings([3, 3, 2])
    expect(orders).to.have.length(560)
    let grownFirst = 0
    for (const [index, order] of orders.entries()) {
      const id = `derived-${String(index).padStart(4, '0')}`
      await fresh.redis.hdel(keys.fleet, 'since')
      await fresh.redis.del(shardNames(few).map((shard) => keys.laidBy(shard)))
      const [one, other] = [caller(id, growing), caller(id, growing)]
      const timekeeper = [fences, end]
      for (const who of order) await (who === 2 ? timekeeper.shift()?.() : [one, other][who]?.step())
      // what was refused is asked again
      await one.untilAnswered()
      await other.untilAnswered()
      const found = await placesOfAll(id)
      expect(found, `order ${order.join('')}`).to.have.length(1)
      expect([one.ref(), other.ref()].map((ref) => ref.shard)).to.deep.equal([found[0], found[0]])
      if (Number(found[0]) >= few) grownFirst += 1
    }
    expect(grownFirst, 'some were laid by all shards').to.be.above(50)
  })

  const fences = () => Promise.all(shardNames(few).map((shard) => fresh.redis.set(keys.laidBy(shard), many)))

  /** A process that reads by how many is laid, looks where the history lies, and puts it: one step a call. */
  function caller(id: string, growing: FleetShards) {
    let knows = growing
    let placed: Placed | undefined
    let answered: HistoryRef | undefined
    let at = 0
    const steps = [
      async () => {
        knows = await readShards(fresh.redis)
      },
      async () => {
        fixLaying(knows)
        placed = await histories.place('dean', id)
      },
      async () => {
        fixLaying(knows)
        await put(placed as Placed).then(
          () => {
            answered = placed?.ref
          },
          (error: { code?: string }) => expect(error.code).to.equal('try-again'),
        )
      },
    ]
    const step = () => (steps[at++ % steps.length] as () => Promise<void>)()
    return {
      step,
      ref: () => answered as HistoryRef,
      async untilAnswered() {
        for (let more = 0; answered === undefined && more < 2 * steps.length; more += 1) await step()
      },
    }
  }
})

/** Every order of so many steps of each. */
function interleavings(left: readonly number[]): number[][] {
  if (left.every((count) => count === 0)) return [[]]
  return left.flatMap((count, who) =>
    count === 0
      ? []
      : interleavings(left.map((each, index) => (index === who ? each - 1 : each))).map((rest) => [who, ...rest]),
  )
}
