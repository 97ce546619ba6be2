import { type Argument, connectNode, keys } from '@courier-fleet/store'
import { until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import type { Redis } from 'ioredis'
import { createPacer, slotScript } from '../../src/engine/pace/pacer.ts'
import { type ClaimFixture, createClaimFixture } from './claim-fixture.ts'

const slotsKey = keys.slots('vk', 'one')
const pauseKey = keys.pause('vk', 'one')
const keyed = { slots: slotsKey, pause: pauseKey, turns: keys.turns('vk', 'one') }
const never = () => new AbortController().signal
const far = 1e9

describe('lua: reserve-slot', () => {
  let fixture: ClaimFixture
  const others: Redis[] = []
  beforeEach(async () => {
    fixture = await createClaimFixture()
  })
  afterEach(async () => {
    for (const redis of others.splice(0)) redis.disconnect()
    await fixture.stop()
  })

  const another = () => {
    const redis = connectNode(fixture.url, { name: 'another' })
    others.push(redis)
    return redis
  }
  const reserve = async (most: number, spanUs: number, gapUs: number, aheadUs: number, late: Argument[] = []) => {
    const { places, againMs } = await slotScript(
      fixture.redis,
      keyed,
      { max: most, spanUs, gapUs, aheadUs, weights: '4 2 1', asks: 'normal 1' },
      late,
    )
    const [place] = places
    return { reserved: places.length, waitMs: place?.waitMs ?? againMs, name: place?.name ?? '' }
  }
  const nowUs = async () => {
    const [seconds, microseconds] = await fixture.redis.time()
    return Number(seconds) * 1e6 + Number(microseconds)
  }
  const atOf = async (name: string) => Number(await fixture.redis.zscore(slotsKey, name))

  it('never lets more go within a span, whichever process asks, and no two closer than the gap', async () => {
    const script = [another(), another(), another()]
    const args = { max: 5, spanUs: 100e6, gapUs: 10e6, aheadUs: far, weights: '4 2 1', asks: 'normal 1' }
    const replies = await Promise.all(
      Array.from({ length: 23 }, (_unused, index) => slotScript(script[index % 3] as Redis, keyed, args)),
    )
    const times = replies.map((reply) => Number(reply.places[0]?.name)).sort((a, b) => a - b)
    for (const [index, at] of times.entries()) {
      if (index >= 5) expect(at - (times[index - 5] as number)).to.be.at.least(100e6)
      if (index >= 1) expect(at - (times[index - 1] as number)).to.be.at.least(10e6)
    }
    expect((times.at(-1) as number) - (times[0] as number), 'not a span more').to.be.below(5 * 100e6)
  })

  it('makes up for slots that were not used', async () => {
    const begun = Date.now()
    for (let i = 0; i < 3; i += 1) await reserve(10, 60e6, 1000, far)
    await new Promise((resolve) => setTimeout(resolve, 20))
    const later = []
    for (let i = 0; i < 7; i += 1) later.push(await reserve(10, 60e6, 1000, far))
    // an even rate would have them six seconds apart
    expect(Math.max(...later.map(({ waitMs }) => waitMs))).to.be.below(10)
    const eleventh = await reserve(10, 60e6, 1000, far)
    expect(eleventh.waitMs).to.be.within(60_000 - (Date.now() - begun) - 1, 60_001)
  })

  it('counts a turn that was taken late from when it was taken', async () => {
    const first = await reserve(2, 60e6, 1000, far)
    const second = await reserve(2, 60e6, 1000, far)
    const at = await atOf(first.name)
    const lateUs = (await atOf(second.name)) - at + 50_000
    await until(async () => (await nowUs()) > at + lateUs, 'as late as that')
    const third = await reserve(2, 60e6, 1000, far, [first.name, lateUs])
    expect(await atOf(first.name)).to.equal(at + lateUs)
    // the second went out first, then the first: so the third is a span after the second, the fourth a span after the first
    const fourth = await reserve(2, 60e6, 1000, far)
    expect((await atOf(fourth.name)) - at).to.equal(60_000_000 + lateUs)
    expect(Number(third.name)).to.be.below(Number(fourth.name))
  })

  it('takes no turn for later than now, however long its process waited for Redis', async () => {
    const first = await reserve(2, 60e6, 1000, far)
    await reserve(2, 60e6, 1000, far, [first.name, 60e6])
    expect(await atOf(first.name)).to.be.within(Number(first.name), await nowUs())
  })

  it('reserves nothing further ahead than it was told, and says when to ask again', async () => {
    const begun = performance.now()
    for (let i = 0; i < 5; i += 1) await reserve(5, 500e6, 1000, far)
    const { reserved, waitMs } = await reserve(5, 500e6, 1000, 100e6)
    expect(reserved).to.equal(0)
    expect(waitMs).to.be.within(400_000 - (performance.now() - begun) - 1, 400_000)
    expect(await fixture.redis.zcard(slotsKey)).to.equal(5)
  })

  it('forgets the account when nothing counts any more, and obeys a pause', async () => {
    const begun = performance.now()
    await reserve(5, 60e6, 1000, far)
    const leftMs = await fixture.redis.pttl(slotsKey)
    expect(leftMs).to.be.within(60_000 - (performance.now() - begun) - 1, 60_001)
    await fixture.redis.set(pauseKey, '', 'PX', 600_000)
    const { reserved, waitMs } = await reserve(5, 60e6, 1000, far)
    // for as long as the pause, not as the span
    expect([reserved, waitMs > 300_000]).to.deep.equal([0, true])
  })

  it('waits no longer than for a span where the clock is set back: those before count, as near as they may have been', async () => {
    const before = performance.now()
    const names = [await reserve(2, 60e6, 1000, 5e6), await reserve(2, 60e6, 1000, 5e6)].map(({ name }) => name)
    const apartMs = performance.now() - before
    for (const name of names) await fixture.redis.zincrby(slotsKey, 3600e6, name)
    const begun = performance.now()
    const { reserved, waitMs } = await reserve(2, 60e6, 1000, 5e6)
    expect(reserved).to.equal(0)
    expect(waitMs).to.be.within(60_000 - apartMs - 1, 60_001)
    const again = await reserve(2, 60e6, 1000, 5e6)
    expect(again.waitMs).to.be.within(waitMs - (performance.now() - begun) - 2, waitMs)
  })

  it('a process that was held up says so with its next turn, once', async () => {
    let nowMs = 0
    const courier = () => ({ channel: 'vk', account: 'one', rate: { units: 1000, perMs: 60_000, slackMs: 10 } })
    const held = createPacer({
      redis: fixture.redis,
      courier,
      weights: () => ({ urgent: 4, normal: 2, bulk: 1 }),
      clock: { now: () => nowMs },
    })
    const take = async (heldUpMs: number) => {
      await held.pausedForMs()
      const taken = held.take(1, 'normal', never())
      await new Promise((resolve) => setImmediate(resolve)) // asked by now, and not answered yet
      nowMs += heldUpMs
      await taken
    }
    const shifts = async () => {
      const slots = await fixture.redis.zrange(slotsKey, '0', '-1', 'WITHSCORES')
      return slots.flatMap((name, index) => (index % 2 === 0 ? [Number(slots[index + 1]) - Number(name)] : []))
    }
    await take(20)
    expect(await shifts()).to.deep.equal([0])
    const first = Number((await fixture.redis.zrange(slotsKey, '0', '0'))[0])
    await until(async () => (await nowUs()) > first + 30_000, 'as late as that')
    await take(0)
    expect((await shifts()).sort((a, b) => a - b)).to.deep.equal([0, 20_000])
    await take(0)
    expect((await shifts()).sort((a, b) => a - b)).to.deep.equal([0, 0, 20_000])
  })

  it('gives the classes their slots by weight, many in one call, each with a name of its own', async () => {
    const asks = ['bulk', 'normal', 'urgent'].flatMap((cls) => Array.from({ length: 28 }, () => `${cls} 1`))
    const { places, againMs } = await slotScript(fixture.redis, keyed, {
      max: 100,
      spanUs: 100e6,
      gapUs: 1e6,
      aheadUs: 48.5e6,
      weights: '4 2 1',
      asks: asks.join(' '),
    })
    const given = places.map(({ index }) => asks[index]?.[0])
    expect(given).to.have.length(49)
    for (let at = 0; at < 49; at += 7)
      expect(
        given
          .slice(at, at + 7)
          .sort()
          .join(''),
      ).to.equal('bnnuuuu')
    expect(new Set(places.map(({ name }) => name)).size).to.equal(49)
    expect(againMs).to.be.within(1, 1_000)
  })

  for (const [units, slots, spanMs] of [
    [0.4, 1, 250],
    [2.5, 2, 80],
  ] as const)
    it(`keeps to a rate of ${units}, which is no whole number of slots`, async () => {
      const rate = { units, perMs: 100, slackMs: 0 }
      const courier = () => ({ channel: 'vk' as const, account: 'one', rate })
      const weights = () => ({ urgent: 4, normal: 2, bulk: 1 })
      const pacer = createPacer({ redis: fixture.redis, courier, weights })
      // not from when the first was taken: that may be late, and the last is a span after its slot
      const begun = performance.now()
      await Promise.all(Array.from({ length: slots + 1 }, () => pacer.take(1, 'normal', never())))
      expect(performance.now() - begun).to.be.at.least(spanMs - 5)
    })
})
