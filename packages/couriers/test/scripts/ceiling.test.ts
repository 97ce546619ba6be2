/** What of the ceiling of a message is spent, step by step of those who send it. */
import type { Ceiling, HistoryRef } from '@courier-fleet/api-types'
import { keys, type Snapshot } from '@courier-fleet/store'
import { expect } from 'chai'
import type { Claim } from '../../src/engine/claims/claim.ts'
import { type ClaimFixture, claimWork, createClaimFixture, shard, statesOf, wakeDue } from './claim-fixture.ts'
import { expectCounted } from './ledger-sums.ts'

type Process = Awaited<ReturnType<ClaimFixture['process']>>
const three: Ceiling = { parts: 3 }

describe('lua: the ceiling of a message', () => {
  let fixture: ClaimFixture
  let sms: Process
  beforeEach(async () => {
    fixture = await createClaimFixture()
    sms = await fixture.process('sms')
  })
  afterEach(() => fixture.stop())

  const spent = async (ref: HistoryRef) => Number(await fixture.redis.hget(keys.history(ref), 'spent'))
  const states = (ref: HistoryRef, size: number, leg = 'sms') => statesOf(fixture, ref, size, leg)
  async function start(size: number, more = {}): Promise<HistoryRef> {
    const ref = await fixture.put(size, { channels: ['sms'], ceiling: three, ...more })
    await wakeDue(fixture)
    return ref
  }
  const claim = () => claimWork(sms.streams)
  /** @param costs of each, undefined for nothing */
  async function write(own: Claim, bytes: string, costs: (number | undefined)[], { by = sms, done = false } = {}) {
    const update = { from: own.from, bytes: Buffer.from(bytes, 'latin1'), evidence: [], costs }
    const [standing] = await by.scripts.record([{ claim: own, version: 1, done, ...update }])
    return standing?.toString('latin1')
  }
  async function expectBalanced(ref: HistoryRef): Promise<void> {
    for (const { balanced } of await fixture.histories.recount(ref)) expect(balanced).to.equal(true)
    await expectCounted(fixture.redis, fixture.histories, ref)
  }

  it('is spent with the marks, in the order of the ordinals; whoever does not fit is suppressed, and it is said why', async () => {
    const ref = await start(5)
    const own = await claim()
    expect(await write(own, 'aaaaa', [1, 1, 2, 1, 1])).to.equal('aapap')
    expect(await spent(ref)).to.equal(3)
    expect(await fixture.redis.getrange(keys.reasons(ref, 'sms'), 0, -1)).to.equal('\0\0b\0b')
    await write(own, 'ss=s=', [1, 1, undefined, 1, undefined], { done: true })
    const snapshot = await fixture.histories.snapshot(ref)
    const view = await fixture.histories.view(snapshot as NonNullable<typeof snapshot>)
    expect(view).to.deep.include({ state: 'settled', ceiling: { parts: 3, spent: 3 } })
    expect(view.people?.why).to.deep.equal({ 'over-ceiling': 2 })
    await expectBalanced(ref)
  })

  it('is spent once by a mark, however often it is written', async () => {
    const ref = await start(2)
    const own = await claim()
    for (let times = 0; times < 3; times += 1) expect(await write(own, 'aa', [2, 1])).to.equal('aa')
    expect(await spent(ref)).to.equal(3)
    for (let times = 0; times < 3; times += 1) await write(own, 's\0', [2, 1])
    expect(await spent(ref)).to.equal(2)
  })

  it('has back what was given back, and what was certainly refused; others have it then', async () => {
    const ref = await start(4)
    const own = await claim()
    expect(await write(own, 'aa==', [2, 1])).to.equal('aa\0\0')
    expect(await write(own, '\0f==', [2, 1]), 'in the step that says so').to.equal('\0f\0\0')
    expect(await spent(ref)).to.equal(0)
    expect(await write(own, 'a=aa', [1, undefined, 1, 1])).to.equal('afaa')
    await write(own, 's=uf', [1, undefined, 1, undefined])
    expect(await spent(ref), 'unknown is spent, and so is what a provider has taken a part of').to.equal(3)
    await expectBalanced(ref)
  })

  it('keeps what is spent by a process that died', async () => {
    const ref = await start(2)
    const own = await claim()
    await write(own, 'a=', [3])
    const other = await fixture.process('sms', 'sms-b')
    const [taken] = (await other.streams.takeOver(shard, 0, 10)) as [Claim]
    expect(await write(own, '\0=', [3]), 'it is fenced').to.equal(undefined)
    expect(await write(taken, 'u=', [], { by: other })).to.equal('u\0')
    expect(await write(taken, '=a', [undefined, 1], { by: other })).to.equal('up')
    expect(await spent(ref)).to.equal(3)
  })

  it('is spent once more by who is sent to again, and is not by who cannot be', async () => {
    const ref = await start(2)
    const own = await claim()
    await write(own, 'aa', [1, 1])
    await write(own, 'uu', [1, 1], { done: true })
    const snapshot = (await fixture.histories.snapshot(ref)) as Snapshot
    await fixture.histories.resend(snapshot, { channel: 'sms', people: 'all', by: 'dean' })
    await wakeDue(fixture)
    const again = await claim()
    expect(await write(again, 'aa', [1, 1])).to.equal('bu')
    expect(await spent(ref)).to.equal(3)
    expect(await write(again, 'f=', [1]), 'of the first attempt nobody knows more').to.equal('uu')
    expect(await spent(ref)).to.equal(2)
  })

  it('is not touched once it was cancelled, and is of money as of parts', async () => {
    const ref = await start(2, { ceiling: { millionths: 5_000_000_000_000, currency: 'RUB' } })
    const own = await claim()
    expect(await write(own, 'a=', [4_999_999_999_999])).to.equal('a\0')
    expect(await spent(ref)).to.equal(4_999_999_999_999)
    await fixture.histories.cancel(ref, 'dean')
    expect(await write(own, 'sa', [4_999_999_999_999, 1])).to.equal('sx')
    expect(await spent(ref)).to.equal(4_999_999_999_999)
  })

  it('is none where the message has none', async () => {
    const ref = await start(2, { ceiling: undefined })
    expect(await write(await claim(), 'aa', [9, 9])).to.equal('aa')
    expect(await fixture.redis.hexists(keys.history(ref), 'spent')).to.equal(0)
    expect(await states(ref, 2)).to.equal('aa')
  })
})
