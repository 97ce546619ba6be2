/** Of somebody with two phones: the second is tried in the step that says that the first did not get it, and what is told later is told of the right one. */
import { type HistoryRef, type MessageSteps, memberOf, reasonBytes } from '@courier-fleet/api-types'
import { applyReports, digestOfContact, keys, lineOfTry, readTries, type Snapshot } from '@courier-fleet/store'
import { until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import type { Claim } from '../../src/engine/claims/claim.ts'
import {
  type ClaimFixture,
  claimWork,
  createClaimFixture,
  noEvidence,
  record as recordClaim,
  shard,
  statesOf,
  wakeDue,
} from './claim-fixture.ts'

const [first, second] = ['+79005550311', '+79005550322'] as const
const bytes = (text: string) => Buffer.from(text, 'latin1')
const person = 'p000000'
const blocked = Buffer.from([reasonBytes.blocked])

describe('lua: the next contact', () => {
  let fixture: ClaimFixture
  let process: Awaited<ReturnType<ClaimFixture['process']>>
  let claim: Claim
  beforeEach(async () => {
    fixture = await createClaimFixture()
    process = await fixture.process('sms')
    await fixture.put(1, { channels: ['sms'] })
    await wakeDue(fixture)
    claim = await claimWork(process.streams)
  })
  afterEach(() => fixture.stop())

  const record = async (of: Claim, text: string, evidence = noEvidence, done = false, reasons?: Buffer) =>
    (await recordClaim(process.scripts, of, bytes(text), evidence, done, reasons)).toString('latin1')
  const mark = (of: Claim, address: string, hasMore: boolean) =>
    record(of, 'a', new Map([[0, lineOfTry(of.ref, address, hasMore)]]))
  const refuse = (of: Claim) => record(of, 'f', new Map([[0, '!barred']]), false, blocked)
  const state = async () => (await statesOf(fixture, claim.ref, 1, 'sms')) || '\0'
  const tries = async () =>
    (await readTries(fixture.redis, claim.ref, 'sms', [0]))[0]?.map(({ shown, state = '' }) => `${shown} ${state}`)
  const nextClaim = async () => {
    await wakeDue(fixture)
    return claimWork(process.streams)
  }
  /** what falls due at moments that are apart may be woken apart */
  async function claimsOf(refs: readonly HistoryRef[]): Promise<Claim[]> {
    const found: Claim[] = []
    const isThere = ({ id }: HistoryRef) => found.some(({ leg, ref }) => leg === 'sms' && ref.id === id)
    await until(async () => {
      await wakeDue(fixture).catch(() => 0)
      found.push(...(await process.streams.read(shard, 'normal', 10)))
      return refs.every(isThere)
    }, 'they are claimed')
    return found
  }
  const report = (address: string, byte: string, reason = 0) =>
    applyReports(fixture.redis, [
      {
        ref: claim.ref,
        leg: 'sms',
        ordinal: 0,
        contact: digestOfContact(claim.ref, address),
        byte: byte.charCodeAt(0),
        reason,
        evidence: '',
      },
    ])
  /** somebody has found out */
  const sayFailed = async (ref: HistoryRef) => {
    const snapshot = (await fixture.histories.snapshot(ref)) as Snapshot
    expect(
      await fixture.histories.resolve(snapshot, { channel: 'sms', people: [person], by: 'dean' }, 'failed'),
    ).to.equal(1)
  }
  const isSettled = async () => (await fixture.redis.hget(keys.history(claim.ref), 'state')) === 'settled'
  const isBalanced = async () => {
    const found = await fixture.histories.recount(claim.ref)
    expect(found.every(({ balanced }) => balanced)).to.equal(true)
  }

  it('is pending in the step of the refusal, and the message settles with the second', async () => {
    expect(await mark(claim, first, true)).to.equal('a')
    expect(await refuse(claim)).to.equal('\0')
    expect(await tries()).to.deep.equal(['11 failed'])
    await record(claim, '=', noEvidence, true)
    expect(await isSettled()).to.equal(false)
    const next = await nextClaim()
    expect(next).to.include({ cause: 'next-contact', leg: 'sms' })
    expect(await mark(next, second, false)).to.equal('a')
    expect(await record(next, 's', new Map([[0, '#7']]), true)).to.equal('s')
    expect(await tries()).to.deep.equal(['11 failed', '22 '])
    expect(await isSettled()).to.equal(true)
    await isBalanced()
  })

  it('is told nothing by the same answer once more, nor by whoever takes the first claim over', async () => {
    await mark(claim, first, true)
    await refuse(claim)
    expect(await refuse(claim)).to.equal('\0')
    // it reads somebody pending, who is another claim's
    expect(await mark(claim, second, false)).to.equal('x')
    expect(await state()).to.equal('\0')
    const next = await nextClaim()
    expect(await mark(next, second, false)).to.equal('a')
    expect(await refuse(claim)).to.equal('a')
    expect(await mark(claim, second, false)).to.equal('x')
    expect(await record(claim, 'u', noEvidence, true)).to.equal('a')
    expect(await record(next, 's', noEvidence, true)).to.equal('s')
    expect(await isSettled()).to.equal(true)
    await isBalanced()
  })

  it('begins nothing where there is no other, where it is not of the contact, or where nobody knows', async () => {
    await mark(claim, first, false)
    expect(await refuse(claim)).to.equal('f')
    for (const [byte, reason] of [
      ['f', reasonBytes.refused],
      ['u', reasonBytes['no-answer']],
      ['s', 0],
    ] as const) {
      await fixture.put(1, { channels: ['sms'] })
      const other = await nextClaim()
      await mark(other, first, true)
      expect(await record(other, byte, noEvidence, true, Buffer.from([reason]))).to.equal(byte)
    }
  })

  it('begins nothing of a message that was cancelled meanwhile', async () => {
    await mark(claim, first, true)
    await fixture.histories.cancel(claim.ref, 'dean')
    expect(await refuse(claim)).to.equal('f')
  })

  it('begins when it is reported later that the first did not get it; a settled message runs again, once', async () => {
    await mark(claim, first, true)
    await record(claim, 's', new Map([[0, '#6']]), true)
    expect(await isSettled()).to.equal(true)
    for (let twice = 0; twice < 2; twice += 1) await report(first, 'f', reasonBytes.undelivered)
    expect(await state()).to.equal('\0')
    expect(await isSettled()).to.equal(false)
    const next = await nextClaim()
    await mark(next, second, false)
    await record(next, 's', new Map([[0, '#7']]), true)
    await report(second, 'd')
    expect([await state(), await tries()]).to.deep.equal(['d', ['11 failed', '22 ']])
    expect(await isSettled()).to.equal(true)
    await isBalanced()
  })

  it('is spared when the first turns out to have it before the second was marked', async () => {
    await mark(claim, first, true)
    await refuse(claim)
    await report(first, 'd')
    expect([await state(), await tries()]).to.deep.equal(['d', ['11 ']])
    const next = await nextClaim()
    expect(await mark(next, second, false)).to.equal('d')
    await record(next, '=', noEvidence, true)
    await record(claim, '=', noEvidence, true)
    expect(await isSettled()).to.equal(true)
    await isBalanced()
  })

  it('is told of the first and not of the second, where both turn out to have it', async () => {
    await mark(claim, first, true)
    await refuse(claim)
    await record(claim, '=', noEvidence, true)
    const next = await nextClaim()
    await mark(next, second, false)
    await record(next, 's', new Map([[0, '#7']]), true)
    await report(first, 'd')
    expect([await state(), await tries()]).to.deep.equal(['d', ['22 sent', '11 ']])
    await report(second, 'd')
    expect([await state(), await tries()]).to.deep.equal(['d', ['22 delivered', '11 ']])
    await isBalanced()
  })

  describe('of a message that is corrected', () => {
    const correct = async () => {
      const snapshot = (await fixture.histories.snapshot(claim.ref)) as Snapshot
      const how = { text: 'new', followUp: 'where-needed', intro: 'of 14:02', by: 'dean', atMs: Date.now() } as const
      expect(await fixture.histories.correct(snapshot, how)).to.equal(2)
    }
    const correction = async () => ({
      state: await statesOf(fixture, claim.ref, 1, 'sms~2'),
      reason: await fixture.redis.getrange(keys.reasons(claim.ref, 'sms~2'), 0, 0),
    })
    const nothing = { state: 'x', reason: String.fromCharCode(reasonBytes['nothing-to-correct']) }

    it('nothing is to be corrected from the step on in which the second is begun: it gets the new text', async () => {
      await mark(claim, first, true)
      await correct()
      expect(await refuse(claim)).to.equal('\0')
      expect(await correction()).to.deep.equal(nothing)
      await isBalanced()
    })

    it('so it is where a report begins it, and where somebody says so', async () => {
      await mark(claim, first, true)
      await record(claim, 's', new Map([[0, '#6']]), true)
      await correct()
      await report(first, 'f', reasonBytes.undelivered)
      expect([await state(), await correction()]).to.deep.equal(['\0', nothing])
      await isBalanced()
      const other = await fixture.put(1, { channels: ['sms'] })
      claim = (await claimsOf([other])).find(({ ref }) => ref.id === other.id) as Claim
      await mark(claim, first, true)
      await record(claim, 'u', noEvidence, true)
      await correct()
      await sayFailed(claim.ref)
      expect([await state(), await correction()]).to.deep.equal(['\0', nothing])
      await isBalanced()
    })

    it('who turns out to have the old text on the first, and is not sent the new one, is listed', async () => {
      await mark(claim, first, true)
      await correct()
      await refuse(claim)
      await report(first, 'd')
      expect(await state()).to.equal('d')
      expect(await correction()).to.deep.equal({ state: 'p', reason: '\0' })
      await isBalanced()
    })
  })

  describe('of a message that others went with', () => {
    let pair: [HistoryRef, HistoryRef]
    beforeEach(async () => {
      await record(claim, 'f', noEvidence, true, blocked)
      const put = (dueMs: number) =>
        fixture.put(1, {
          channels: ['sms'],
          to: [`user:${person}`],
          merge: { person, windowMs: 60_000, channels: ['sms'] },
          dueMs,
        })
      pair = [await put(Date.now() - 5), await put(Date.now() - 4)]
      claim = await nextClaim()
      expect(claim.carries).to.deep.equal([memberOf(pair[1])])
    })

    const write = async (of: Claim, byte: string, { texts = '', evidence = '', reason = 0, done = false } = {}) => {
      const what = { from: 0, bytes: bytes(byte), evidence: [evidence], reasons: Buffer.from([reason]) }
      const [standing] = await process.scripts.record([{ claim: of, version: 1, texts, done, ...what }])
      return standing?.toString('latin1')
    }
    const markBoth = () =>
      write(claim, 'a', { texts: `${memberOf(pair[1])}=1`, evidence: lineOfTry(claim.ref, first, true) })
    const states = () => Promise.all(pair.map(async (ref) => (await statesOf(fixture, ref, 1, 'sms')) || '\0'))
    const triesOf = (ref: HistoryRef) =>
      readTries(fixture.redis, ref, 'sms', [0]).then(([found = []]) =>
        found.map(({ shown, state = '' }) => `${shown} ${state}`),
      )
    const settled = () =>
      Promise.all(pair.map(async (ref) => (await fixture.redis.hget(keys.history(ref), 'state')) === 'settled'))

    /** each goes to the second contact by itself, and both are done with it, once */
    async function finishEach(): Promise<void> {
      const all = await claimsOf(pair)
      expect(all.map(({ ref }) => memberOf(ref))).to.have.members(pair.map(memberOf))
      for (const each of all) {
        expect(each.carries ?? []).to.deep.equal([])
        expect(await write(each, 'a', { evidence: lineOfTry(each.ref, second, false) })).to.equal('a')
        expect(await write(each, 's', { evidence: '#7', done: true })).to.equal('s')
      }
      expect(await states()).to.deep.equal(['s', 's'])
      expect(await settled()).to.deep.equal([true, true])
      for (const ref of pair) {
        expect(await triesOf(ref)).to.deep.equal(['11 failed', '22 '])
        expect((await fixture.histories.recount(ref)).every(({ balanced }) => balanced)).to.equal(true)
      }
    }

    it('each goes by itself after a refusal, and not to the first again', async () => {
      expect(await markBoth()).to.equal('a')
      expect(await write(claim, 'f', { reason: reasonBytes.blocked, evidence: '!barred', done: true })).to.equal('\0')
      expect(await states()).to.deep.equal(['\0', '\0'])
      await finishEach()
    })

    it('nothing is kept of whoever was erased from one of them meanwhile, who is not sent it', async () => {
      await markBoth()
      await write(claim, 's', { evidence: '#6', done: true })
      const [, other] = pair
      await fixture.redis.hset(keys.history(other), 'erased', ',0,')
      await report(first, 'f', reasonBytes.undelivered)
      expect(await states()).to.deep.equal(['\0', 'f'])
      expect(await fixture.redis.exists(keys.tried(other, 'sms'))).to.equal(0)
    })

    it('each goes by itself after a late report', async () => {
      await markBoth()
      await write(claim, 's', { evidence: '#6', done: true })
      expect(await settled()).to.deep.equal([true, true])
      await report(first, 'f', reasonBytes.undelivered)
      expect(await states()).to.deep.equal(['\0', '\0'])
      expect(await settled()).to.deep.equal([false, false])
      await finishEach()
    })

    it('each goes by itself after a report that was faster than the end of the claim', async () => {
      await markBoth()
      await write(claim, 's', { evidence: '#6' })
      await report(first, 'f', reasonBytes.undelivered)
      await write(claim, '=', { done: true })
      await finishEach()
    })

    it('somebody says of one that it did not arrive: that one goes on, the other stays unknown, and both are done', async () => {
      await markBoth()
      await write(claim, 'u', { done: false })
      await sayFailed(pair[0])
      await write(claim, '=', { done: true })
      expect(await states()).to.deep.equal(['\0', 'u'])
      expect(await settled()).to.deep.equal([false, true])
      await sayFailed(pair[1])
      await finishEach()
    })
  })

  describe('of a message with steps', () => {
    const steps: MessageSteps = [{ channels: ['sms'] }, { channels: ['vk'], after: 'PT10M', unless: 'delivered' }]
    const viewOf = async () => {
      const ref = claim.ref
      return { stands: await statesOf(fixture, ref, 1, 'sms'), later: await statesOf(fixture, ref, 1, 'vk') }
    }
    const waitingWaves = async () =>
      Object.entries(await fixture.redis.hgetall(keys.history(claim.ref))).flatMap(([field, text]) =>
        field.startsWith('wave:') ? [text.split(' ').slice(0, 2).join(' ')] : [],
      )
    beforeEach(async () => {
      await fixture.process('vk')
      await record(claim, 'f', noEvidence, true, blocked)
      await fixture.put(1, { steps })
      claim = await nextClaim()
      expect(claim.leg).to.equal('sms')
    })

    it('the second is tried before the next step begins', async () => {
      await mark(claim, first, true)
      expect(await record(claim, 'f', noEvidence, true, blocked)).to.equal('\0')
      expect(await waitingWaves()).to.deep.equal(['sms next-contact'])
      const next = await nextClaim()
      await mark(next, second, false)
      expect(await record(next, 'f', noEvidence, true, blocked)).to.equal('f')
      expect(await waitingWaves()).to.deep.equal(['vk step'])
    })

    it('who has come to the next step goes on there', async () => {
      await mark(claim, first, true)
      await record(claim, 's', new Map([[0, '#6']]), true)
      expect(await waitingWaves()).to.deep.equal(['vk step'])
      await report(first, 'f', reasonBytes.undelivered)
      expect((await viewOf()).stands).to.equal('f')
      expect(await waitingWaves()).to.deep.equal(['vk step'])
    })
  })
})
