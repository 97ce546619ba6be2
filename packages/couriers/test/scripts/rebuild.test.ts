/** After any loss everyone who is still to be told is in one entry or one wave, and in no two of them. */
import { receiptBytes } from '@courier-fleet/api-types'
import { keys, rebuildStep } from '@courier-fleet/store'
import { expect } from 'chai'
import type { Claim } from '../../src/engine/claims/claim.ts'
import type { ClaimScripts } from '../../src/engine/claims/claim-scripts.ts'
import type { WorkStreams } from '../../src/engine/claims/work-streams.ts'
import { type ClaimFixture, createClaimFixture, shard, waiting, wakeDue } from './claim-fixture.ts'

const size = 60
const stream = keys.work(shard, 'vk', 'normal')
const due = keys.due(shard)
const open = new Set([receiptBytes.pending, receiptBytes.attempting])

describe('lua: rebuild', () => {
  let fixture: ClaimFixture
  let scripts: ClaimScripts
  let streams: WorkStreams
  beforeEach(async () => {
    fixture = await createClaimFixture()
    ;({ scripts, streams } = await fixture.process())
  })
  afterEach(() => fixture.stop())

  const rebuild = async () => {
    const { due: dueAgain, entries, next } = await rebuildStep(fixture.redis, 1)
    expect(next).to.equal(undefined)
    return { due: dueAgain, entries }
  }
  const write = ({ from, to, ...claim }: Claim, byte: number, done: boolean) =>
    scripts.record([
      { claim: { from, to, ...claim }, from, bytes: Buffer.alloc(to - from, byte), evidence: [], version: 1, done },
    ])

  /** The first claim is done, the second attempting, the third half attempting, the fourth waits, the fifth is claimed, the sixth is not. */
  async function inAllStates(): Promise<Claim[]> {
    const ref = await fixture.put(size)
    await wakeDue(fixture)
    const [whole] = (await streams.read(shard, 'normal', 1)) as [Claim]
    expect(whole.ref).to.deep.equal(ref)
    await scripts.split(whole, 10)
    const claims = await streams.read(shard, 'normal', 5)
    const [a, b, c, d] = claims as [Claim, Claim, Claim, Claim]
    await write(a, receiptBytes.attempting, false)
    await write(a, receiptBytes.sent, true)
    await write(b, receiptBytes.attempting, false)
    await write({ ...c, to: c.from + 5 }, receiptBytes.attempting, false)
    await scripts.defer(d, [waiting(d.from, d.to, 3_600_000)])
    return claims
  }

  /** Who is in how many entries and waves, of those whose receipt is open. */
  async function coverage(): Promise<number[]> {
    const ref = fixture.ref()
    const receipts = (await fixture.redis.getBuffer(keys.receipts(ref, 'vk'))) ?? Buffer.alloc(0)
    const covered = new Array<number>(size).fill(0)
    const cover = (from: number, to: number) => {
      for (let at = from; at < to; at += 1) covered[at] = (covered[at] ?? 0) + 1
    }
    const entries = await fixture.redis.xrange(stream, '-', '+')
    for (const [, fields] of entries)
      cover(Number(fields[fields.indexOf('from') + 1]), Number(fields[fields.indexOf('to') + 1]))
    const hash = await fixture.redis.hgetall(keys.history(ref))
    const waves = (hash.waiting ?? '').split(' ').filter(Boolean)
    let parts = entries.length
    for (const wave of waves) {
      const pieces = (await fixture.redis.getBuffer(keys.pieces(ref, Number(wave)))) ?? Buffer.alloc(0)
      for (let at = 0; at < pieces.length; at += 12) cover(pieces.readUInt32BE(at), pieces.readUInt32BE(at + 4))
      parts += pieces.length / 12
    }
    expect(Number(hash['vk:open']), 'open').to.equal(parts)
    return covered.filter((_times, ordinal) => open.has(receipts[ordinal] ?? 0))
  }
  const once = (people: number) => new Array<number>(people).fill(1)

  it('leaves alone what is there', async () => {
    await inAllStates()
    expect(await coverage()).to.deep.equal(once(50))
    const before = await fixture.redis.xrange(stream, '-', '+')
    expect(await rebuild()).to.deep.equal({ due: 0, entries: 0 })
    expect(await fixture.redis.xrange(stream, '-', '+')).to.deep.equal(before)
    expect(await coverage()).to.deep.equal(once(50))
  })

  for (const [name, lose, found] of [
    ['the due set', () => fixture.redis.unlink(due), { due: 1, entries: 0 }],
    ['the work stream', () => fixture.redis.unlink(stream), { due: 0, entries: 2 }],
    ['both', () => fixture.redis.unlink(due, stream), { due: 1, entries: 2 }],
    [
      'one entry that is claimed, and one that is not',
      async () => {
        const entries = await fixture.redis.xrange(stream, '-', '+')
        await fixture.redis.xdel(stream, entries[0]?.[0] ?? '', entries.at(-1)?.[0] ?? '')
      },
      { due: 0, entries: 2 },
    ],
    ['the pieces of a wave', () => fixture.redis.unlink(keys.pieces(fixture.ref(), 1)), { due: 0, entries: 1 }],
  ] as const)
    it(`makes ${name} again, once`, async () => {
      const claims = await inAllStates()
      await lose()
      expect(await rebuild()).to.deep.equal(found)
      expect(await coverage()).to.deep.equal(once(50))
      expect(await rebuild()).to.deep.equal({ due: 0, entries: 0 })
      // whoever was at work on what is gone writes nothing more
      if (name === 'both')
        for (const claim of claims.slice(1, 3))
          expect(await write(claim, receiptBytes.sent, true)).to.deep.equal([undefined])
    })

  it('ends a leg of which everybody has been told, and nothing is left', async () => {
    const ref = await fixture.put(10)
    await wakeDue(fixture)
    const [claim] = (await streams.read(shard, 'normal', 1)) as [Claim]
    await write(claim, receiptBytes.attempting, false)
    await write(claim, receiptBytes.sent, false)
    await fixture.redis.unlink(stream)
    expect(await rebuild()).to.deep.equal({ due: 0, entries: 1 })
    const [again] = (await streams.read(shard, 'normal', 1)) as [Claim]
    await scripts.record([{ claim: again, from: 0, bytes: Buffer.from('='), evidence: [], version: 1, done: true }])
    expect(await fixture.histories.state(ref)).to.equal('settled')
  })

  it('counts nobody twice while entries become waves, and waves entries', async () => {
    await inAllStates()
    const { scripts: others, streams: more } = await fixture.process('vk', 'vk-b')
    const mixing = (async () => {
      for (let round = 0; round < 60; round += 1) {
        for (const claim of await more.read(shard, 'normal', 3))
          await others.defer(claim, [{ ...waiting(claim.from, claim.to, 1), cause: 'handed-back' }])
        await wakeDue(fixture)
      }
    })()
    const found: { due: number; entries: number }[] = []
    const rebuilding = (async () => {
      for (let round = 0; round < 60; round += 1) found.push(await rebuild())
    })()
    await Promise.all([mixing, rebuilding])
    expect(new Set(found.map((each) => JSON.stringify(each)))).to.deep.equal(new Set(['{"due":0,"entries":0}']))
    expect(await coverage()).to.deep.equal(once(50))
  })

  it('of those who are to be online first gives entries to who was called, and leaves the others to their wave', async () => {
    const ref = await fixture.put(10)
    await wakeDue(fixture)
    const [whole] = (await streams.read(shard, 'normal', 1)) as [Claim]
    await scripts.defer(whole, [{ ...waiting(0, 10, 3_600_000), cause: 'online' }])
    // as call-online leaves it for the fourth, the fifth and the last, whose entries are lost
    await fixture.redis.set(keys.presence(ref, 'vk'), 'wwwccwwwwc')
    await fixture.redis.hset(keys.history(ref), 'vk:online', 7)
    await fixture.redis.unlink(stream, due)
    expect(await rebuild()).to.deep.equal({ due: 1, entries: 2 })
    const ranges = (await streams.read(shard, 'normal', 10)).map(({ from, to }) => [from, to])
    expect(ranges).to.deep.equal([
      [3, 5],
      [9, 10],
    ])
    expect(await rebuild()).to.deep.equal({ due: 0, entries: 0 })
    expect(await fixture.redis.hget(keys.history(ref), 'vk:open')).to.equal('3')
  })

  it('puts back what is scheduled, and what waits for an operator when it expires', async () => {
    const dueMs = Date.now() + 3_600_000
    const ref = await fixture.put(3, { dueMs })
    await fixture.redis.unlink(due)
    expect(await rebuild()).to.deep.equal({ due: 1, entries: 0 })
    expect(await fixture.redis.zscore(due, 'dean:message-0:0')).to.equal(String(dueMs))
    expect(await fixture.redis.pexpiretime(keys.delivery(ref, 0))).to.equal(dueMs)
    await fixture.redis.hset(keys.history(ref), 'held', 1)
    await fixture.redis.unlink(due)
    await rebuild()
    expect(await fixture.redis.zscore(due, 'dean:message-0:0')).to.equal(String(dueMs + 86_400_000))
  })
})
