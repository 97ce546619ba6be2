import { type HistoryRef, memberOf, Problem } from '@courier-fleet/api-types'
import { keys } from '@courier-fleet/store'
import { expect } from 'chai'
import type { Claim } from '../../src/engine/claims/claim.ts'
import type { ClaimScripts, Piece } from '../../src/engine/claims/claim-scripts.ts'
import { wakeShard } from '../../src/engine/claims/waker.ts'
import type { WorkStreams } from '../../src/engine/claims/work-streams.ts'
import { type ClaimFixture, createClaimFixture, noEvidence, record, shard, statesOf, wakeDue } from './claim-fixture.ts'
import { expectCounted } from './ledger-sums.ts'

const hourMs = 3_600_000

describe('lua: people who wait for one cause', () => {
  let fixture: ClaimFixture
  let scripts: ClaimScripts
  let streams: WorkStreams
  beforeEach(async () => {
    fixture = await createClaimFixture()
    ;({ scripts, streams } = await fixture.process())
  })
  afterEach(() => fixture.stop())

  async function claims(size: number, batch = 10, more = {}): Promise<Claim[]> {
    await fixture.put(size, more)
    await wakeDue(fixture)
    const [whole] = (await streams.read(shard, 'normal', 1)) as [Claim]
    if (size > batch) await scripts.split(whole, batch)
    return size > batch ? streams.read(shard, 'normal', 1000) : [whole]
  }
  const held = (from: number, to: number, cause: Piece['cause'] = 'quiet', delayMs = 8 * hourMs): Piece => ({
    cause,
    delayMs,
    from,
    to,
    tries: 0,
    people: to - from,
  })
  const hash = (ref: HistoryRef) => fixture.redis.hgetall(keys.history(ref))
  const dueOf = async (ref: HistoryRef, wave: number) =>
    Number(await fixture.redis.zscore(keys.due(shard), `${memberOf(ref)}:${wave}`))
  const balanced = async (ref: HistoryRef) => (await fixture.histories.recount(ref)).every((each) => each.balanced)
  const refused = async (call: Promise<unknown>) =>
    call.then(
      () => 'nothing',
      (error) => (error instanceof Problem ? `${error.status} ${error.code}` : String(error)),
    )

  it('are called forward, and those who wait for another stay where they are', async () => {
    const [a] = (await claims(10)) as [Claim]
    await scripts.defer(a, [held(0, 3), held(3, 7, 'capped', 2 * hourMs), held(7, 10)])
    const { ref } = a
    expect(await fixture.histories.callForward(ref, 'quiet')).to.equal(6)
    expect(await dueOf(ref, 1)).to.be.below(Date.now() + 10)
    expect(await dueOf(ref, 2)).to.be.above(Date.now() + hourMs)
    expect(await hash(ref)).to.not.have.any.keys('sent-now:quiet')
    await wakeDue(fixture)
    expect((await streams.read(shard, 'normal', 10)).map(({ from, to, cause }) => [from, to, cause])).to.deep.equal([
      [0, 3, 'quiet'],
      [7, 10, 'quiet'],
    ])
    expect(await fixture.histories.callForward(ref, 'quiet'), 'nobody is left').to.equal(0)
    expect(await hash(ref)).to.include({ waiting: '2', 'vk:open': '3' })
  })

  it('are sent to in spite of it once somebody has said so, and it stands who was the first', async () => {
    const [a] = (await claims(3)) as [Claim]
    await scripts.defer(a, [held(0, 3)])
    expect(await fixture.histories.callForward(a.ref, 'quiet', 'dean')).to.equal(3)
    await fixture.histories.callForward(a.ref, 'quiet', 'operator')
    expect(await hash(a.ref)).to.include({ 'sent-now:quiet': 'dean' })
  })

  it('are cancelled, and nobody else; with the last one the message settles', async () => {
    const [a] = (await claims(10)) as [Claim]
    const { ref } = a
    const sent = Buffer.from('===s=====s', 'latin1')
    await record(scripts, a, Buffer.from('===a=====a', 'latin1'), noEvidence, false)
    await record(scripts, a, sent, noEvidence, false)
    await scripts.defer(a, [held(0, 5), held(5, 9, 'capped', 2 * hourMs)])
    expect(await fixture.histories.cancelHeld(ref, 'quiet', 'dean')).to.equal(4)
    expect(await statesOf(fixture, ref, 10)).to.equal('xxxsx\0\0\0\0s')
    expect(await hash(ref)).to.include({ waiting: '2', 'vk:open': '1', 'vk:x': '4', 'cancelled:quiet': 'dean' })
    expect(await fixture.redis.exists(keys.pieces(ref, 1), keys.delivery(ref, 1))).to.equal(0)
    expect(await fixture.redis.hget(keys.waiting(shard), 'vk')).to.equal('4')
    expect(await balanced(ref)).to.equal(true)
    expect(await fixture.histories.cancelHeld(ref, 'quiet', 'dean'), 'repeated').to.equal(0)

    expect(await fixture.histories.cancelHeld(ref, 'capped', 'dean')).to.equal(4)
    const after = await hash(ref)
    expect(after).to.include({ state: 'settled', 'vk:x': '8', 'vk:s': '2' })
    expect(after).to.not.have.any.keys('waiting', 'cancelled')
    expect(await fixture.redis.zscore(keys.retention(shard), memberOf(ref))).to.equal(after.settled)
    expect(await fixture.redis.exists(keys.expiry(shard), keys.due(shard), keys.waiting(shard))).to.equal(0)
    expect(await balanced(ref)).to.equal(true)
    await expectCounted(fixture.redis, fixture.histories, ref)
  })

  it('are cancelled a bounded number at a time; broken off, the same call again finds who is left', async () => {
    const many = await claims(3000)
    const { ref } = many[0] as Claim
    // of two waves, the later of which the first step has no room for
    for (const [index, claim] of many.entries())
      await scripts.defer(claim, [held(claim.from, claim.to, 'quiet', (index < 250 ? 1 : 2) * hourMs)])
    const { redis } = fixture
    const scriptCalls = redis as unknown as { evalshaBuffer: (...args: unknown[]) => unknown }
    const evalsha = scriptCalls.evalshaBuffer
    let calls = 0
    // after the first step this process can no longer reach Redis
    scriptCalls.evalshaBuffer = (...args) => {
      calls += 1
      if (calls > 1) throw new Error('gone')
      return evalsha.apply(redis, args)
    }
    const gone = await refused(fixture.histories.cancelHeld(ref, 'quiet', 'dean'))
    scriptCalls.evalshaBuffer = evalsha
    expect(gone).to.include('gone')
    expect(await hash(ref)).to.include({ 'vk:x': '2000', 'vk:open': '100' })
    expect(await balanced(ref)).to.equal(true)
    const { waiting } = await hash(ref)
    const people = await Promise.all(
      (waiting as string).split(' ').map((n) => redis.hget(keys.history(ref), `wave:${n}`)),
    )
    expect(people.map((wave) => Number(wave?.split(' ')[3])).reduce((sum, each) => sum + each)).to.equal(1000)
    expect(await fixture.histories.cancelHeld(ref, 'quiet', 'dean')).to.equal(1000)
    expect(await hash(ref)).to.include({ state: 'settled', 'vk:x': '3000' })
  })

  it('who comes to wait for it after that is called at once, so that it is said now and not then', async () => {
    const [a, b] = (await claims(20)) as [Claim, Claim]
    await scripts.defer(a, [held(0, 10)])
    await fixture.histories.cancelHeld(a.ref, 'quiet', 'dean')
    await scripts.defer(b, [held(10, 15), held(15, 20, 'capped')])
    expect(await dueOf(a.ref, 2)).to.be.below(Date.now() + 10)
    expect(await dueOf(a.ref, 3)).to.be.above(Date.now() + hourMs)
  })

  it('who is held by somebody that did not know of it is decided anew at once; whose own hours hold them is not', async () => {
    const [a, b] = (await claims(20)) as [Claim, Claim]
    await fixture.histories.callForward(a.ref, 'quiet', 'dean')
    const { delayMs: _delay, ...piece } = held(0, 10)
    const dueMs = Date.now() + 8 * hourMs
    await scripts.defer(a, [{ ...piece, dueMs, version: 1 }])
    expect(await dueOf(a.ref, 1)).to.be.below(Date.now() + 10)
    await scripts.defer(b, [{ ...piece, from: 10, to: 20, dueMs }])
    expect(await dueOf(a.ref, 2)).to.be.above(Date.now() + hourMs)
  })

  it('who is held by rules that are not in force any more is decided anew in a second; who waits for a provider is not', async () => {
    const [a, b, c] = (await claims(30)) as [Claim, Claim, Claim]
    await fixture.redis.set(keys.heldRules(shard), '7 digest')
    const at = Date.now() + 8 * hourMs
    const by = (from: number, to: number, version: number): Piece => {
      const { delayMs: _delay, ...piece } = held(from, to)
      return { ...piece, dueMs: at, version }
    }
    const begun = Date.now()
    await scripts.defer(a, [by(0, 5, 6), held(5, 10, 'capped')])
    expect(await dueOf(a.ref, 1)).to.be.within(begun + 1000, Date.now() + 1000)
    expect(await dueOf(a.ref, 2)).to.be.above(Date.now() + hourMs)
    await scripts.defer(b, [by(10, 20, 7)])
    await scripts.defer(c, [by(20, 30, 8)])
    expect(await dueOf(a.ref, 3)).to.be.within(at, at + 60_000)
    expect(await hash(a.ref)).to.include({ waiting: '1 2 3' })
  })

  it('of a wave that is being woken only those are cancelled who still wait in it', async () => {
    const many = await claims(2500)
    const { ref } = many[0] as Claim
    for (const claim of many) await scripts.defer(claim, [held(claim.from, claim.to)])
    await fixture.histories.callForward(ref, 'quiet')
    for (let woken = 0; woken === 0; ) woken = await wakeShard(fixture.redis, shard, 50)
    expect(await fixture.histories.cancelHeld(ref, 'quiet', 'dean')).to.equal(500)
    expect(await hash(ref)).to.include({ 'vk:open': '200', 'vk:x': '500' })
    expect(await fixture.redis.exists(keys.due(shard))).to.equal(0)
  })

  it('nothing is done about a message that is unknown, or was cancelled as a whole', async () => {
    const unknown = fixture.ref('nothing')
    expect(await refused(fixture.histories.callForward(unknown, 'quiet'))).to.equal('404 unknown-key')
    expect(await refused(fixture.histories.cancelHeld(unknown, 'quiet', 'dean'))).to.equal('404 unknown-key')
    const [a] = (await claims(10)) as [Claim]
    await scripts.defer(a, [held(0, 10)])
    await fixture.histories.cancel(a.ref, 'dean')
    expect(await refused(fixture.histories.callForward(a.ref, 'quiet', 'dean'))).to.equal('409 cancelled')
    expect(await refused(fixture.histories.cancelHeld(a.ref, 'quiet', 'dean'))).to.equal('409 cancelled')
    expect(await hash(a.ref)).to.not.have.any.keys('sent-now:quiet', 'cancelled:quiet')
  })
})
