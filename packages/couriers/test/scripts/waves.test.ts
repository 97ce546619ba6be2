import { memberOf } from '@courier-fleet/api-types'
import { keys } from '@courier-fleet/store'
import { expect } from 'chai'
import type { Claim } from '../../src/engine/claims/claim.ts'
import type { ClaimScripts, Piece } from '../../src/engine/claims/claim-scripts.ts'
import { wakeShard } from '../../src/engine/claims/waker.ts'
import type { WorkStreams } from '../../src/engine/claims/work-streams.ts'
import { type ClaimFixture, createClaimFixture, shard, waiting, wakeDue } from './claim-fixture.ts'

const minuteMs = 60_000

describe('lua: waves', () => {
  let fixture: ClaimFixture
  let scripts: ClaimScripts
  let streams: WorkStreams
  beforeEach(async () => {
    fixture = await createClaimFixture()
    ;({ scripts, streams } = await fixture.process())
  })
  afterEach(() => fixture.stop())

  /** A message to `size` people, cut into claims of ten. */
  async function claims(size: number, more = {}): Promise<Claim[]> {
    await fixture.put(size, more)
    await wakeDue(fixture)
    const [whole] = (await streams.read(shard, 'normal', 1)) as [Claim]
    await scripts.split(whole, 10)
    return streams.read(shard, 'normal', 1000)
  }
  const hash = ({ ref }: Claim) => fixture.redis.hgetall(keys.history(ref))
  const piecesOf = async ({ ref }: Claim, wave: number) =>
    ((await fixture.redis.getBuffer(keys.pieces(ref, wave))) as Buffer).length / 12
  const all = ({ from, to }: Claim, delayMs = 30 * minuteMs): Piece => ({ ...waiting(from, to, delayMs), tries: 1 })

  it('pieces of the same cause and due time share a wave; open counts each of them', async () => {
    const [a, b, c] = (await claims(30)) as [Claim, Claim, Claim]
    // not the next, which may come meanwhile
    const minute = (Math.ceil(Date.now() / minuteMs) + 1) * minuteMs
    const { delayMs: _delay, ...piece } = waiting(0, 10, 0)
    // within one second, whose end it is
    for (const [index, { from, to, ...claim }] of [a, b, c].entries())
      await scripts.defer({ ...claim, from, to }, [{ ...piece, from, to, dueMs: minute + 1 + 400 * index }])
    const fields = await hash(a)
    expect(fields).to.include({ waiting: '1', 'wave:1': `vk throttled ${minute + 1000} 30 -`, 'vk:open': '3' })
    expect(await fixture.redis.xlen(a.stream)).to.equal(0)
  })

  it('one claim may wait in several waves, and opens as many pieces', async () => {
    const [a] = (await claims(20)) as [Claim]
    await scripts.defer(a, [waiting(0, 3, minuteMs), { ...waiting(4, 9, 2 * minuteMs), cause: 'handed-back' }])
    expect(await hash(a)).to.include({ waiting: '1 2', 'vk:open': '3' })
    const { waiting: shown } = await fixture.histories.view(
      (await fixture.histories.snapshot(a.ref)) as NonNullable<Awaited<ReturnType<typeof fixture.histories.snapshot>>>,
    )
    expect(shown?.map(({ people, channel, cause }) => [people, channel, cause])).to.deep.equal([
      [3, 'vk', 'throttled'],
      [5, 'vk', 'handed-back'],
    ])
  })

  it('none is due later than the message expires', async () => {
    const expiresMs = Date.now() + 5 * minuteMs
    const [a] = (await claims(20, { expiresMs })) as [Claim]
    await scripts.defer(a, [all(a, 60 * minuteMs)])
    expect(Number(await fixture.redis.zscore(keys.due(shard), `${memberOf(a.ref)}:1`))).to.equal(expiresMs)
  })

  it('who waits after a cancel is called at once', async () => {
    const [a] = (await claims(20)) as [Claim]
    await fixture.histories.cancel(a.ref, 'dean')
    await scripts.defer(a, [all(a)])
    expect(Number(await fixture.redis.zscore(keys.due(shard), `${memberOf(a.ref)}:1`))).to.be.below(Date.now() + 10)
  })

  it('there are at most 64; whoever comes then joins the next, or the last', async () => {
    const many = await claims(700)
    for (const [index, claim] of many.entries()) await scripts.defer(claim, [all(claim, (index + 1) * minuteMs)])
    const numbers = ((await hash(many[0] as Claim)).waiting ?? '').split(' ')
    expect(numbers).to.have.length(64)
    expect(await piecesOf(many[0] as Claim, 64)).to.equal(7)
    expect(await hash(many[0] as Claim)).to.include({ 'vk:open': '70' })
  })

  it('wakes at most 200 pieces a call; the rest stay due, and none is lost', async () => {
    const many = await claims(2500)
    for (const claim of many) await scripts.defer(claim, [all(claim)])
    const ref = (many[0] as Claim).ref
    for (const number of ((await hash(many[0] as Claim)).waiting as string).split(' '))
      await fixture.redis.zadd(keys.due(shard), 1, `${memberOf(ref)}:${number}`)
    expect(await wakeShard(fixture.redis, shard, 50)).to.equal(50)
    expect(await fixture.redis.xlen(keys.work(shard, 'vk', 'normal'))).to.equal(200)
    expect(await wakeShard(fixture.redis, shard, 50)).to.be.below(50)
    const pieces = await streams.read(shard, 'normal', 1000)
    expect(pieces.map(({ from }) => from).sort((a, b) => a - b)).to.deep.equal(many.map(({ from }) => from))
    expect(await hash(many[0] as Claim)).to.not.have.any.keys('waiting', 'wave:1')
    expect(await fixture.redis.zcard(keys.due(shard))).to.equal(0)
  })

  it('a piece carries the condition, the leg and the cause it was put with', async () => {
    const [a] = (await claims(20)) as [Claim]
    const later: Claim = { ...a, leg: 'vk~2', unless: 'telegram=sdrc' }
    await scripts.defer(later, [{ ...waiting(0, 3, 1), tries: 4 }])
    await fixture.redis.zadd(keys.due(shard), 1, `${memberOf(a.ref)}:1`)
    await wakeDue(fixture)
    const [piece] = (await streams.read(shard, 'normal', 10)) as [Claim]
    expect(piece).to.include({ leg: 'vk~2', unless: 'telegram=sdrc', cause: 'throttled', from: 0, to: 3, tries: 4 })
  })
})
