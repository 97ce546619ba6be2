/** One message carries another: what the mark freezes, what parts them, and what is found again after a loss. */
import { type HistoryRef, memberOf, receiptBytes } from '@courier-fleet/api-types'
import { keys, type PutInput, rebuildStep, type Snapshot } from '@courier-fleet/store'
import { expect } from 'chai'
import type { Claim } from '../../src/engine/claims/claim.ts'
import type { ClaimScripts } from '../../src/engine/claims/claim-scripts.ts'
import { wakeShard } from '../../src/engine/claims/waker.ts'
import type { WorkStreams } from '../../src/engine/claims/work-streams.ts'
import { type ClaimFixture, claimWork, createClaimFixture, shard, statesOf, wakeDue } from './claim-fixture.ts'

const stream = keys.work(shard, 'vk', 'normal')
const person = 'p000000'

describe('lua: messages that go out as one', () => {
  let fixture: ClaimFixture
  let scripts: ClaimScripts
  let streams: WorkStreams
  let first: HistoryRef
  let second: HistoryRef
  beforeEach(async () => {
    fixture = await createClaimFixture()
    ;({ scripts, streams } = await fixture.process())
    first = await put(Date.now() - 5)
    second = await put(Date.now() + 20_000)
  })
  afterEach(() => fixture.stop())

  const put = (dueMs: number, more: Partial<PutInput> = {}) =>
    fixture.put(1, { to: [`user:${person}`], merge: { person, windowMs: 60_000, channels: ['vk'] }, dueMs, ...more })
  async function claimBoth(): Promise<Claim> {
    await wakeDue(fixture)
    return claimWork(streams)
  }
  const textsOf = (...versions: number[]) => versions.map((version) => `${memberOf(second)}=${version}`).join(' ')
  /** @returns the byte of the first as it stands, `v` where the mark was refused */
  async function write(claim: Claim, byte: number, texts = '', done = false): Promise<string> {
    const [standing] = await scripts.record([
      { claim, from: 0, bytes: Buffer.of(byte), evidence: [], version: 1, texts, done },
    ])
    return standing?.toString('latin1') ?? 'gone'
  }
  const states = async () => [await statesOf(fixture, first, 1), await statesOf(fixture, second, 1)]
  const entries = async () =>
    (await fixture.redis.xrange(stream, '-', '+')).map(([, fields]) => Object.fromEntries(pairs(fields)))
  const pairs = (flat: readonly string[]) =>
    Array.from({ length: flat.length / 2 }, (_unused, at) => [flat[2 * at], flat[2 * at + 1]] as [string, string])
  const stateOf = (ref: HistoryRef) => fixture.redis.hget(keys.history(ref), 'state')
  const waves = (ref: HistoryRef) => fixture.redis.hgetall(keys.history(ref))
  const handBack = (claim: Claim) =>
    scripts.defer(claim, [{ cause: 'handed-back', delayMs: 1, from: 0, to: 1, tries: 0, people: 1 }])

  it('wake starts both, with one entry that names them', async () => {
    const claim = await claimBoth()
    expect(claim.carries).to.deep.equal([memberOf(second)])
    expect([await stateOf(first), await stateOf(second)]).to.deep.equal(['running', 'running'])
    expect(await fixture.redis.zcard(keys.due(shard))).to.equal(0)
    expect(await entries()).to.have.length(1)
    expect(await fixture.redis.exists(keys.merge(shard, 'dean', person, 'general'))).to.equal(0)
    expect(await fixture.redis.exists(keys.delivery(second, 0))).to.equal(0)
  })

  it('nine at most go with one', async () => {
    for (let more = 0; more < 10; more += 1) await put(Date.now() + 30_000)
    expect((await claimBoth()).carries).to.have.length(9)
    expect(await fixture.redis.zcard(keys.due(shard))).to.equal(2)
  })

  it('in a burst, where some of the newest start before what is older, too: what is near goes as one all the same', async () => {
    const late = (agoMs: number) => put(Date.now() - agoMs)
    for (let other = 0; other < 20; other += 1) await fixture.put(1, { dueMs: 0, ref: fixture.ref(`other-${other}`) })
    const pair = [await late(0), await late(0)] as [HistoryRef, HistoryRef]
    // the first two of this person have been due for long, behind very many others; these two, a minute and more after them, since now
    const now = Date.now()
    for (const [place, ref] of [first, second, ...pair].entries()) {
      const dueMs = now - ([100_000, 80_000, 2_000, 1_000][place] as number)
      await fixture.redis.hset(keys.history(ref), 'due', dueMs)
      await fixture.redis.zadd(keys.due(shard), place < 2 ? now - 5_000 : dueMs, `${memberOf(ref)}:0`)
      await fixture.redis.zadd(keys.merge(shard, 'dean', person, 'general'), dueMs, memberOf(ref))
    }
    for (let other = 0; other < 20; other += 1)
      await fixture.redis.zadd(keys.due(shard), now - 9_000, `dean:other-${other}:0`)
    expect(await wakeShard(fixture.redis, shard, 10)).to.equal(10)
    const carried = (await entries()).filter(({ carries }) => carries)
    expect(carried.map(({ message, carries }) => [message, carries])).to.deep.equal([
      [memberOf(first), memberOf(second)],
      [memberOf(pair[0]), memberOf(pair[1])],
    ])
    for (let woken = 10; woken === 10; ) woken = await wakeShard(fixture.redis, shard, 10)
    expect(await entries()).to.have.length(22)
    expect(await fixture.redis.zcard(keys.due(shard))).to.equal(0)
  })

  it('a mark is of all or of none', async () => {
    const claim = await claimBoth()
    for (const texts of ['', textsOf(2), `${memberOf(first)}=1`])
      expect(await write(claim, receiptBytes.attempting, texts)).to.equal('v')
    expect((await states()).join('')).to.match(/^\0*$/)
    expect(await write(claim, receiptBytes.attempting, textsOf(1))).to.equal('a')
    expect(await states()).to.deep.equal(['a', 'a'])
    expect(await write(claim, receiptBytes.sent, '', true)).to.equal('s')
    expect(await states()).to.deep.equal(['s', 's'])
    expect([await stateOf(first), await stateOf(second)]).to.deep.equal(['settled', 'settled'])
    expect(await fixture.redis.hgetall(keys.waiting(shard))).to.deep.equal({})
  })

  const ends: [what: string, end: () => Promise<unknown>][] = [
    ['cancelled', () => fixture.histories.cancel(second, 'dean')],
    ['over', () => fixture.redis.hset(keys.history(second), 'expires', Date.now() - 1)],
    ['erased', () => fixture.redis.hset(keys.history(second), 'erased', ',0,')],
  ]
  for (const [what, end] of ends)
    it(`the mark parts them where the second is ${what}`, async () => {
      const claim = await claimBoth()
      await end()
      expect(await write(claim, receiptBytes.attempting, textsOf(1))).to.equal('v')
      expect((await entries()).map(({ message, cause }) => [message, cause])).to.deep.equal([
        [memberOf(first), undefined],
        [memberOf(second), 'handed-back'],
      ])
      expect(await write(claim, receiptBytes.attempting)).to.equal('a')
      expect((await states())[1]).to.not.equal('a')
    })

  it('handed back unmarked, each has an entry of its own, and not before it is due', async () => {
    second = await put(Date.now() + 10_000)
    const claim = await claimBoth()
    expect(claim.carries).to.have.length(2)
    const dueMs = Number(await fixture.redis.hget(keys.history(second), 'due'))
    await handBack(claim)
    expect(await entries()).to.deep.equal([])
    expect(await waves(second)).to.include({ waiting: '1', 'wave:1': `vk handed-back ${dueMs} 1 -`, 'vk:open': '1' })
    await wakeDue(fixture)
    expect((await entries()).map(({ message, carries }) => [message, carries])).to.deep.equal([
      [memberOf(first), undefined],
    ])
    expect(await wakeShard(fixture.redis, shard, 100), 'nothing else is due').to.equal(0)
    await fixture.redis.zadd(keys.due(shard), 'XX', Date.now() - 5, `${memberOf(second)}:1`)
    await wakeDue(fixture)
    expect((await entries()).map(({ message }) => message)).to.deep.equal([memberOf(first), memberOf(second)])
    await claimWork(streams)
    const own = await claimWork(streams)
    expect(await write(own, receiptBytes.attempting)).to.equal('a')
    expect(await write(own, receiptBytes.sent, '', true)).to.equal('s')
    expect(await stateOf(second)).to.equal('settled')
    expect(await waves(second)).to.not.have.property('waiting')
  })

  it('cancelled while it waits for its own time, it is told at once', async () => {
    const claim = await claimBoth()
    await fixture.histories.cancel(first, 'dean')
    await write(claim, receiptBytes.attempting, textsOf(1), true)
    expect(await waves(second)).to.include({ waiting: '1' })
    await fixture.histories.cancel(second, 'dean')
    expect([await stateOf(second), await statesOf(fixture, second, 1)]).to.deep.equal(['settled', 'x'])
    expect(await fixture.redis.zcard(keys.due(shard))).to.equal(0)
  })

  /** As purge does with entries of messages that are over without a courier. */
  async function takeOff(ref: HistoryRef): Promise<void> {
    for (const [id, fields] of await fixture.redis.xrange(stream, '-', '+'))
      if (Object.fromEntries(pairs(fields)).message === memberOf(ref)) await fixture.redis.xdel(stream, id)
  }

  for (const [what, claimed] of [
    ['no courier has read it', false],
    ['the courier that had it is gone', true],
  ] as const)
    it(`the first is cancelled where ${what}: its entry is taken off, and the second goes by itself when it is due`, async () => {
      await wakeDue(fixture)
      if (claimed) await claimWork(streams)
      await fixture.histories.cancel(first, 'dean')
      expect(await states()).to.deep.equal(['x', ''])
      expect(await stateOf(first)).to.equal('settled')
      const dueMs = Number(await fixture.redis.hget(keys.history(second), 'due'))
      expect(await waves(second)).to.include({ waiting: '1', 'wave:1': `vk handed-back ${dueMs} 1 -`, 'vk:open': '1' })
      expect(await waves(second)).to.not.have.property('vk:carried-by')
      await takeOff(first)
      expect(await entries()).to.deep.equal([])
      await fixture.redis.zadd(keys.due(shard), 'XX', Date.now() - 5, `${memberOf(second)}:1`)
      await wakeDue(fixture)
      const own = await claimWork(streams)
      expect(await write(own, receiptBytes.attempting)).to.equal('a')
      expect(await write(own, receiptBytes.sent, '', true)).to.equal('s')
      expect(await stateOf(second)).to.equal('settled')
    })

  it('the first is cancelled once both are due: the second has an entry at once', async () => {
    await wakeDue(fixture)
    await fixture.redis.hset(keys.history(second), 'due', Date.now() - 1)
    await fixture.histories.cancel(first, 'dean')
    expect((await entries()).map(({ message, cause }) => [message, cause])).to.deep.equal([
      [memberOf(first), undefined],
      [memberOf(second), 'handed-back'],
    ])
  })

  it('cancelled while both are marked, they stay one', async () => {
    const claim = await claimBoth()
    expect(await write(claim, receiptBytes.attempting, textsOf(1))).to.equal('a')
    await fixture.histories.cancel(first, 'dean')
    expect(await write(claim, receiptBytes.sent, '', true)).to.equal('s')
    expect(await states()).to.deep.equal(['s', 's'])
  })

  it('handed back while marked, they are one still: sent again with the same texts, or unknown', async () => {
    const claim = await claimBoth()
    await write(claim, receiptBytes.attempting, textsOf(1))
    await handBack(claim)
    await wakeDue(fixture)
    const again = await claimWork(streams)
    expect(again.carries).to.deep.equal([memberOf(second)])
    expect(await write(again, receiptBytes.attempting, textsOf(1))).to.equal('a')
    expect(await write(again, receiptBytes.attempting, textsOf(2))).to.equal('u')
    expect(await states()).to.deep.equal(['u', 'u'])
  })

  it('a first that ends unmarked carries nobody', async () => {
    const claim = await claimBoth()
    await fixture.histories.cancel(first, 'dean')
    expect(await write(claim, receiptBytes.attempting, textsOf(1), true)).to.equal('x')
    expect(await entries()).to.deep.equal([])
    expect(await waves(second)).to.include({ waiting: '1' })
    expect([await stateOf(first), await stateOf(second)]).to.deep.equal(['settled', 'running'])
  })

  it('what is sent again because somebody said so is that message alone', async () => {
    const claim = await claimBoth()
    await write(claim, receiptBytes.attempting, textsOf(1))
    await write(claim, receiptBytes.unknown, '', true)
    expect(await states()).to.deep.equal(['u', 'u'])
    const snapshot = (await fixture.histories.snapshot(first)) as Snapshot
    expect(await fixture.histories.resend(snapshot, { channel: 'vk', people: 'all', by: 'anna' })).to.equal(1)
    await wakeDue(fixture)
    const again = await claimWork(streams)
    expect(again.carries).to.equal(undefined)
    expect(await write(again, receiptBytes.attempting)).to.equal('b')
    await write(again, receiptBytes.sent, '', true)
    expect(await states()).to.deep.equal(['s', 'u'])
  })

  it('streams that are lost are rebuilt as they were, and the index of what has not started, too', async () => {
    const third = await put(Date.now() + 3_600_000)
    await wakeDue(fixture)
    await fixture.redis.del(stream, keys.merge(shard, 'dean', person, 'general'))
    await streams.ensureGroups()
    const { next } = await rebuildStep(fixture.redis, 1)
    expect(next).to.equal(undefined)
    expect((await entries()).map(({ message, carries }) => [message, carries])).to.deep.equal([
      [memberOf(first), memberOf(second)],
    ])
    expect(await fixture.redis.zrange(keys.merge(shard, 'dean', person, 'general'), '0', '-1')).to.deep.equal([
      memberOf(third),
    ])
    const claim = await claimWork(streams)
    await write(claim, receiptBytes.attempting, textsOf(1))
    await write(claim, receiptBytes.sent, '', true)
    expect([await stateOf(first), await stateOf(second)]).to.deep.equal(['settled', 'settled'])
    expect(await wakeShard(fixture.redis, shard, 50)).to.equal(0)
  })
})
