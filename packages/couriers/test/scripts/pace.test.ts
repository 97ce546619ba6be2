import { classes, type MessageClass } from '@courier-fleet/api-types'
import { connectNode, keys } from '@courier-fleet/store'
import { randomNumbers } from '@courier-fleet/testkit'
import { expect } from 'chai'
import type { Redis } from 'ioredis'
import { createPacer, paceScript, slotScript } from '../../src/engine/pace/pacer.ts'
import { createTurns } from '../../src/engine/pace/turns.ts'
import { type ClaimFixture, createClaimFixture } from './claim-fixture.ts'

const turnsKey = keys.turns('vk', 'one')
const pauseKey = keys.pause('vk', 'one')
const weights = () => ({ urgent: 4, normal: 2, bulk: 1 })
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
    createPacer({ redis, courier: () => ({ channel: 'vk', account: 'one', ...(rate ? { rate } : {}) }), weights })
  const ask = (redis: Redis, asks: string, unitUs: number, aheadUs: number) =>
    paceScript(redis, { turns: turnsKey, pause: pauseKey }, { unitUs, aheadUs, weights: '4 2 1', asks })
  const reserve = async (redis: Redis, units: number, unitUs: number, aheadUs: number) => {
    const { places, againMs } = await ask(redis, `normal ${units}`, unitUs, aheadUs)
    return [places.length, places[0]?.waitMs ?? againMs] as const
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
    expect(Number(await fixture.redis.hget(turnsKey, 'at'))).to.be.at.least(begun + 120e6)
    const waits = replies.map(([, waitMs]) => waitMs).sort((a, b) => a - b)
    expect(waits.at(-1)).to.be.at.most(118_000)
  })

  it('reserves nothing further ahead than it was told, and says when to ask again', async () => {
    const begun = performance.now()
    await reserve(fixture.redis, 50, 10e6, 100e6)
    const before = await fixture.redis.hget(turnsKey, 'at')
    const [reserved, againMs] = await reserve(fixture.redis, 1, 10e6, 100e6)
    expect(reserved).to.equal(0)
    // those 500 s, less what has passed, less the 100 that it may be ahead
    expect(againMs).to.be.within(400_000 - (performance.now() - begun) - 1, 400_000)
    expect(await fixture.redis.hget(turnsKey, 'at')).to.equal(before)
  })

  it('saves nothing up while idle, and forgets the account when it is', async () => {
    const begunUs = await nowUs()
    await fixture.redis.hset(turnsKey, 'at', String(begunUs - 60e6))
    await reserve(fixture.redis, 1, 60e6, 1e6)
    expect(Number(await fixture.redis.hget(turnsKey, 'at'))).to.be.at.least(begunUs + 60e6)
    const pttl = await fixture.redis.pttl(turnsKey)
    // a second longer than it counts; its moments are whole milliseconds
    expect(pttl).to.be.within(61_000 - ((await nowUs()) - begunUs) / 1000 - 1, 61_000)
  })

  it('run twice it is slower, never faster', async () => {
    await reserve(fixture.redis, 1, 60e6, 1e9)
    const once = Number(await fixture.redis.hget(turnsKey, 'at'))
    await reserve(fixture.redis, 1, 60e6, 1e9)
    expect(Number(await fixture.redis.hget(turnsKey, 'at'))).to.equal(once + 60e6)
  })

  it('waits no longer where the clock is set back, as what was noted before shows: also who waits in another process', async () => {
    const [unitUs, aheadUs, hourUs] = [60e6, 100e6, 3600e6]
    const before = performance.now()
    await ask(fixture.redis, 'bulk 4', unitUs, aheadUs)
    expect((await ask(fixture.redis, 'urgent 1', unitUs, aheadUs)).places).to.have.length(0)
    const apartMs = performance.now() - before
    for (const field of ['at', 'asked', 'urgent-waits']) await fixture.redis.hincrby(turnsKey, field, hourUs)
    const begun = performance.now()
    const [reserved, againMs] = await reserve(fixture.redis, 1, unitUs, aheadUs)
    // four minutes, less the 100 s that it may be ahead, and not an hour
    expect(reserved).to.equal(0)
    expect(againMs).to.be.within(140_000 - apartMs - 1, 140_000)
    const [, stillMs] = await reserve(fixture.redis, 1, unitUs, aheadUs)
    expect(stillMs).to.be.within(againMs - (performance.now() - begun) - 2, againMs)
    expect(Number(await fixture.redis.hget(turnsKey, 'urgent-waits'))).to.be.below((await nowUs()) + 300e6)
  })

  it('several processes take their units at the rate', async () => {
    const rate = { units: 100, perMs: 200 }
    const begun = performance.now()
    const pacers = [pacer(rate), pacer(rate), pacer(rate)]
    await Promise.all(pacers.flatMap((each) => Array.from({ length: 40 }, () => each.take(1, 'normal', never()))))
    expect(performance.now() - begun).to.be.above(119 * 2 - 5)
  })

  it('a pause lasts no longer than it was called for where the clock is set back, whoever asks', async () => {
    const minuteMs = 60_000
    await pacer().pause(minuteMs)
    const asked = {
      'a process that knew of none': () => pacer().pausedForMs(),
      'a rate': async () => (await ask(fixture.redis, 'normal 1', 1, 1)).againMs,
      'a rate that counts': async () => {
        const script = { slots: keys.slots('vk', 'one'), pause: pauseKey, turns: turnsKey }
        const rate = { max: 1, spanUs: 1, gapUs: 1, aheadUs: 1, weights: '4 2 1', asks: 'normal 1' }
        return (await slotScript(fixture.redis, script, rate)).againMs
      },
    }
    for (const [who, leftMs] of Object.entries(asked)) {
      await fixture.redis.pexpire(pauseKey, 60 * minuteMs)
      const begun = performance.now()
      expect(await leftMs(), who).to.be.within(minuteMs - (performance.now() - begun) - 1, minuteMs)
      expect(await fixture.redis.pttl(pauseKey), who).to.be.at.most(minuteMs)
    }
    await fixture.redis.pexpire(pauseKey, 60 * minuteMs)
    const longer = pacer()
    await longer.pause(2 * minuteMs)
    expect(await fixture.redis.pttl(pauseKey), 'a longer one is called').to.be.at.most(2 * minuteMs)
  })

  it('a shorter pause never cuts a longer one that is called at the same moment', async () => {
    const [one, two] = [pacer(), pacer()]
    for (let i = 0; i < 100; i += 1) {
      await fixture.redis.del(pauseKey)
      await Promise.all([one.pause(60_000), two.pause(1000)])
      expect(await fixture.redis.pttl(pauseKey), `the ${i + 1}th time`).to.be.above(30_000)
    }
  })

  it('a pause holds up every process; a shorter one never cuts it; no rate means no wait', async () => {
    const [one, two] = [pacer(), pacer()]
    const begun = performance.now()
    await one.pause(150)
    await two.pause(20)
    expect(await two.pausedForMs()).to.be.within(150 - (performance.now() - begun) - 1, 150)
    await two.take(1, 'normal', never())
    expect(performance.now() - begun).to.be.at.least(149)
    expect(await fixture.redis.exists(turnsKey)).to.equal(0)
  })

  it('stops waiting when it is told to', async () => {
    const one = pacer()
    await one.pause(60_000)
    const stop = new AbortController()
    const taken = one.take(1, 'normal', stop.signal).then(
      () => 'taken',
      () => 'aborted',
    )
    stop.abort()
    expect(await taken).to.equal('aborted')
  })

  describe('shares the places by weight', () => {
    /** so far apart and so far ahead that how long anything takes does not matter */
    const [unitUs, farUs] = [1e6, 1e12]
    const every = (counts: Partial<Record<MessageClass, number>>) =>
      classes.flatMap((cls) => Array.from({ length: counts[cls] ?? 0 }, () => `${cls} 1`))
    /** in the order they go out */
    const order = (asks: readonly string[], { places }: Awaited<ReturnType<typeof ask>>) =>
      [...places]
        .sort((a, b) => a.waitMs - b.waitMs)
        .map(({ index }) => asks[index]?.[0])
        .join('')

    it('4 : 2 : 1 when all wait, in every round of seven; all of them when one is alone', async () => {
      const asks = every({ urgent: 40, normal: 20, bulk: 10 })
      const given = order(asks, await ask(fixture.redis, asks.join(' '), unitUs, farUs))
      for (let at = 0; at < 70; at += 7)
        expect([...given.slice(at, at + 7)].sort().join(''), `round ${at / 7}`).to.equal('bnnuuuu')
      const alone = every({ bulk: 30 })
      expect(order(alone, await ask(fixture.redis, alone.join(' '), unitUs, farUs))).to.equal('b'.repeat(30))
    })

    it('lends what a class does not use, and owes it no more than a round', async () => {
      const long = every({ bulk: 50 })
      await ask(fixture.redis, long.join(' '), unitUs, farUs)
      const asks = every({ urgent: 30, bulk: 10 })
      const given = order(asks, await ask(fixture.redis, asks.join(' '), unitUs, farUs))
      // four of the round it missed, then four and one
      expect(given.slice(0, 13)).to.match(/^u{8,9}(?=.*b)[ub]{4,5}$/)
      const [first, second] = [given.indexOf('b'), given.indexOf('b', given.indexOf('b') + 1)]
      expect([first <= 9, second - first]).to.deep.equal([true, 5])
    })

    it('gives bulk its own though urgent comes at nine tenths of the rate, and urgent all the rest', async () => {
      let [given, waiting] = ['', 0]
      for (let i = 0; i < 20; i += 1) {
        waiting += 9
        const asks = every({ urgent: Math.min(waiting, 60), bulk: 10 })
        // ten places are near enough, and then ten have passed
        await fixture.redis.hset(turnsKey, 'at', '0')
        const now = order(asks, await ask(fixture.redis, asks.join(' '), unitUs, 9.5 * unitUs))
        waiting -= [...now].filter((each) => each === 'u').length
        given += now
      }
      // four of five are urgent's own, where nobody is normal
      expect([given.length, [...given].filter((each) => each === 'b').length]).to.deep.equal([200, 40])
    })

    it('leaves places to whoever is behind and waits in another process, and loses none when they never come', async () => {
      const aheadUs = 100e6
      const [one, two] = [another(), another()]
      // bulk has all there is, then urgent says that it waits
      await ask(one, every({ bulk: 300 }).join(' '), unitUs, aheadUs)
      expect((await ask(two, 'urgent 1', unitUs, aheadUs)).places).to.deep.equal([])
      // half of what is ahead has passed: the next place is near enough for anyone, but not for who is not next
      await fixture.redis.hset(turnsKey, 'at', String((await nowUs()) + 80e6))
      expect((await ask(one, 'bulk 1', unitUs, aheadUs)).places).to.deep.equal([])
      expect((await ask(two, 'urgent 1', unitUs, aheadUs)).places).to.have.length(1)
      await ask(two, every({ urgent: 300 }).join(' '), unitUs, aheadUs)
      await fixture.redis.hset(
        turnsKey,
        'at',
        String((await nowUs()) + 40e6),
        'urgent-waits',
        String((await nowUs()) + 1e9),
      )
      expect((await ask(one, 'bulk 1', unitUs, aheadUs)).places, 'nobody came').to.have.length(1)
    })

    it('is its twin in TypeScript, place by place, whatever is asked for', async () => {
      const random = randomNumbers(7)
      const draw = (below: number) => Math.floor(random() * below)
      for (let run = 0; run < 10; run += 1) {
        await fixture.redis.del(turnsKey)
        const turns = createTurns()
        for (let call = 0; call < 6; call += 1) {
          const weights = { urgent: 1 + draw(100), normal: 1 + draw(100), bulk: 1 + draw(100) }
          const asks = Array.from({ length: 1 + draw(20) }, () => ({
            cls: classes[draw(3)] as MessageClass,
            units: 1 + draw(4),
          }))
          const left = asks.map((each, index) => ({ ...each, index }))
          const expected: number[] = []
          while (left.length > 0) {
            const cls = turns.next((each) => left.some((other) => other.cls === each)) as MessageClass
            const [next] = left.splice(
              left.findIndex((each) => each.cls === cls),
              1,
            )
            turns.take(cls, next?.units ?? 0, weights)
            expected.push(next?.index ?? -1)
          }
          const { places } = await paceScript(
            fixture.redis,
            { turns: turnsKey, pause: pauseKey },
            {
              unitUs,
              aheadUs: farUs,
              weights: classes.map((cls) => weights[cls]).join(' '),
              asks: asks.map(({ cls, units }) => `${cls} ${units}`).join(' '),
            },
          )
          expect(
            places.map(({ index }) => index),
            `run ${run}, call ${call}`,
          ).to.deep.equal(expected)
        }
      }
    })

    it('lets those of one process who ask together have theirs by weight, not as they came', async () => {
      const one = pacer({ units: 1000, perMs: 1000 })
      const given: string[] = []
      const take = (cls: MessageClass) => one.take(1, cls, never()).then(() => given.push(cls))
      const taking = ['bulk', 'normal', 'urgent'].flatMap((cls) =>
        Array.from({ length: 140 }, () => take(cls as MessageClass)),
      )
      await Promise.all(taking)
      // as long as each class has some left: urgent ends first, after 245 places
      const shares = classes.map((cls) => given.slice(0, 210).filter((each) => each === cls).length)
      expect(shares[0]).to.be.within(112, 128)
      expect(shares[1]).to.be.within(52, 68)
      expect(shares[2]).to.be.within(22, 38)
    })
  })
})
