import { type HistoryRef, memberOf } from '@courier-fleet/api-types'
import { expire, keys } from '@courier-fleet/store'
import { expect } from 'chai'
import type { ClaimScripts } from '../../src/engine/claims/claim-scripts.ts'
import type { WorkStreams } from '../../src/engine/claims/work-streams.ts'
import { type ClaimFixture, claimWork, createClaimFixture, shard, statesOf, waiting, wakeDue } from './claim-fixture.ts'
import { expectCounted } from './ledger-sums.ts'

const minuteMs = 60_000

describe('lua: expire', () => {
  let fixture: ClaimFixture
  let scripts: ClaimScripts
  let streams: WorkStreams
  beforeEach(async () => {
    fixture = await createClaimFixture()
    ;({ scripts, streams } = await fixture.process())
  })
  afterEach(() => fixture.stop())

  const hash = (ref: HistoryRef) => fixture.redis.hgetall(keys.history(ref))
  const balanced = async (ref: HistoryRef) => (await fixture.histories.recount(ref)).every((each) => each.balanced)
  const isExpected = (ref: HistoryRef) => fixture.redis.zscore(keys.expiry(shard), memberOf(ref))
  async function running(size: number, more = {}): Promise<HistoryRef> {
    const ref = await fixture.put(size, { channels: ['vk', 'mail'], ...more })
    await wakeDue(fixture)
    return ref
  }

  it('a message that was cancelled and that no courier touched settles at once, and every second run changes nothing', async () => {
    const ref = await running(40_000)
    expect(await fixture.histories.cancel(ref, 'dean')).to.equal('cancelled')
    const fields = await hash(ref)
    expect(fields).to.include({ state: 'settled', 'vk:x': '40000', 'mail:x': '40000' })
    expect(await balanced(ref)).to.equal(true)
    expect([await isExpected(ref), await fixture.redis.exists(keys.waiting(shard))]).to.deep.equal([null, 0])
    expect(await fixture.redis.zscore(keys.retention(shard), memberOf(ref))).to.equal(fields.settled)
    await expire(fixture.redis, ref)
    expect(await fixture.histories.cancel(ref, 'dean'), 'repeated').to.equal('cancelled')
    expect(await hash(ref)).to.deep.equal(fields)
    await expectCounted(fixture.redis, fixture.histories, ref)
  })

  it('leaves what still goes out, and what has not started', async () => {
    const later = await fixture.put(3, { dueMs: Date.now() + minuteMs })
    const ref = await running(3)
    const before = await Promise.all([hash(ref), hash(later)])
    await expire(fixture.redis, ref)
    await expire(fixture.redis, later)
    expect(await Promise.all([hash(ref), hash(later)])).to.deep.equal(before)
  })

  it('past its expiry it says so, ten seconds later: the couriers come first, for they know what was waited for', async () => {
    const expiresMs = Date.now() + 1
    const ref = await running(2, { expiresMs })
    expect(await isExpected(ref)).to.equal(String(expiresMs + 10_000))
    await expire(fixture.redis, ref)
    expect(await hash(ref)).to.include({ state: 'settled', 'vk:e': '2', 'mail:e': '2' })
  })

  it('whoever is attempting is left to their process, whose answer settles the message, once', async () => {
    const ref = await running(4, { channels: ['vk'] })
    const claim = await claimWork(streams)
    await scripts.record([{ claim, from: 0, bytes: Buffer.from('aa'), evidence: [], version: 1, done: false }])
    expect(await fixture.histories.cancel(ref, 'dean')).to.equal('stopping')
    expect(await statesOf(fixture, ref, 4)).to.equal('aaxx')
    expect((await hash(ref)).state).to.equal('running')
    await scripts.record([{ claim, from: 0, bytes: Buffer.from('ss'), evidence: [], version: 1, done: true }])
    expect(await hash(ref)).to.include({ state: 'settled', 'vk:s': '2', 'vk:x': '2' })
    expect(await fixture.histories.wasTakenBack(ref)).to.equal(false)
    expect(await balanced(ref)).to.equal(true)
  })

  it('people between others, and those of a later wave, too; the wave is gone, and a courier that reads the entry later ends it only', async () => {
    const ref = await running(20, { channels: ['vk'] })
    const whole = await claimWork(streams)
    await scripts.split(whole, 10)
    const [first, second] = (await streams.read(shard, 'normal', 2)) as [typeof whole, typeof whole]
    const every = Buffer.from('f='.repeat(5))
    await scripts.record([{ claim: first, from: 0, bytes: every, evidence: [], version: 1, done: false }])
    await scripts.defer(second, [waiting(10, 20, minuteMs)])
    expect(await fixture.histories.cancel(ref, 'dean')).to.equal('cancelled')
    expect(await statesOf(fixture, ref, 20)).to.equal(`${'fx'.repeat(5)}${'x'.repeat(10)}`)
    const fields = await hash(ref)
    expect(fields).to.include({ state: 'settled' }).and.not.have.any.keys('waiting', 'wave:1')
    expect(await fixture.redis.keys('{pieces,delivery}*')).to.deep.equal([])
    expect(await fixture.redis.zcard(keys.due(shard))).to.equal(0)
    await scripts.record([
      { claim: first, from: 0, bytes: Buffer.alloc(10, '='), evidence: [], version: 1, done: true },
    ])
    const { settled, 'vk:settled': leg } = await hash(ref)
    expect([settled, leg]).to.deep.equal([fields.settled, fields['vk:settled']])
    expect(await balanced(ref)).to.equal(true)
  })
})
