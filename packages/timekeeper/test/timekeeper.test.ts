import { shardName } from '@courier-fleet/api-types'
import { keys } from '@courier-fleet/store'
import { cutListeners, type OwnRedis, until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import type { Redis } from 'ioredis'
import { createFixture, type Fixture, quietRedis } from './fixture.ts'

/** It hardly ever polls: what expires was told of, or slept for. */
const unpolled = { maxSleepMs: 3_600_000 }
/** so many that are due at once are all triggered */
const triggered = 16

describe('timekeeper', () => {
  let server: OwnRedis
  let fixture: Fixture
  before(async () => {
    server = await quietRedis()
  })
  beforeEach(async () => {
    fixture = await createFixture(server.url)
  })
  afterEach(async () => {
    await fixture.redis.flushall()
    await fixture.stop()
  })
  after(() => server.stop())

  it('triggers in the order of the due times, never early, with 20 000 others pending', async () => {
    const far = (await fixture.now()) + 3_600_000
    for (let chunk = 0; chunk < 20; chunk += 1) {
      await Promise.all(
        Array.from({ length: 1000 }, (_unused, i) => fixture.put(`far:${chunk}-${i}:0`, far + i, false)),
      )
    }
    await fixture.run()
    const base = (await fixture.now()) + 100
    const names = Array.from({ length: triggered }, (_unused, i) => `near:${i}:0`)
    await Promise.all(names.map((name, i) => fixture.put(name, base + i * 10)))
    await until(() => fixture.expired.length === triggered, 'all of them have expired')
    expect(fixture.expired).to.deep.equal(names)
    for (const [i, at] of fixture.expiredAt.entries()) expect(at).to.be.at.least(base + i * 10)
  })

  it('is woken by an earlier head while it sleeps', async () => {
    await fixture.run(unpolled)
    const now = await fixture.now()
    await fixture.put('later:1:0', now + 3_600_000)
    await fixture.put('sooner:1:0', now + 50)
    await until(() => fixture.expired.length === 1, 'the sooner one has expired')
    expect(fixture.expired).to.deep.equal(['sooner:1:0'])
  })

  it('finds an earlier head nobody told of, a second later at most', async () => {
    await fixture.run()
    await fixture.put('silent:1:0', (await fixture.now()) + 20, false)
    await until(() => fixture.expired.length === 1, 'it has expired')
  })

  it('triggers some of 5000 that are due in the same millisecond: each wakes all of them; and the one after them', async () => {
    const due = (await fixture.now()) + 300
    await Promise.all(Array.from({ length: 5000 }, (_unused, i) => fixture.put(`same:${i}:0`, due, false)))
    await fixture.put('after:1:0', due + 100, false)
    const { redis } = await fixture.run()
    const calls = countCommands(redis)
    await until(() => fixture.expired.includes('after:1:0'), 'the one after them has expired')
    expect(fixture.expired.filter((name) => name.startsWith('same:'))).to.not.have.length(0)
    expect(calls()).to.be.below(100)
  })

  it('two of them trigger each delivery once', async () => {
    await fixture.run()
    await fixture.run()
    const due = (await fixture.now()) + 50
    await Promise.all(Array.from({ length: triggered }, (_unused, i) => fixture.put(`both:${i}:0`, due + i)))
    await until(() => fixture.expired.length >= triggered, 'all have expired')
    expect(new Set(fixture.expired).size).to.equal(fixture.expired.length)
  })

  for (const skewMs of [-3_600_000, 3_600_000]) {
    it(`triggers on time with a clock an hour ${skewMs < 0 ? 'behind' : 'ahead'}`, async () => {
      await fixture.run({ ...unpolled, clock: { now: () => Date.now() + skewMs } })
      const due = (await fixture.now()) + 100
      await fixture.put('skewed:1:0', due)
      await until(() => fixture.expired.length === 1, 'it has expired')
      expect(fixture.expiredAt[0]).to.be.at.least(due)
    })

    it(`notices that its clock was set ${skewMs < 0 ? 'back' : 'forward'} by an hour`, async () => {
      let skew = 0
      const { redis } = await fixture.run({ clock: { now: () => Date.now() + skew } })
      await fixture.put('before:1:0', await fixture.now())
      await until(() => fixture.expired.length === 1, 'the first has expired')
      await fixture.redis.zrem(keys.due(shardName(1)), 'before:1:0')
      skew = skewMs
      await fixture.put('after:1:0', (await fixture.now()) + 50)
      await until(() => fixture.expired.length === 2, 'the second has expired')
      expect(redis.status).to.equal('ready')
    })
  }

  it('does not spin on a delivery whose key expires later than it is due', async () => {
    const { redis } = await fixture.run(unpolled)
    const now = await fixture.now()
    await fixture.put('called:1:0', now + 3_600_000)
    await fixture.redis.zadd(keys.due(shardName(1)), now, 'called:1:0')
    const calls = countCommands(redis)
    await fixture.put('next:1:0', (await fixture.now()) + 150)
    await until(() => fixture.expired.includes('next:1:0'), 'the next one has expired')
    expect(calls()).to.be.below(100)
  })

  it('goes on after its subscriber was cut off', async () => {
    const { subscriber } = await fixture.run()
    const back = new Promise<void>((resolve) => subscriber.once('ready', resolve))
    await cutListeners(fixture.redis, 'timekeeper-events')
    await back
    await fixture.put('after-cut:1:0', (await fixture.now()) + 20)
    await until(() => fixture.expired.length === 1, 'it has expired')
  })

  it('knows a second later at most whether any message of a shard runs', async () => {
    const { timekeeper } = await fixture.run()
    const shard = shardName(1)
    await until(() => !timekeeper.hasRunning(shard), 'it knows that none does')
    await fixture.redis.zadd(keys.expiry(shard), Date.now() + 3_600_000, 'dean:running')
    await until(() => timekeeper.hasRunning(shard), 'it knows that one does')
    expect(timekeeper.hasRunning(shardName(0))).to.equal(false)
  })

  it('stops while it sleeps, twice if asked, with nothing left running', async () => {
    const { timekeeper, subscriber } = await fixture.run(unpolled)
    await Promise.all([timekeeper.stop(), timekeeper.stop()])
    await timekeeper.stop()
    expect(subscriber.listenerCount('message')).to.equal(0)
    await fixture.put('unheard:1:0', (await fixture.now()) + 3_600_000)
    expect(fixture.expired).to.have.length(0)
  })
})

/** @returns how many have been sent since */
function countCommands(redis: Redis): () => number {
  let commands = 0
  const send = redis.sendCommand.bind(redis)
  redis.sendCommand = (...args: Parameters<typeof send>) => {
    commands += 1
    return send(...args)
  }
  return () => commands
}
