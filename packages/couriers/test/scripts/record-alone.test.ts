import { reasonBytes } from '@courier-fleet/api-types'
import { keys } from '@courier-fleet/store'
import { expect } from 'chai'
import fc from 'fast-check'
import type { Claim } from '../../src/engine/claims/claim.ts'
import type { ClaimScripts, Entry } from '../../src/engine/claims/claim-scripts.ts'
import type { WorkStreams } from '../../src/engine/claims/work-streams.ts'
import { type ClaimFixture, createClaimFixture, evidenceOf, shard, statesOf, wakeDue } from './claim-fixture.ts'
import { allBytes } from './receipt-model.ts'

interface Step {
  readonly wanted: string
  readonly reason: number
  readonly line: string
  /** of its history, before it */
  readonly also: readonly string[]
}

const step: fc.Arbitrary<Step> = fc.record({
  wanted: fc.constantFrom('a', 'a', 'a', 's', 's', '=', '?', ...allBytes),
  reason: fc.constantFrom(0, 0, reasonBytes.blocked),
  line: fc.constantFrom('', '', '#7', '!said so'),
  also: fc.constantFrom(
    [],
    [],
    [],
    [],
    ['cancelled', '1 dean'],
    ['expires', '1'],
    ['deadline', '0'],
    ['erased', ',0,'],
  ),
})

describe('lua: record, of messages for one person', () => {
  let fixture: ClaimFixture
  let scripts: ClaimScripts
  let streams: WorkStreams
  beforeEach(async () => {
    fixture = await createClaimFixture()
    ;({ scripts, streams } = await fixture.process())
  })
  afterEach(() => fixture.stop())

  async function claimed(count: number, people = 1): Promise<Claim[]> {
    for (let left = count; left > 0; left -= 1) await fixture.put(people, { channels: ['vk'] })
    for (let woken = 0; woken < count; ) woken += await wakeDue(fixture)
    return streams.read(shard, 'normal', count)
  }
  const entryOf = (claim: Claim, wanted: string, { done = false, line = '', reason = 0, version = 1 } = {}): Entry => ({
    claim,
    version,
    done,
    from: claim.from,
    bytes: Buffer.from(wanted, 'latin1'),
    evidence: line === '' ? [] : [line],
    ...(reason === 0 ? {} : { reasons: Buffer.from([reason]) }),
  })
  const text = (standing: readonly (Buffer | undefined)[]) => standing.map((bytes) => bytes?.toString('latin1'))
  const sums = async () => ({
    ...(await fixture.redis.hgetall(keys.stats(shard, Math.floor(Date.now() / 3_600_000)))),
    waiting: (await fixture.redis.hget(keys.waiting(shard), 'vk')) ?? '0',
  })

  /** All that is left of a message, but its name and its times, and by how much what is counted of all has moved. */
  async function leftBy(claim: Claim, steps: readonly Step[]) {
    const before: Record<string, string> = await sums()
    const said: unknown[] = []
    for (const [index, { also, ...each }] of steps.entries()) {
      if (also.length > 0) await fixture.redis.hset(keys.history(claim.ref), ...also)
      said.push(
        text(await scripts.record([entryOf(claim, each.wanted, { ...each, done: index === steps.length - 1 })])),
      )
    }
    const after = Object.entries<string>(await sums())
    const { digest: _digest, accepted, started, due, ...history } = await fixture.redis.hgetall(keys.history(claim.ref))
    for (const name of ['settled', 'vk:settled']) if (history[name]) history[name] = 'at some time'
    const receipt = await fixture.redis.getBuffer(keys.receipts(claim.ref, 'vk'))
    return {
      said,
      history: Object.fromEntries(Object.entries(history).filter(([, value]) => value !== '0')),
      receipt: receipt?.toString('latin1', 0, 1) ?? '\0',
      hasTime: receipt?.subarray(1).some((byte) => byte !== 0) ?? false,
      reason: Number((await fixture.redis.getrange(keys.reasons(claim.ref, 'vk'), 0, 0)).charCodeAt(0) || 0),
      evidence: await evidenceOf(fixture, claim.ref, 1),
      moved: Object.fromEntries(
        after.map(([field, sum]) => [field, Number(sum) - Number(before[field] ?? 0)]).filter(([, by]) => by !== 0),
      ),
      pending: (await fixture.redis.xpending(claim.stream, 'vk', claim.entry, claim.entry, 1)).length,
      entries: (await fixture.redis.xrange(claim.stream, claim.entry, claim.entry)).length,
      overAt: [
        await fixture.redis.zscore(keys.expiry(shard), `dean:${claim.ref.id}`).then((score) => score !== null),
        await fixture.redis.zscore(keys.retention(shard), `dean:${claim.ref.id}`).then((score) => score !== null),
      ],
    }
  }

  it('leaves of any sequence what is left where a condition has each looked at by itself', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 4 }), async (steps) => {
        const [alone, other] = (await claimed(2)) as [Claim, Claim]
        const found = await leftBy(alone, steps)
        // nobody has any of it by this leg
        expect(found).to.deep.equal(await leftBy({ ...other, unless: 'sms=d' }, steps))
      }),
      { numRuns: 150 },
    )
  })

  it('writes those of a call together, and each by itself of whom more is to be looked at', async () => {
    const [first, twice, gone, corrected] = (await claimed(4)) as [Claim, Claim, Claim, Claim]
    const [large] = (await claimed(1, 3)) as [Claim]
    await fixture.redis.hset(keys.history(corrected.ref), 'version', 2)
    const marks = [
      entryOf(first, 'a'),
      entryOf(twice, 'a'),
      entryOf({ ...gone, deliveries: 2 }, 'a'),
      entryOf(corrected, 'a'),
      { ...entryOf(large, 'aaa'), evidence: [] },
      entryOf(twice, 'a'),
    ]
    expect(text(await scripts.record(marks))).to.deep.equal(['a', 'a', undefined, 'v', 'aaa', 'a'])
    const ends = [
      entryOf(twice, 's', { line: '#5', done: true }),
      entryOf(first, 'f', { line: '!no', reason: reasonBytes.blocked, done: true }),
      { ...entryOf(large, 's=s', { done: true }), evidence: ['#1', '', '#3'] },
    ]
    expect(text(await scripts.record(ends))).to.deep.equal(['s', 'f', 'sas'])
    expect(await statesOf(fixture, first.ref, 1)).to.equal('f')
    expect(await evidenceOf(fixture, twice.ref, 1)).to.deep.equal({ '0': '#5' })
    expect(await evidenceOf(fixture, first.ref, 1)).to.deep.equal({ '0': '!no' })
    expect(await fixture.redis.hget(keys.history(first.ref), 'state')).to.equal('settled')
    expect(await fixture.redis.hget(keys.waiting(shard), 'vk')).to.equal('3')
    expect(text(await scripts.record(ends))).to.deep.equal([undefined, undefined, undefined])
  })

  it('asks few commands of Redis for each of a hundred', async () => {
    const claims = await claimed(100)
    const calls = async () => {
      const lines = (await fixture.redis.info('commandstats')).matchAll(/cmdstat_(\w+):calls=(\d+)/g)
      return Object.fromEntries([...lines].map(([, name, count]) => [name, Number(count)]))
    }
    const before = await calls()
    await scripts.record(claims.map((claim) => entryOf(claim, 'a')))
    await scripts.record(claims.map((claim) => entryOf(claim, 's', { line: '#5', done: true })))
    const after = await calls()
    const made = (name: string) => (after[name] ?? 0) - (before[name] ?? 0)
    expect({ get: made('get'), set: made('set'), mget: made('mget'), mset: made('mset') }).to.deep.equal({
      get: 0,
      set: 0,
      mget: 2,
      mset: 2,
    })
    expect({ hmget: made('hmget'), hset: made('hset'), spublish: made('spublish') }).to.deep.equal({
      hmget: 200,
      hset: 200,
      spublish: 0,
    })
  })
})
