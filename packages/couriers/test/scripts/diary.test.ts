/** The scripts that count, against a real Redis: beside their pure twin, and beside a diary kept by hand. */
import { parseHistoryKey } from '@courier-fleet/api-types'
import { type CalendarDay, type CountPolicy, type CountRule, calendarDayAt, judgeCounts } from '@courier-fleet/rules'
import { bucketOf, connectNode, type DiaryEntry, keys, pageName, pageStart, readDiaries } from '@courier-fleet/store'
import { type FreshRedis, freshRedis } from '@courier-fleet/testkit'
import { expect } from 'chai'
import fc from 'fast-check'
import type { Redis } from 'ioredis'
import { bindDiaryScripts, type Counting, type DiaryScripts } from '../../src/engine/rules/diary-scripts.ts'

const minute = 60_000
const hour = 60 * minute
const dayMs = 24 * hour
const t0 = Date.parse('2026-03-28T23:58:00Z')
const zones = ['Pacific/Kiritimati', 'Pacific/Honolulu', 'Europe/Berlin', 'UTC']

const rule = (changes: Partial<CountRule>): CountRule => ({
  reason: 'capped',
  rank: 2,
  of: 'any',
  n: 1,
  window: hour,
  over: 'drop',
  ...changes,
})

const policyOf = (rules: readonly CountRule[], number = 1): CountPolicy => ({
  number,
  rules,
  keptMs: 31 * dayMs,
  version: 1,
})
const textHash = (text: number) => `text-${text}--`.slice(0, 8).padEnd(8, '-')
const keyOf = (message: number) => `05.dean.message-${message}`
const asking = (message: number, more: Partial<Omit<Counting, 'ref'>> = {}): Counting => ({
  ref: parseHistoryKey(keyOf(message)),
  policy: policyOf([rule({})]),
  channelBit: 1,
  textHash: textHash(message),
  ...more,
})
const noDay: CalendarDay = { fromMs: 0, toMs: 0 }

describe('lua: allow, contest, give-back, forget', () => {
  let fresh: FreshRedis
  let redis: Redis
  let diary: DiaryScripts
  before(async () => {
    fresh = await freshRedis()
    redis = connectNode(fresh.url, { name: 'diary-test' })
    diary = bindDiaryScripts(redis)
  })
  beforeEach(() => redis.flushdb())
  after(async () => {
    redis.disconnect()
    await fresh.stop()
  })

  const allow = async (counting: Counting, nowMs: number, person = 'anna', day = noDay) =>
    (await diary.allow(counting, [{ person, ordinal: 7 }], [day], nowMs))[0]
  const read = async (nowMs: number, person = 'anna') =>
    (await readDiaries(redis, [person], t0 - dayMs, nowMs))[0] as DiaryEntry[]

  it('allows one, refuses the next until the window is over, to the millisecond', async () => {
    expect(await allow(asking(1), t0)).to.equal(undefined)
    const refusal = await allow(asking(2), t0 + hour - 1)
    expect(refusal).to.include({ untilMs: t0 + hour, tooMany: 1 })
    expect(refusal?.inTheWay.map(({ message, ordinal }) => [message, ordinal])).to.deep.equal([[keyOf(1), 7]])
    expect(await allow(asking(2), t0 + hour)).to.equal(undefined)
  })

  it('is the same yes when it is asked again, and the same no', async () => {
    for (const _try of [1, 2]) expect(await allow(asking(1), t0)).to.equal(undefined)
    for (const _try of [1, 2]) expect(await allow(asking(2), t0)).to.not.equal(undefined)
    expect(await read(t0)).to.have.length(1)
  })

  it('counts a message once over all channels, and again what was given back by all of them', async () => {
    expect(await allow(asking(1, { channelBit: 1 }), t0)).to.equal(undefined)
    expect(await allow(asking(1, { channelBit: 4 }), t0)).to.equal(undefined)
    expect((await read(t0)).map(({ channels }) => channels)).to.deep.equal([5])
    expect(await diary.giveBack({ ...asking(1), channelBit: 1 }, ['anna'], t0, t0)).to.equal(0)
    expect(await allow(asking(2), t0)).to.not.equal(undefined)
    expect(await diary.giveBack({ ...asking(1), channelBit: 4 }, ['anna'], t0, t0)).to.equal(1)
    expect(await allow(asking(2), t0)).to.equal(undefined)
    expect(await redis.hkeys(keys.diary(bucketOf('anna'), pageName(t0)))).to.deep.equal(['anna'])
  })

  it('keeps what is contested: neither given back nor forgotten', async () => {
    await allow(asking(1), t0)
    const [before] = await read(t0)
    await diary.contest(asking(1), ['anna', 'nobody'], t0, t0)
    const [contested] = await read(t0)
    expect(contested?.isContested).to.equal(true)
    expect(await diary.giveBack(asking(1), ['anna'], t0, t0)).to.equal(0)
    for (const entry of [before, contested]) await diary.forget([{ person: 'anna', entry: entry as DiaryEntry }])
    expect(await read(t0)).to.deep.equal([contested])
    // that it is allowed once more takes nothing back
    await allow(asking(1), t0 + 1)
    expect((await read(t0))[0]?.isContested).to.equal(true)
  })

  it('forgets an entry only as it was seen', async () => {
    await allow(asking(1), t0)
    const [seen] = await read(t0)
    await allow(asking(1, { channelBit: 2 }), t0 + 1)
    await diary.forget([{ person: 'anna', entry: seen as DiaryEntry }])
    expect(await read(t0)).to.have.length(1)
    const [now] = await read(t0)
    await diary.forget([{ person: 'anna', entry: now as DiaryEntry }])
    expect(await redis.keys('diary:*')).to.deep.equal([])
  })

  it('has no two of the same text at UTC midnight, and gives back across it', async () => {
    const same = (message: number) =>
      asking(message, {
        policy: policyOf([rule({ reason: 'duplicate', rank: 1, of: 'text', window: dayMs })]),
        textHash: textHash(0),
      })
    const midnight = Date.parse('2026-03-29T00:00:00Z')
    expect(await allow(same(1), midnight - 1)).to.equal(undefined)
    expect(await allow(same(2), midnight + dayMs - 2)).to.not.equal(undefined)
    expect(await diary.giveBack(same(1), ['anna'], midnight - 1, midnight + 1)).to.equal(1)
    expect(await allow(same(2), midnight)).to.equal(undefined)
    expect(await redis.pttl(keys.diary(bucketOf('anna'), '2026-03-29'))).to.be.within(32 * dayMs - minute, 32 * dayMs)
  })

  it('sees what a machine whose clock is ahead has written on the next day', async () => {
    const midnight = Date.parse('2026-03-29T00:00:00Z')
    expect(await allow(asking(1), midnight + 900)).to.equal(undefined)
    expect(await allow(asking(2), midnight - 100)).to.not.equal(undefined)
    expect(await allow(asking(3), midnight - 100, 'boris')).to.equal(undefined)
    expect(await redis.hkeys(keys.diary(bucketOf('boris'), '2026-03-28'))).to.deep.equal(['boris'])
  })

  it('what was allowed long ago and is asked for anew is decided anew, and counts from now on', async () => {
    expect(await allow(asking(1), t0)).to.equal(undefined)
    expect(await allow(asking(2), t0 + hour)).to.equal(undefined)
    expect(await allow(asking(1), t0 + hour + minute)).to.include({ untilMs: t0 + 2 * hour })
    expect(await allow(asking(1), t0 + 2 * hour)).to.equal(undefined)
    expect((await read(t0 + 2 * hour)).map(({ message, atMs }) => [message, atMs])).to.deep.equal([
      [keyOf(1), t0 + 2 * hour],
      [keyOf(2), t0 + hour],
    ])
  })

  it('the strictest rule of the first rank that forbids it is told', async () => {
    const rules = [
      rule({ reason: 'duplicate', rank: 1, of: 'text', window: minute }),
      rule({ reason: 'too-soon', window: 10 * minute, over: 'wait' }),
      rule({ n: 2, window: hour, over: 'wait' }),
      rule({ n: 3, window: 2 * hour }),
      rule({ reason: 'not-important', rank: 3, n: 1, window: 'day' }),
    ]
    const day = { fromMs: t0 - hour, toMs: t0 + hour }
    const ask = async (message: number, atMs: number, own = rules) => {
      const refusal = await allow(asking(message, { policy: policyOf(own) }), atMs, 'anna', day)
      return refusal && [refusal.rule.reason, refusal.untilMs - t0, refusal.tooMany]
    }
    expect(await ask(1, t0)).to.equal(undefined)
    expect(await ask(2, t0 + 1)).to.deep.equal(['too-soon', 10 * minute, 1])
    expect(await ask(2, t0 + 10 * minute)).to.deep.equal(['not-important', hour, 1])
    const unlevelled = rules.slice(0, 4)
    expect(await ask(2, t0 + 10 * minute, unlevelled)).to.equal(undefined)
    expect(await ask(3, t0 + 11 * minute, unlevelled)).to.deep.equal(['capped', hour, 1])
    expect(await ask(3, t0 + hour, unlevelled)).to.equal(undefined)
    // one that drops is stricter than one that waits longer
    expect(await ask(4, t0 + hour + 1, unlevelled)).to.deep.equal(['capped', 2 * hour, 1])
  })

  it('above 64 entries a day the oldest of a type become one, and count as many as they were', async () => {
    const rules = [rule({ n: 100, window: dayMs })]
    for (let i = 0; i < 100; i += 1) {
      const policy = policyOf(rules, 1 + (i % 2))
      expect(await allow(asking(i, { policy }), t0 - dayMs / 2 + i), String(i)).to.equal(undefined)
    }
    const entries = await read(t0)
    expect(entries).to.have.length(64)
    expect(entries.reduce((sum, { weight }) => sum + weight, 0)).to.equal(100)
    const refusal = await allow(asking(1000, { policy: policyOf(rules) }), t0)
    expect(refusal).to.include({ tooMany: 1 })
    expect(refusal?.inTheWay).to.have.length(16)
  })

  it('takes thousands of people, each by their own diary', async () => {
    const people = Array.from({ length: 5000 }, (_unused, i) => ({ person: `p${i}`, ordinal: i }))
    const today = people.map(() => noDay)
    await diary.allow(
      asking(1),
      people.filter((_each, i) => i % 3 !== 0),
      today,
      t0,
    )
    const answers = await diary.allow(asking(2), people, today, t0)
    expect(answers.map((answer) => answer?.inTheWay[0]?.ordinal)).to.deep.equal(
      people.map((_each, i) => (i % 3 !== 0 ? i : undefined)),
    )
    const written = await readDiaries(
      redis,
      people.map(({ person }) => person),
      t0,
      t0,
    )
    expect(written.map((entries) => entries.map(({ message, ordinal }) => [message, ordinal]))).to.deep.equal(
      people.map((_each, i) => [[keyOf(i % 3 !== 0 ? 1 : 2), i]]),
    )
  })

  it('and each by their own day, of several in one call', async () => {
    const people = Array.from({ length: 400 }, (_unused, i) => ({ person: `p${i}`, ordinal: i }))
    const daily = { policy: policyOf([rule({ window: 'day' })]) }
    const days = [minute, -minute, 2 * minute].map((sinceMs) => ({ fromMs: t0 + sinceMs, toMs: t0 + hour + sinceMs }))
    const today = people.map((_each, i) => days[i % days.length] as CalendarDay)
    await diary.allow(asking(1, daily), people, today, t0)
    const answers = await diary.allow(asking(2, daily), people, today, t0 + 3 * minute)
    expect(answers.map((answer) => answer?.untilMs)).to.deep.equal(
      people.map((_each, i) => (i % days.length === 1 ? t0 + hour - minute : undefined)),
    )
  })

  it('and their pure twin agree, whatever has happened before', async () => {
    const ruleOf = fc.record({
      reason: fc.constantFrom<CountRule['reason']>('capped', 'too-soon', 'duplicate', 'not-important'),
      rank: fc.constantFrom<CountRule['rank']>(1, 2, 3),
      of: fc.constantFrom<CountRule['of']>('text', 'any', 1, 2),
      n: fc.integer({ min: 1, max: 4 }),
      window: fc.constantFrom<CountRule['window']>(minute, hour, dayMs, 3 * dayMs, 'day'),
      over: fc.constantFrom<CountRule['over']>('drop', 'wait'),
    })
    const step = fc.record({
      kind: fc.constantFrom('allow', 'allow', 'allow', 'allow', 'contest', 'give-back', 'forget'),
      message: fc.integer({ min: 1, max: 8 }),
      channel: fc.constantFrom(1, 2, 4),
      text: fc.integer({ min: 1, max: 3 }),
      type: fc.constantFrom(1, 2),
      laterMs: fc.constantFrom(0, 1, minute - 1, minute, 20 * minute, 7 * hour, dayMs),
    })
    const history = fc.record({
      zone: fc.constantFrom(...zones),
      rules: fc.array(ruleOf, { maxLength: 5 }),
      steps: fc.array(step, { minLength: 5, maxLength: 40 }),
    })
    let decisions = 0
    await fc.assert(
      fc.asyncProperty(history, async ({ zone, rules: any, steps }) => {
        await redis.flushdb()
        const rules = [...any].sort((a, b) => a.rank - b.rank)
        // of each message the entries it has, the newest last: one that is too old to be found stays where it is
        const byHand = new Map<string, { atMs: number; channels: number; isContested: boolean }[]>()
        let nowMs = t0
        for (const { kind, message, channel, text, type, laterMs } of steps) {
          nowMs += laterMs
          const counting = asking(message, {
            policy: policyOf(rules, type),
            channelBit: channel,
            textHash: textHash(text),
          })
          const seen = await read(nowMs)
          const own = byHand.get(keyOf(message)) ?? []
          byHand.set(keyOf(message), own)
          const newest = own.at(-1)
          if (kind === 'allow') {
            const day = calendarDayAt(nowMs, zone)
            const mine = { message: keyOf(message), textHash: textHash(text) }
            const refusal = await allow(counting, nowMs, 'anna', day)
            expect(refusal).to.deep.equal(judgeCounts(mine, seen, rules, nowMs, day))
            const reachMs = Math.max(dayMs, ...rules.map(({ window }) => (window === 'day' ? 25 * hour : window)))
            const before = newest && newest.atMs >= pageStart(nowMs - reachMs) ? newest : undefined
            if (!refusal && before) own.pop()
            if (!refusal) {
              const { channels, isContested } = before ?? { channels: 0, isContested: false }
              own.push({ atMs: nowMs, channels: channels | channel, isContested })
            }
            decisions += 1
          } else if (kind === 'contest') {
            await diary.contest(counting, ['anna'], t0, nowMs)
            if (newest) newest.isContested = true
          } else if (kind === 'give-back') {
            await diary.giveBack(counting, ['anna'], t0, nowMs)
            if (newest && !newest.isContested) newest.channels &= ~channel
            if (newest && !newest.isContested && newest.channels === 0) own.pop()
          } else {
            const entry = seen.find((each) => each.message === keyOf(message))
            if (entry) await diary.forget([{ person: 'anna', entry }])
            if (newest && !newest.isContested) own.pop()
          }
          const found = (await read(nowMs)).map(({ atMs, channels, isContested }) => ({ atMs, channels, isContested }))
          expect(found).to.have.deep.members([...byHand.values()].flat())
        }
      }),
      { numRuns: 400 },
    )
    expect(decisions).to.be.above(2000)
  })
})
