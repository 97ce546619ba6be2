/** What of a budget is spent, step by step of those who send; and what is mended of what a process has left. */
import { type HistoryRef, historyKeyOf, reasonBytes, receiptBytes } from '@courier-fleet/api-types'
import { applyReports, digestOfContact, keys, lineOfTry } from '@courier-fleet/store'
import { expect } from 'chai'
import type { Claim } from '../../src/engine/claims/claim.ts'
import { mendBudget } from '../../src/engine/rules/budget-mending.ts'
import { type Reservation, reserveBudget, settleBudget, standsAs } from '../../src/engine/rules/budget-scripts.ts'
import { type ClaimFixture, claimWork, createClaimFixture, wakeDue } from './claim-fixture.ts'

type Process = Awaited<ReturnType<ClaimFixture['process']>>
const budget = keys.budget('*:month:2026-09:parts')

describe('lua: a budget', () => {
  let fixture: ClaimFixture
  beforeEach(async () => {
    fixture = await createClaimFixture()
  })
  afterEach(() => fixture.stop())

  const hash = () => fixture.redis.hgetall(budget)
  const spent = async () => Number((await hash()).spent ?? 0)
  const attempt = (name: string, cost: number, deliveries = 1): Reservation => ({ budget, name, cost, deliveries })
  const reserve = (wanted: readonly Reservation[], limit = 5) =>
    reserveBudget(fixture.redis, { budget, limit, keptS: 60 }, wanted)
  const settle = (some: readonly Reservation[], isGivenBack: boolean) =>
    settleBudget(
      fixture.redis,
      budget,
      some.map((each) => ({ name: each.name, stands: standsAs(each), isGivenBack })),
    )

  it('is reserved for the first of a list, as far as it is enough; and it is noted that somebody was refused', async () => {
    const wanted = [
      attempt('m sms normal 1-0 0', 2),
      attempt('m sms normal 1-0 1', 4),
      attempt('m sms normal 1-0 2', 1),
    ]
    expect(await reserve(wanted)).to.deep.equal([true, false, false])
    expect(await hash()).to.deep.equal({ spent: '2', refused: '5', 'm sms normal 1-0 0': '2 1' })
    expect(await fixture.redis.ttl(budget)).to.be.within(50, 60)
    expect(await reserve(wanted, 7), 'raised').to.deep.equal([true, true, true])
  })

  it('gives the same answer to the same claim, whoever asks; and ends nothing of a claim that has gone to another', async () => {
    const first = [attempt('m sms normal 1-0 0', 2), attempt('m sms normal 1-0 1', 3)]
    for (let times = 0; times < 3; times += 1) expect(await reserve(first)).to.deep.equal([true, true])
    expect(await spent()).to.equal(5)
    const second = first.map((each) => ({ ...each, deliveries: 2 }))
    expect(await reserve([attempt('other sms normal 2-0 0', 1), ...second], 5)).to.deep.equal([false, true, true])
    expect(await settle(first, true), 'of whoever had the claim before').to.equal(0)
    expect(await reserve(first), 'which is marked no more').to.deep.equal([true, true])
    for (let times = 0; times < 3; times += 1) await settle([second[0] as Reservation], true)
    expect(await spent()).to.equal(3)
    expect(await settle([second[1] as Reservation], false), 'it was taken').to.equal(1)
    expect(await hash()).to.deep.equal({ spent: '3', refused: '5' })
  })

  it('is of the price of the moment: who has become dearer, and fits no more, is reserved nothing', async () => {
    await reserve([attempt('m sms normal 1-0 0', 2), attempt('m sms normal 1-0 1', 2)])
    expect(await reserve([attempt('m sms normal 1-0 0', 3, 2)])).to.deep.equal([true])
    expect(await reserve([attempt('m sms normal 1-0 1', 9, 2)])).to.deep.equal([false])
    expect(await spent()).to.equal(3)
  })

  it('of money is exact to a millionth', async () => {
    const limit = 5_000_000_000_001
    expect(await reserve([attempt('a', 4_999_999_999_999), attempt('b', 2)], limit)).to.deep.equal([true, true])
    expect((await hash()).spent).to.equal(String(limit))
    await settle([attempt('a', 4_999_999_999_999)], true)
    expect((await hash()).spent).to.equal('2')
  })

  describe('where a process has left something reserved', () => {
    let sms: Process
    let ref: HistoryRef
    let claim: Claim
    beforeEach(async () => {
      sms = await fixture.process('sms')
      ref = await fixture.put(4, { channels: ['sms'] })
      await wakeDue(fixture)
      claim = await claimWork(sms.streams)
      const name = `${historyKeyOf(ref)} sms normal ${claim.entry}`
      await reserve([0, 1, 2, 3].map((ordinal) => attempt(`${name} ${ordinal}`, 1)))
    })
    const write = (bytes: string, done: boolean) =>
      sms.scripts.record([{ claim, version: 1, done, from: 0, bytes: Buffer.from(bytes, 'latin1'), evidence: [] }])

    it('of a claim that is not over nothing is ended, marked or not', async () => {
      expect(await mendBudget(fixture.redis, budget)).to.equal(false)
      await write('aa==', false)
      await write('sf==', false)
      expect(await mendBudget(fixture.redis, budget)).to.equal(false)
      expect(Object.keys(await hash())).to.have.length(5)
    })

    it('of one that is over what nobody can have taken is given back, and all else stays spent', async () => {
      await write('aa=a', false)
      await write('sfpu', true)
      expect(await mendBudget(fixture.redis, budget)).to.equal(true)
      expect(await hash()).to.deep.equal({ spent: '3' })
      expect(await mendBudget(fixture.redis, budget)).to.equal(false)
    })

    it('whoever waits for a later wave was not sent it; whoever is at it by then is left alone', async () => {
      await write('a===', false)
      await write('u===', true)
      const receipts = keys.receipts(ref, 'sms')
      await fixture.redis.setrange(receipts, 1, 'a')
      expect(await mendBudget(fixture.redis, budget)).to.equal(true)
      expect(await spent()).to.equal(2)
      expect(Object.keys(await hash()).filter((name) => name.endsWith(' 1'))).to.have.length(1)
      await fixture.redis.setrange(receipts, 1, 's')
      await mendBudget(fixture.redis, budget)
      expect(await hash()).to.deep.equal({ spent: '2' })
    })

    it('whoever did not get what one phone had taken, and goes to the next, has not been given it back', async () => {
      const lines = [lineOfTry(ref, '+79005550311', true), lineOfTry(ref, '+79005550312', true), '', '']
      const update = { claim, version: 1, from: 0 }
      await sms.scripts.record([{ ...update, done: false, bytes: Buffer.from('aa=='), evidence: lines }])
      await write('ss==', true)
      const undelivered = { ref, leg: 'sms', ordinal: 0, byte: receiptBytes.failed, reason: reasonBytes.undelivered }
      const contact = digestOfContact(ref, '+79005550311')
      await applyReports(fixture.redis, [{ ...undelivered, contact, evidence: '' }])
      expect(await fixture.redis.getrange(keys.receipts(ref, 'sms'), 0, 0)).to.equal('\0')
      await mendBudget(fixture.redis, budget)
      expect(await hash()).to.deep.equal({ spent: '2' })
    })

    it('whoever was refused at one phone, and goes to the next, is given it back at once, once', async () => {
      const lines = [lineOfTry(ref, '+79005550311', true), '', '', '']
      const update = { claim, version: 1, from: 0, done: false }
      await sms.scripts.record([{ ...update, bytes: Buffer.from('a==='), evidence: lines }])
      const reasons = Buffer.from([reasonBytes.blocked, 0, 0, 0])
      await sms.scripts.record([{ ...update, bytes: Buffer.from('f==='), evidence: [], reasons }])
      expect(await fixture.redis.exists(keys.tried(ref, 'sms'))).to.equal(1)
      expect(await mendBudget(fixture.redis, budget)).to.equal(true)
      expect(await spent()).to.equal(3)
      expect(await mendBudget(fixture.redis, budget)).to.equal(false)
      await settle([attempt(`${historyKeyOf(ref)} sms normal ${claim.entry} 0`, 1)], true)
      expect(await spent()).to.equal(3)
    })

    it('of a message that was purged it stays spent', async () => {
      await write('pppp', true)
      await fixture.redis.unlink(keys.history(ref))
      expect(await mendBudget(fixture.redis, budget)).to.equal(false)
      expect(await hash()).to.deep.equal({ spent: '4' })
    })
  })
})
