import { shardName } from '@courier-fleet/api-types'
import { keys } from '@courier-fleet/store'
import { type FreshRedis, freshRedis, until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import type { Redis } from 'ioredis'
import { type Stage, setStage } from './stage.ts'

/** Below the second after which it would look by itself: what rings within this was told of, or slept for. */
const promptMs = 700

describe('timekeeper', () => {
  let fresh: FreshRedis
  let stage: Stage
  beforeEach(async () => {
    fresh = await freshRedis()
    stage = await setStage(fresh.url)
  })
  afterEach(async () => {
    await stage.stop()
    await fresh.stop()
  })

  it('rings in the order of the due times, never early, with 20 000 others pending', async () => {
    const far = (await stage.now()) + 3_600_000
    for (let chunk = 0; chunk < 20; chunk += 1) {
      await Promise.all(Array.from({ length: 1000 }, (_unused, i) => stage.put(`far:${chunk}-${i}:0`, far + i, false)))
    }
    await stage.run()
    const base = (await stage.now()) + 100
    const names = Array.from({ length: 20 }, (_unused, i) => `near:${i}:0`)
    await Promise.all(names.map((name, i) => stage.put(name, base + i * 10)))
    await until(() => stage.rung.length === 20, 'all 20 have rung', 190 + 100 + promptMs)
    expect(stage.rung).to.deep.equal(names)
    for (const [i, at] of stage.rungAt.entries()) expect(at).to.be.at.least(base + i * 10)
  })

  it('is woken by an earlier head while it sleeps', async () => {
    await stage.run()
    const now = await stage.now()
    await stage.put('later:1:0', now + 900)
    await stage.put('sooner:1:0', now + 50)
    await until(() => stage.rung.length === 1, 'the sooner one has rung', promptMs)
    expect(stage.rung).to.deep.equal(['sooner:1:0'])
  })

  it('finds an earlier head nobody told of, a second later at most', async () => {
    await stage.run()
    await stage.put('silent:1:0', (await stage.now()) + 20, false)
    await until(() => stage.rung.length === 1, 'it has rung', 1500)
  })

  it('rings some of 5000 that are due in the same millisecond: each wakes all of them; and the one after them', async () => {
    const due = (await stage.now()) + 300
    await Promise.all(Array.from({ length: 5000 }, (_unused, i) => stage.put(`same:${i}:0`, due, false)))
    await stage.put('after:1:0', due + 100, false)
    const { redis } = await stage.run()
    const calls = countCommands(redis)
    await until(() => stage.rung.includes('after:1:0'), 'the one after them has rung', 400 + promptMs)
    expect(stage.rung.filter((name) => name.startsWith('same:'))).to.not.have.length(0)
    expect(calls()).to.be.below(100)
  })

  it('two of them ring each bell once', async () => {
    await stage.run()
    await stage.run()
    const due = (await stage.now()) + 50
    await Promise.all(Array.from({ length: 50 }, (_unused, i) => stage.put(`both:${i}:0`, due + i)))
    await until(() => stage.rung.length >= 50, 'all have rung', promptMs)
    expect(new Set(stage.rung).size).to.equal(stage.rung.length)
  })

  for (const skewMs of [-5000, 5000]) {
    it(`rings on time with a clock ${Math.abs(skewMs)} ms ${skewMs < 0 ? 'behind' : 'ahead'}`, async () => {
      await stage.run({ now: () => Date.now() + skewMs })
      const due = (await stage.now()) + 100
      await stage.put('skewed:1:0', due)
      await until(() => stage.rung.length === 1, 'it has rung', 100 + promptMs)
      expect(stage.rungAt[0]).to.be.at.least(due)
    })

    it(`notices that its clock was set ${skewMs < 0 ? 'back' : 'forward'} by 5 s`, async () => {
      let skew = 0
      const { redis } = await stage.run({ now: () => Date.now() + skew })
      await stage.put('before:1:0', await stage.now())
      await until(() => stage.rung.length === 1, 'the first has rung', promptMs)
      await stage.redis.zrem(keys.due(shardName(1)), 'before:1:0')
      skew = skewMs
      await stage.put('after:1:0', (await stage.now()) + 50)
      await until(() => stage.rung.length === 2, 'the second has rung', 1500)
      expect(redis.status).to.equal('ready')
    })
  }

  it('does not spin on a delivery whose bell is set for later than it is due', async () => {
    const { redis } = await stage.run()
    const now = await stage.now()
    await stage.put('called:1:0', now + 3_600_000)
    await stage.redis.zadd(keys.due(shardName(1)), now, 'called:1:0')
    const calls = countCommands(redis)
    await stage.put('bell:1:0', (await stage.now()) + 150)
    await until(() => stage.rung.includes('bell:1:0'), 'the next one has rung', promptMs)
    expect(calls()).to.be.below(100)
  })

  it('goes on after its subscriber was cut off', async () => {
    const { subscriber } = await stage.run()
    const id = await subscriber.client('ID')
    const back = new Promise((resolve) => subscriber.once('ready', resolve))
    await stage.redis.client('KILL', 'ID', id)
    await back
    await stage.put('after-cut:1:0', (await stage.now()) + 20)
    await until(() => stage.rung.length === 1, 'it has rung', 1500)
  })

  it('stops at once, twice if asked, with nothing left running', async () => {
    const { timekeeper, subscriber } = await stage.run()
    const begun = performance.now()
    await Promise.all([timekeeper.stop(), timekeeper.stop()])
    await timekeeper.stop()
    expect(performance.now() - begun).to.be.below(500)
    expect(subscriber.listenerCount('message')).to.equal(0)
    await stage.put('unheard:1:0', (await stage.now()) + 3_600_000)
    expect(stage.rung).to.have.length(0)
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
