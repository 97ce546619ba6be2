/** Statistics are counted where receipts move: their sum over hours is what the ledgers say, whatever has happened and however often. */
import {
  funnelOf,
  type HistoryRef,
  type Passed,
  type ReceiptView,
  reasonBytes,
  receiptOfFlow,
  stateOfReason,
} from '@courier-fleet/api-types'
import {
  createStats,
  expire,
  hourMs,
  keys,
  latenessBounds,
  readAllStats,
  type Snapshot,
  type Sums,
  statsTable,
} from '@courier-fleet/store'
import { purge } from '@courier-fleet/timekeeper'
import { expect } from 'chai'
import fc from 'fast-check'
import { resendUnknown, resolveUnknown } from '../../../store/src/history/unknown-scripts.ts'
import type { Claim } from '../../src/engine/claims/claim.ts'
import { wakeShard } from '../../src/engine/claims/waker.ts'
import {
  type ClaimFixture,
  claimWork,
  createClaimFixture,
  noEvidence,
  record,
  report,
  shard,
  wakeDue,
} from './claim-fixture.ts'
import { sumsOfLedgers, sumsOfStats, type TypedMessage } from './ledger-sums.ts'
import { allBytes } from './receipt-model.ts'

type Receipt = ReceiptView['channels'][string]

const size = 5

type Step =
  | { does: 'record'; wanted: string; reasons: string }
  | { does: 'report'; ordinal: number; state: 'delivered' | 'read' | 'failed' }
  | { does: 'resolve'; ordinal: number; outcome: 'delivered' | 'failed' }
  | { does: 'resend'; ordinal: number }
  | { does: 'cancel' }
  | { does: 'expire' }

const ordinal = fc.nat(size - 1)
const bytesOf = (...bytes: string[]) =>
  fc.array(fc.constantFrom(...bytes), { minLength: size, maxLength: size }).map((some) => some.join(''))
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      does: fc.constant('record' as const),
      wanted: bytesOf('=', 'a', 'a', '?', ...allBytes),
      reasons: fc.oneof(fc.constant(''), bytesOf('\0', 'B', 'R', 'o', 'A')),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      does: fc.constant('report' as const),
      ordinal,
      state: fc.constantFrom('delivered' as const, 'read' as const, 'failed' as const),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      does: fc.constant('resolve' as const),
      ordinal,
      outcome: fc.constantFrom('delivered' as const, 'failed' as const),
    }),
  },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('resend' as const), ordinal }) },
  { weight: 1, arbitrary: fc.constant<Step>({ does: 'cancel' }) },
  { weight: 1, arbitrary: fc.constant<Step>({ does: 'expire' }) },
)

describe('lua: statistics', () => {
  let fixture: ClaimFixture
  beforeEach(async () => {
    earlier = 0
    fixture = await createClaimFixture()
  })
  afterEach(() => fixture.stop())

  const stats = () => createStats({ redis: fixture.redis, shards: [shard] })
  const sumsOf = async (hour: number): Promise<Sums> => (await stats().hours(hour, hour + 1)).get(hour) as Sums
  /** Of all hours there are. */
  async function sumsOfHours(): Promise<Sums> {
    const hours = (await fixture.redis.keys('stats:*'))
      .map((key) => Number(key.split(':').at(-1)))
      .filter(Number.isFinite)
    const sums = new Map<string, number>()
    for (const hour of hours) for (const [field, by] of await sumsOf(hour)) sums.set(field, (sums.get(field) ?? 0) + by)
    return sums
  }
  const of = (sums: Sums, field: string) => sums.get(field) ?? 0

  /** The hour that is counted now. */
  const openHour = async () => Number(await fixture.redis.hget(keys.stats(shard, 'all'), 'hour'))
  /** Nine digits stand for the state and the reason of each receipt, and the other way round. */
  async function expectFlows(ref: HistoryRef): Promise<void> {
    const snapshot = (await fixture.histories.snapshot(ref)) as Snapshot
    const [{ rows }, receipts] = await Promise.all([
      fixture.histories.flow(snapshot, { from: 0 }),
      fixture.histories.receipts(snapshot, { from: 0, limit: size }),
    ])
    const counted: Record<string, number> = {}
    for (const [ordinal, { flow }] of rows.entries()) {
      const { state, reason } = (receipts.rows[ordinal] as ReceiptView).channels.vk as Receipt
      const { stage: _stage, ...told } = receiptOfFlow(flow.vk as string)
      expect(told).to.deep.equal(reason && stateOfReason(reason) === state ? { state, reason } : { state })
      counted[flow.vk as string] = (counted[flow.vk as string] ?? 0) + 1
    }
    expect(await fixture.histories.countFlows(snapshot)).to.deep.equal({ vk: counted })
  }

  /** The funnel of a type is that of all its messages. */
  async function expectFunnels(sums: Sums, messages: readonly TypedMessage[]): Promise<void> {
    for (const { type, passed } of statsTable(new Map([[0, sums]]), { by: new Set(['type'] as const) }).receipts) {
      const of = messages.filter((message) => message.type === type)
      const snapshots = await Promise.all(of.map(({ ref }) => fixture.histories.snapshot(ref)))
      const counts = await Promise.all(snapshots.map((snapshot) => fixture.histories.countFlows(snapshot as Snapshot)))
      const funnels = counts.map(({ vk = {} }) => funnelOf(vk).passed)
      const sum = (step: keyof Passed) => funnels.reduce((total, each) => total + each[step], 0)
      expect(passed).to.deep.equal({
        sent: sum('sent'),
        delivered: sum('delivered'),
        read: sum('read'),
        confirmed: sum('confirmed'),
      })
      expect(passed?.delivered).to.be.above(0)
    }
  }

  let earlier = 0
  /** What was counted in this hour was counted in one before, and in no other's, though an hour may end meanwhile. @returns that one */
  async function letAnHourPass(): Promise<number> {
    const hour = await openHour()
    earlier = Math.min(earlier || hour, hour) - 1
    await fixture.redis.rename(keys.stats(shard, hour), keys.stats(shard, earlier))
    await fixture.redis.hset(keys.stats(shard, 'all'), 'hour', earlier)
    return earlier
  }

  it('any traffic of three types, each script run twice: the sum of hours is the ledgers, after every step', async () => {
    const { scripts, streams } = await fixture.process()
    const messages: TypedMessage[] = []
    const typeOf = (index: number) => ['general', 'news', 'library'][index % 3] as string
    async function begin(): Promise<Claim> {
      const type = typeOf(messages.length)
      const ref = await fixture.put(size, {
        rules: { type },
        ref: fixture.ref(`stats-${String(messages.length).padStart(4, '0')}`),
      })
      messages.push({ ref, type })
      for (;;) {
        await wakeShard(fixture.redis, shard, 100)
        const own = (await streams.read(shard, 'normal', 100)).find((claim) => claim.ref.id === ref.id)
        if (own) return own
      }
    }
    const take = async (each: Step, claim: Claim) => {
      const decision = { ref: claim.ref, leg: 'vk', ordinals: 'ordinal' in each ? [each.ordinal] : [], by: 'dean' }
      const late = () => undefined
      if (each.does === 'report') return report(fixture, claim.ref, each.ordinal, { state: each.state })
      if (each.does === 'resolve') return resolveUnknown(fixture.redis, decision, each.outcome)
      if (each.does === 'resend') return resendUnknown(fixture.redis, decision).catch(late)
      if (each.does === 'cancel') return fixture.histories.cancel(claim.ref, 'dean').catch(late)
      if (each.does === 'expire') {
        await fixture.redis.hset(keys.history(claim.ref), 'expires', 1)
        return expire(fixture.redis, claim.ref)
      }
      const reasons = each.reasons === '' ? undefined : Buffer.from(each.reasons, 'latin1')
      return record(scripts, claim, Buffer.from(each.wanted, 'latin1'), noEvidence, false, reasons)
    }
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 10 }), fc.boolean(), async (steps, anHourPasses) => {
        const others = await sumsOfLedgers(fixture.histories, messages)
        const claim = await begin()
        for (const each of steps) {
          await take(each, claim)
          await take(each, claim)
          const sums = await sumsOfHours()
          expect(sumsOfStats(sums)).to.deep.equal(await sumsOfLedgers(fixture.histories, messages.slice(-1), others))
          expect(await readAllStats(fixture.redis, [shard])).to.deep.equal(sums)
          await expectFlows(claim.ref)
        }
        if (anHourPasses) await letAnHourPass()
      }),
      { numRuns: 60 },
    )
    const sums = await sumsOfHours()
    await expectFunnels(sums, messages)
    for (const type of ['general', 'news', 'library']) {
      const accepted = messages.filter((each) => each.type === type).length
      expect(of(sums, `${type}::accepted`)).to.equal(accepted)
      expect(of(sums, `${type}::accepted-to`)).to.equal(accepted * size)
    }
  })

  /** Begins a message to so many. */
  async function started(people: number, more = {}) {
    const { scripts, streams } = await fixture.process()
    const ref = await fixture.put(people, more)
    await wakeDue(fixture)
    return { scripts, ref, claim: await claimWork(streams) }
  }

  it('says what receipts came to and what they left, with the reasons they were given', async () => {
    const { scripts, claim, ref } = await started(6)
    await record(scripts, claim, Buffer.from('aaaaan'), noEvidence, false)
    const reasons = Buffer.from([0, reasonBytes.blocked, reasonBytes.blocked, reasonBytes['no-answer'], 0, 0])
    await record(scripts, claim, Buffer.from('sffus='), noEvidence, true, reasons)
    await report(fixture, ref, 0, { state: 'delivered' })
    await report(fixture, ref, 4, { state: 'failed' })
    await resolveUnknown(fixture.redis, { ref, leg: 'vk', ordinals: [3], by: 'dean' }, 'delivered')
    const told = Object.fromEntries([...(await sumsOfHours())].filter(([field]) => field.startsWith('general:vk:')))
    expect(told).to.deep.equal({
      'general:vk:0': 6,
      'general:vk:n': 1,
      'general:vk:s': 2,
      'general:vk:-s': 2,
      'general:vk:f:B': 2,
      'general:vk:u:A': 1,
      'general:vk:-u': 1,
      'general:vk:d': 1,
      'general:vk:d:Y': 1,
      'general:vk:f:U': 1,
    })
  })

  it('a receipt that comes late counts in the hour it comes', async () => {
    const { scripts, claim, ref } = await started(2)
    await record(scripts, claim, Buffer.from('aa'), noEvidence, false)
    await record(scripts, claim, Buffer.from('ss'), noEvidence, true)
    const before = await letAnHourPass()
    await report(fixture, ref, 1, { state: 'delivered' })
    expect(Object.fromEntries(await sumsOf(await openHour()))).to.deep.equal({ 'general:vk:-s': 1, 'general:vk:d': 1 })
    expect(of(await sumsOf(before), 'general:vk:s')).to.equal(2)
  })

  it('an hour is kept for 35 days after its end, once the next has begun', async () => {
    await started(1)
    const hour = await letAnHourPass()
    const before = keys.stats(shard, hour)
    expect(await fixture.redis.ttl(before), 'nothing else would know what it holds').to.equal(-1)
    await fixture.put(1)
    expect(await fixture.redis.expiretime(before)).to.equal((hour + 1 + 35 * 24) * 3600)
    await fixture.put(1)
    expect(of(await readAllStats(fixture.redis, [shard]), 'general::accepted')).to.equal(3)
  })

  it('outlives the messages', async () => {
    const { scripts, claim, ref } = await started(2)
    await record(scripts, claim, Buffer.from('nn'), noEvidence, true)
    const before = await sumsOfHours()
    await fixture.redis.zadd(keys.retention(shard), 1, `dean:${ref.id}`)
    expect((await purge(fixture.redis, shard, 1000, 10)).messages).to.equal(1)
    expect(await fixture.histories.snapshot(ref)).to.equal(undefined)
    expect(await sumsOfHours()).to.deep.equal(before)
  })

  it('of a message that was cancelled before it started: that, once, and nothing of receipts', async () => {
    const ref = await fixture.put(3, { dueMs: Date.now() + hourMs })
    for (const _time of [1, 2]) expect(await fixture.histories.cancel(ref, 'dean')).to.equal('cancelled')
    const told = Object.fromEntries(await sumsOfHours())
    expect(told).to.deep.equal({
      'general::accepted': 1,
      'general::accepted-to': 3,
      'general::cancelled': 1,
      'general::cancelled-to': 3,
    })
  })

  it('of how late messages start: by class and by channel, in ten buckets', async () => {
    await fixture.process()
    const expected: Record<string, number> = {}
    let sumMs = 0
    for (const ms of [-1000, 30, 70, 300, 700, 3_000, 7_000, 30_000, 100_000, 400_000]) {
      const ref = await fixture.put(1, { class: 'urgent' })
      const due = Date.now() - ms
      await fixture.redis.hset(keys.history(ref), 'due', due)
      await wakeDue(fixture)
      const lateMs = Number(await fixture.redis.hget(keys.history(ref), 'started')) - due
      const bound = latenessBounds.find((each) => lateMs <= each * 1000) ?? 'more'
      for (const field of [`::urgent:${bound}`, `::urgent:vk/${bound}`]) expected[field] = (expected[field] ?? 0) + 1
      sumMs += Math.max(0, lateMs)
    }
    expected['::urgent:us'] = sumMs * 1000
    expected['::urgent:vk/us'] = sumMs * 1000
    const told = Object.fromEntries([...(await sumsOfHours())].filter(([field]) => field.startsWith('::')))
    expect(told).to.deep.equal(expected)
    expect(latenessBounds).to.have.length(9)
  })
})
