import { connectNode, keys } from '@courier-fleet/store'
import { expect } from 'chai'
import type { Redis } from 'ioredis'
import { createPacer, paceScript } from '../../src/pacer.ts'
import { type ClaimFixture, createClaimFixture } from './claim-fixture.ts'

const paceKey = keys.pace('vk', 'one')
const pauseKey = keys.pause('vk', 'one')
const never = () => new AbortController().signal

describe('lua: pace', () => {
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
  const pacer = (rate?: { units: number; perMs: number }, redis: Redis = another()) =>
    createPacer({ redis, courier: () => ({ channel: 'vk', account: 'one', ...(rate ? { rate } : {}) }) })
  const reserve = async (redis: Redis, units: number, unitUs: number, aheadUs: number) => {
    const { isReserved, waitMs } = await paceScript(
      redis,
      { pace: paceKey, pause: pauseKey },
      { units, unitUs, aheadUs },
    )
    return [isReserved ? 1 : 0, waitMs] as const
  }
  const nowUs = async () => {
    const [seconds, microseconds] = await fixture.redis.time()
    return Number(seconds) * 1e6 + Number(microseconds)
  }

  it('gives every unit its own time, whichever process asks: the account never exceeds its rate', async () => {
    const [one, two, three] = [another(), another(), another()]
    const begun = await nowUs()
    const asked = Array.from({ length: 60 }, (_unused, index) => [one, two, three][index % 3] as Redis)
    const replies = await Promise.all(asked.map((redis) => reserve(redis, 2, 1e6, 1e9)))
    expect(replies.every(([reserved]) => reserved === 1)).to.equal(true)
    // 120 units of a second each: the next one may go no sooner than 120 s after the first
    expect(Number(await fixture.redis.get(paceKey))).to.be.at.least(begun + 120e6)
    const waits = replies.map(([, waitMs]) => waitMs).sort((a, b) => a - b)
    expect(waits.at(-1)).to.be.at.most(118_000)
  })

  it('reserves nothing further ahead than it was told, and says when to ask again', async () => {
    const begun = performance.now()
    await reserve(fixture.redis, 50, 10e6, 100e6)
    const before = await fixture.redis.get(paceKey)
    const [reserved, againMs] = await reserve(fixture.redis, 1, 10e6, 100e6)
    expect(reserved).to.equal(0)
    // those 500 s, less what has passed, less the 100 that it may be ahead
    expect(againMs).to.be.within(400_000 - (performance.now() - begun) - 1, 400_000)
    expect(await fixture.redis.get(paceKey)).to.equal(before)
  })

  it('saves nothing up while idle, and forgets the account when it is', async () => {
    const begunUs = await nowUs()
    await fixture.redis.set(paceKey, String(begunUs - 60e6))
    await reserve(fixture.redis, 1, 60e6, 1e6)
    expect(Number(await fixture.redis.get(paceKey))).to.be.at.least(begunUs + 60e6)
    const pttl = await fixture.redis.pttl(paceKey)
    // a second longer than it counts; its moments are whole milliseconds
    expect(pttl).to.be.within(61_000 - ((await nowUs()) - begunUs) / 1000 - 1, 61_000)
  })

  it('run twice it is slower, never faster', async () => {
    await reserve(fixture.redis, 1, 60e6, 1e9)
    const once = Number(await fixture.redis.get(paceKey))
    await reserve(fixture.redis, 1, 60e6, 1e9)
    expect(Number(await fixture.redis.get(paceKey))).to.equal(once + 60e6)
  })

  it('several processes take their units at the rate', async () => {
    const rate = { units: 100, perMs: 200 }
    const begun = performance.now()
    const pacers = [pacer(rate), pacer(rate), pacer(rate)]
    await Promise.all(pacers.flatMap((each) => Array.from({ length: 40 }, () => each.take(1, never()))))
    expect(performance.now() - begun).to.be.above(119 * 2 - 5)
  })

  it('a pause holds up every process; a shorter one never cuts it; no rate means no wait', async () => {
    const [one, two] = [pacer(), pacer()]
    const begun = performance.now()
    await one.pause(150)
    await two.pause(20)
    expect(await two.pausedForMs()).to.be.within(150 - (performance.now() - begun) - 1, 150)
    await two.take(1, never())
    expect(performance.now() - begun).to.be.at.least(149)
    expect(await fixture.redis.exists(paceKey)).to.equal(0)
  })

  it('stops waiting when it is told to', async () => {
    const one = pacer()
    await one.pause(60_000)
    const stop = new AbortController()
    const taken = one.take(1, stop.signal).then(
      () => 'taken',
      () => 'aborted',
    )
    stop.abort()
    expect(await taken).to.equal('aborted')
  })
})
