import { type HistoryRef, memberOf } from '@courier-fleet/api-types'
import { keys } from '@courier-fleet/store'
import { discard, retire } from '@courier-fleet/timekeeper'
import { expect } from 'chai'
import { dump } from '../../../store/test/scripts/dump.ts'
import { type Claim, type ClaimScripts, Fenced } from '../../src/claim-scripts.ts'
import { createReceiptBook } from '../../src/receipt-book.ts'
import type { Streams } from '../../src/streams.ts'
import { claimOrder, type Ground, noEvidence, record, setGround, shard, wakeDue } from './claims.ts'

const keptMs = 1000
const dayMs = 86_400_000

describe('lua: retire and discard', () => {
  let ground: Ground
  let scripts: ClaimScripts
  let streams: Streams
  beforeEach(async () => {
    ground = await setGround()
    ;({ scripts, streams } = await ground.process())
  })
  afterEach(() => ground.stop())

  const overAt = async (ref: HistoryRef) => Number(await ground.redis.zscore(keys.kept(shard), memberOf(ref)))
  /** As if it had been over for long. */
  const age = (ref: HistoryRef) => ground.redis.zadd(keys.kept(shard), 'XX', Date.now() - 2 * keptMs, memberOf(ref))
  const claimOf = async (size: number): Promise<Claim> => {
    await wakeDue(ground, scripts)
    return claimOrder(streams, size)
  }
  const finish = (claim: Claim, bytes: string, evidence = noEvidence) =>
    record(scripts, claim, Buffer.from(bytes), evidence, true)
  const stateOf = (ref: HistoryRef) => ground.redis.hget(keys.history(ref), 'state')

  async function settle(size = 2, more = {}): Promise<HistoryRef> {
    const ref = await ground.put(size, more)
    const claim = await claimOf(size)
    await record(scripts, claim, Buffer.from('a'.repeat(size)), noEvidence, false)
    await finish(claim, 's'.repeat(size), new Map([[0, '#1']]))
    return ref
  }

  it('removes all of a message that is old and nothing else; the second run changes nothing', async () => {
    const young = await settle()
    await ground.put(1, { dueMs: Date.now() + dayMs })
    await ground.process('sms')
    const before = await dump(ground.redis)
    const old = await settle(2, { channels: ['vk'] })
    expect(await overAt(old)).to.equal(Number(await ground.redis.hget(keys.history(old), 'settled')))
    expect(await retire(ground.redis, shard, keptMs * 60, 10)).to.equal(0)
    await age(old)
    expect(await retire(ground.redis, shard, keptMs * 60, 10)).to.equal(0)
    expect(await retire(ground.redis, shard, keptMs, 10)).to.equal(1)
    expect(await dump(ground.redis)).to.deep.equal(before)
    expect(await retire(ground.redis, shard, keptMs, 10)).to.equal(0)
    expect(await dump(ground.redis)).to.deep.equal(before)
    expect(await stateOf(young)).to.equal('settled')
  })

  it('removes no more than it was told to, the oldest first', async () => {
    const refs: HistoryRef[] = []
    for (let index = 0; index < 5; index += 1) {
      const ref = await settle(1)
      refs.push(ref)
      await ground.redis.zadd(keys.kept(shard), Date.now() - (10 - index) * keptMs, memberOf(ref))
    }
    expect(await retire(ground.redis, shard, keptMs, 2)).to.equal(2)
    expect(await Promise.all(refs.map(stateOf))).to.deep.equal([null, null, 'settled', 'settled', 'settled'])
  })

  it('removes what was cancelled before it started; an issued key that was cancelled lapses by itself', async () => {
    const empty = await dump(ground.redis)
    const ref = await ground.put(3, { dueMs: Date.now() + dayMs })
    await ground.histories.cancel(ref)
    expect(await overAt(ref)).to.equal(Number(await ground.redis.hget(keys.history(ref), 'cancelled')))
    await age(ref)
    expect(await retire(ground.redis, shard, keptMs, 10)).to.equal(1)
    expect(await dump(ground.redis)).to.deep.equal(empty)
    await ground.histories.issue('dean')
    expect(await ground.redis.exists(keys.kept(shard))).to.equal(0)
  })

  it('removes what never settled, once it has expired for long enough, with its waiting wave', async () => {
    const expiresMs = Date.now() + 5000
    const ref = await ground.put(2, { expiresMs })
    const claim = await claimOf(2)
    expect(await overAt(ref)).to.equal(expiresMs)
    await scripts.defer(claim, 0, 2, 1, 60_000)
    expect(await retire(ground.redis, shard, 0, 10)).to.equal(0)
    await age(ref)
    expect(await retire(ground.redis, shard, keptMs, 10)).to.equal(1)
    expect(await ground.redis.keys('*')).to.have.members(Object.keys(await streamsOnly()))
  })

  const streamsOnly = async () =>
    Object.fromEntries(Object.entries(await dump(ground.redis)).filter(([name]) => /^(orders|batches):/.test(name)))

  it('without an expiry of its own a message that never settles is over a day after it was due', async () => {
    const ref = await ground.put(1)
    await claimOf(1)
    expect(await overAt(ref)).to.equal(Number(await ground.redis.hget(keys.history(ref), 'due')) + dayMs)
  })

  it('the order of a channel that never comes leaves the stream with its message', async () => {
    const ref = await ground.put(1, { channels: ['vk', 'pigeon'] })
    await finish(await claimOf(1), 'n')
    expect(await stateOf(ref)).to.equal('running')
    await ground.put(1, { dueMs: 0 })
    await wakeDue(ground, scripts)
    expect(await discard(ground.redis, shard, 10)).to.equal(0)
    await age(ref)
    await retire(ground.redis, shard, keptMs, 10)
    expect(await discard(ground.redis, shard, 10)).to.equal(1)
    expect(await ground.redis.xlen(keys.orders(shard, 'normal'))).to.equal(1)
    expect(await discard(ground.redis, shard, 10)).to.equal(0)
  })

  it('batches and claims that a vanished channel left go too, and no take-over brings them back', async () => {
    const sms = await ground.process('sms')
    const [split, claimed] = [await ground.put(30), await ground.put(1)]
    await wakeDue(ground, scripts)
    while ((await stateOf(claimed)) !== 'running') await scripts.wake(shard, 10)
    const claims = await sms.streams.readOrders(shard, 'normal', 2)
    await sms.scripts.split(claims.find(({ ref }) => ref.id === split.id) as Claim, 30, 10)
    await age(split)
    await age(claimed)
    await retire(ground.redis, shard, keptMs, 10)
    expect(await discard(ground.redis, shard, 2)).to.equal(4) // of each stream the two oldest
    expect(await discard(ground.redis, shard, 2)).to.equal(1)
    expect(await discard(ground.redis, shard, 2)).to.equal(0)
    const again = await ground.process('sms', 'sms-b')
    expect(await again.streams.takeOver(shard, 0, 10)).to.deep.equal([])
    expect((await ground.redis.xpending(keys.orders(shard, 'normal'), 'sms'))[0]).to.equal(0)
    expect(await again.streams.readOrders(shard, 'normal', 10)).to.deep.equal([])
    expect(await again.streams.readBatches(shard, 'normal', 10)).to.deep.equal([])
  })

  for (const [what, act] of [
    ['record', (claim: Claim) => record(scripts, claim, Buffer.from('aa'), noEvidence, false)],
    ['record at the end', (claim: Claim) => finish(claim, 'nn')],
    ['defer', (claim: Claim) => scripts.defer(claim, 0, 2, 1, 1000)],
    ['split', (claim: Claim) => scripts.split(claim, 2, 1)],
  ] as const) {
    it(`a ${what} that comes after its message was retired is fenced, writes nothing and lets go of the entry`, async () => {
      const ref = await ground.put(2)
      const claim = await claimOf(2)
      await age(ref)
      await retire(ground.redis, shard, keptMs, 10)
      const names = (await ground.redis.keys('*')).sort()
      const error = await act(claim).catch((reason: unknown) => reason)
      expect(error).to.be.instanceOf(Fenced)
      expect((await ground.redis.keys('*')).sort()).to.deep.equal(names)
      expect(await ground.redis.xlen(claim.stream)).to.equal(0)
      expect((await ground.redis.xpending(claim.stream, 'vk'))[0]).to.equal(0)
    })
  }

  it('a late receipt, a cancel and a reschedule of a retired message change nothing', async () => {
    const ref = await settle()
    await age(ref)
    await retire(ground.redis, shard, keptMs, 10)
    const before = await dump(ground.redis)
    await createReceiptBook({ redis: ground.redis, channel: 'vk' }).observe(ref, 0, { state: 'delivered' })
    const code = (call: Promise<unknown>) => call.catch((error: { code: string }) => error.code)
    expect(await code(ground.histories.cancel(ref))).to.equal('unknown-key')
    expect(await code(ground.histories.reschedule(ref, Date.now() + 1000))).to.equal('unknown-key')
    expect(await ground.histories.snapshot(ref)).to.equal(undefined)
    expect(await ground.histories.list('dean', Number.MAX_SAFE_INTEGER, 10)).to.deep.equal([])
    expect(await dump(ground.redis)).to.deep.equal(before)
  })
})
