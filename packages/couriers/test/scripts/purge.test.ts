import { type HistoryRef, memberOf } from '@courier-fleet/api-types'
import { keys } from '@courier-fleet/store'
import { purge } from '@courier-fleet/timekeeper'
import { expect } from 'chai'
import type { Redis } from 'ioredis'
import { dump as dumpAll } from '../../../store/test/scripts/dump.ts'
import { type Claim, Fenced } from '../../src/engine/claims/claim.ts'
import type { ClaimScripts } from '../../src/engine/claims/claim-scripts.ts'
import { wakeShard } from '../../src/engine/claims/waker.ts'
import type { WorkStreams } from '../../src/engine/claims/work-streams.ts'
import {
  type ClaimFixture,
  claimWork,
  createClaimFixture,
  noEvidence,
  record,
  report,
  shard,
  waiting,
  wakeDue,
} from './claim-fixture.ts'

/** much longer than a test takes: what it has just made is not old */
const keptMs = 600_000
const dayMs = 86_400_000

const isOfMessages = (key: string) => !key.startsWith('stats:')
/** Without the sums that outlive every message. */
const dump = async (redis: Redis) =>
  Object.fromEntries(Object.entries(await dumpAll(redis)).filter(([key]) => isOfMessages(key)))

describe('lua: purge', () => {
  let fixture: ClaimFixture
  let scripts: ClaimScripts
  let streams: WorkStreams
  beforeEach(async () => {
    fixture = await createClaimFixture()
    ;({ scripts, streams } = await fixture.process())
  })
  afterEach(() => fixture.stop())

  const overAt = async (ref: HistoryRef) => Number(await fixture.redis.zscore(keys.retention(shard), memberOf(ref)))
  /** As if it had been over for long. */
  const age = (ref: HistoryRef) =>
    fixture.redis.zadd(keys.retention(shard), 'XX', Date.now() - 2 * keptMs, memberOf(ref))
  const claimOf = async (): Promise<Claim> => {
    await wakeDue(fixture)
    return claimWork(streams)
  }
  const finish = (claim: Claim, bytes: string, evidence = noEvidence) =>
    record(scripts, claim, Buffer.from(bytes), evidence, true)
  const stateOf = (ref: HistoryRef) => fixture.redis.hget(keys.history(ref), 'state')

  async function settle(size = 2, more = {}): Promise<HistoryRef> {
    const ref = await fixture.put(size, more)
    const claim = await claimOf()
    await record(scripts, claim, Buffer.from('a'.repeat(size)), noEvidence, false)
    await finish(claim, 's'.repeat(size), new Map([[0, '#1']]))
    return ref
  }

  it('removes all of a message that is old and nothing else; the second run changes nothing', async () => {
    const young = await settle()
    await fixture.put(1, { dueMs: Date.now() + dayMs })
    await fixture.process('sms')
    // when a sender's latest was accepted is kept as it was
    const all = async () => ({ ...(await dump(fixture.redis)), [keys.senders(shard)]: undefined })
    const before = await all()
    const old = await settle(2, { channels: ['vk'] })
    expect(await overAt(old)).to.equal(Number(await fixture.redis.hget(keys.history(old), 'settled')))
    expect((await purge(fixture.redis, shard, keptMs * 60, 10)).messages).to.equal(0)
    await age(old)
    expect((await purge(fixture.redis, shard, keptMs * 60, 10)).messages).to.equal(0)
    expect((await purge(fixture.redis, shard, keptMs, 10)).messages).to.equal(1)
    expect(await all()).to.deep.equal(before)
    expect((await purge(fixture.redis, shard, keptMs, 10)).messages).to.equal(0)
    expect(await all()).to.deep.equal(before)
    expect(await stateOf(young)).to.equal('settled')
    expect(await fixture.redis.zrange(keys.senders(shard), '0', '-1')).to.deep.equal(['dean'])
  })

  it('removes no more than it was told to, the oldest first', async () => {
    const refs: HistoryRef[] = []
    for (let index = 0; index < 5; index += 1) {
      const ref = await settle(1)
      refs.push(ref)
      await fixture.redis.zadd(keys.retention(shard), Date.now() - (10 - index) * keptMs, memberOf(ref))
    }
    expect((await purge(fixture.redis, shard, keptMs, 2)).messages).to.equal(2)
    expect(await Promise.all(refs.map(stateOf))).to.deep.equal([null, null, 'settled', 'settled', 'settled'])
  })

  it('removes what was cancelled before it started; an issued key that was cancelled lapses by itself', async () => {
    const empty = await dump(fixture.redis)
    const ref = await fixture.put(3, { dueMs: Date.now() + dayMs })
    await fixture.histories.cancel(ref, 'dean')
    expect(await overAt(ref)).to.equal(Number(await fixture.redis.hget(keys.history(ref), 'cancelled')))
    await age(ref)
    expect((await purge(fixture.redis, shard, keptMs, 10)).messages).to.equal(1)
    expect(await dump(fixture.redis)).to.deep.equal(empty)
    await fixture.histories.issue('dean')
    expect(await fixture.redis.exists(keys.retention(shard))).to.equal(0)
  })

  it('removes what never settled, once it has expired for long enough, with its waiting wave', async () => {
    const expiresMs = Date.now() + keptMs
    const ref = await fixture.put(2, { expiresMs })
    const claim = await claimOf()
    expect(await overAt(ref)).to.equal(expiresMs)
    await scripts.defer(claim, [waiting(0, 2, 60_000, 1)])
    expect((await purge(fixture.redis, shard, 0, 10)).messages).to.equal(0)
    await age(ref)
    expect((await purge(fixture.redis, shard, keptMs, 10)).messages).to.equal(1)
    const left = (await fixture.redis.keys('*')).filter(isOfMessages)
    expect(left).to.have.members(Object.keys(await streamsOnly()))
  })

  const streamsOnly = async () =>
    Object.fromEntries(Object.entries(await dump(fixture.redis)).filter(([name]) => /^(work|channels):/.test(name)))

  it('without an expiry of its own a message that never settles is over a day after it was due', async () => {
    const ref = await fixture.put(1)
    await claimOf()
    expect(await overAt(ref)).to.equal(Number(await fixture.redis.hget(keys.history(ref), 'due')) + dayMs)
  })

  it('the order of a channel that never comes leaves the stream with its message', async () => {
    const ref = await fixture.put(1, { channels: ['vk', 'pigeon'] })
    await finish(await claimOf(), 'n')
    expect(await stateOf(ref)).to.equal('running')
    await fixture.put(1, { dueMs: 0 })
    await wakeDue(fixture)
    expect(await purge(fixture.redis, shard, keptMs, 10)).to.deep.equal({ messages: 0, entries: 0 })
    await age(ref)
    expect(await purge(fixture.redis, shard, keptMs, 10)).to.deep.equal({ messages: 1, entries: 1 })
    expect(await fixture.redis.xlen(keys.work(shard, 'vk', 'normal'))).to.equal(1)
    expect(await purge(fixture.redis, shard, keptMs, 10)).to.deep.equal({ messages: 0, entries: 0 })
  })

  it('pieces and claims that a vanished channel left go too, and no take-over brings them back', async () => {
    const sms = await fixture.process('sms')
    const [split, claimed] = [await fixture.put(30), await fixture.put(1)]
    await wakeDue(fixture)
    while ((await stateOf(claimed)) !== 'running') await wakeShard(fixture.redis, shard, 10)
    const claims = await sms.streams.read(shard, 'normal', 2)
    await sms.scripts.split(claims.find(({ ref }) => ref.id === split.id) as Claim, 10)
    await age(split)
    await age(claimed)
    const step = () => purge(fixture.redis, shard, keptMs, 2)
    expect(await step()).to.deep.equal({ messages: 2, entries: 0 }) // there may be more messages
    expect(await step()).to.deep.equal({ messages: 0, entries: 4 }) // of each stream the two oldest
    expect(await step()).to.deep.equal({ messages: 0, entries: 2 })
    expect(await step()).to.deep.equal({ messages: 0, entries: 0 })
    const again = await fixture.process('sms', 'sms-b')
    expect(await again.streams.takeOver(shard, 0, 10)).to.deep.equal([])
    expect((await fixture.redis.xpending(keys.work(shard, 'sms', 'normal'), 'sms'))[0]).to.equal(0)
    expect(await again.streams.read(shard, 'normal', 10)).to.deep.equal([])
  })

  for (const [what, act] of [
    ['record', (claim: Claim) => record(scripts, claim, Buffer.from('aa'), noEvidence, false)],
    ['record at the end', (claim: Claim) => finish(claim, 'nn')],
    ['defer', (claim: Claim) => scripts.defer(claim, [waiting(0, 2, 1000, 1)])],
    ['split', (claim: Claim) => scripts.split(claim, 1)],
  ] as const) {
    it(`a ${what} that comes after its message was purged is fenced, writes nothing and lets go of the entry`, async () => {
      const ref = await fixture.put(2)
      const claim = await claimOf()
      await age(ref)
      // its entry is left for the next step
      await purge(fixture.redis, shard, keptMs, 1)
      const names = (await fixture.redis.keys('*')).sort()
      const error = await act(claim).catch((reason: unknown) => reason)
      expect(error).to.be.instanceOf(Fenced)
      expect((await fixture.redis.keys('*')).sort()).to.deep.equal(names)
      expect(await fixture.redis.xlen(claim.stream)).to.equal(0)
      expect((await fixture.redis.xpending(claim.stream, 'vk'))[0]).to.equal(0)
    })
  }

  it('a late receipt, a cancel and a reschedule of a purged message change nothing', async () => {
    const ref = await settle()
    await age(ref)
    await purge(fixture.redis, shard, keptMs, 10)
    const before = await dump(fixture.redis)
    await report(fixture, ref, 0, { state: 'delivered' })
    await fixture.redis.del(await fixture.redis.keys('provider-id:*'))
    const code = (call: Promise<unknown>) => call.catch((error: { code: string }) => error.code)
    expect(await code(fixture.histories.cancel(ref, 'dean'))).to.equal('unknown-key')
    expect(await code(fixture.histories.reschedule(ref, Date.now() + 1000))).to.equal('unknown-key')
    expect(await fixture.histories.snapshot(ref)).to.equal(undefined)
    expect(await fixture.histories.list('dean', Number.MAX_SAFE_INTEGER, 10)).to.deep.equal({ found: [] })
    expect(await dump(fixture.redis)).to.deep.equal(before)
  })
})
