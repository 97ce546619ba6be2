/** What is written of somebody whose correction and whose first message are told of at the same time. */
import { type HistoryRef, type Reason, reasonBytes } from '@courier-fleet/api-types'
import { keys, type Snapshot } from '@courier-fleet/store'
import { expect } from 'chai'
import type { Claim } from '../../src/engine/claims/claim.ts'
import { createDeliveryReports } from '../../src/engine/delivery-reports.ts'
import {
  type ClaimFixture,
  claimWork,
  createClaimFixture,
  noEvidence,
  record,
  statesOf,
  wakeDue,
} from './claim-fixture.ts'

describe('lua: a correction', () => {
  let fixture: ClaimFixture
  let vk: Awaited<ReturnType<ClaimFixture['process']>>
  beforeEach(async () => {
    fixture = await createClaimFixture()
    vk = await fixture.process('vk')
  })
  afterEach(() => fixture.stop())

  const write = async (claim: Claim, states: string, done: boolean) =>
    (await record(vk.scripts, claim, Buffer.from(states), noEvidence, done)).toString('latin1')

  async function expectBalanced(ref: HistoryRef): Promise<void> {
    for (const { channel, balanced } of await fixture.histories.recount(ref)) expect(balanced, channel).to.equal(true)
  }

  /** The second of two is refused while it is being corrected. @returns the claim of the correction */
  async function correctDuringAttempt(ref: HistoryRef): Promise<Claim> {
    await wakeDue(fixture)
    const first = await claimWork(vk.streams)
    await write(first, 'aa', false)
    await write(first, 's=', false)
    const snapshot = (await fixture.histories.snapshot(ref)) as Snapshot
    const how = { text: 'other', followUp: 'where-needed', intro: 'of 14:02', by: 'dean', atMs: Date.now() } as const
    await fixture.histories.correct(snapshot, how)
    await write(first, '=f', true)
    await wakeDue(fixture)
    return claimWork(vk.streams)
  }

  /** As a process does that saw a refusal when it looked. */
  async function sayNothingToCorrect(claim: Claim): Promise<string | undefined> {
    const reason = reasonBytes['nothing-to-correct']
    const update = { from: 0, bytes: Buffer.from('=x'), reasons: Buffer.from([0, reason]), evidence: [] }
    const [standing] = await vk.scripts.record([{ claim, version: 2, done: true, ...update }])
    return standing?.toString('latin1')
  }

  it('lists whoever was sent the older text between the look and what is written of it', async () => {
    const ref = await fixture.put(2, { channels: ['vk'] })
    const claim = await correctDuringAttempt(ref)
    // a process that was frozen wakes, and the provider takes it
    const reports = createDeliveryReports({ redis: fixture.redis, channel: 'vk' })
    await reports.reportAccepted(ref, 'vk', [{ ordinal: 1, evidence: '#77' }])
    expect(await sayNothingToCorrect(claim)).to.equal('\0p')
    expect(await fixture.redis.getrange(keys.reasons(ref, 'vk~2'), 1, 1), 'there is something').to.equal('\0')
    expect(await statesOf(fixture, ref, 2, 'vk')).to.equal('ss')
    await expectBalanced(ref)
  })

  it('takes no refusal that goes by an older text, and any other', async () => {
    const ref = await fixture.put(6, { channels: ['vk'] })
    await wakeDue(fixture)
    const claim = await claimWork(vk.streams)
    const snapshot = (await fixture.histories.snapshot(ref)) as Snapshot
    const how = { text: 'other', followUp: 'never', intro: 'of 14:02', by: 'dean', atMs: Date.now() } as const
    await fixture.histories.correct(snapshot, how)
    const ofText: Reason[] = ['duplicate', 'over-day-budget', 'over-month-budget', 'missing-field']
    const reasons = Buffer.from([...ofText, 'capped', 'blocked'].map((reason) => reasonBytes[reason as Reason]))
    const refusing = async (version: number) => {
      const update = { from: 0, bytes: Buffer.from('pppfpf'), reasons, evidence: [] }
      const [standing] = await vk.scripts.record([{ claim, version, done: false, ...update }])
      return standing?.toString('latin1')
    }
    expect(await refusing(1)).to.equal('vvvvpf')
    expect(await statesOf(fixture, ref, 6)).to.equal('\0\0\0\0pf')
    expect(await fixture.redis.getrange(keys.reasons(ref, 'vk'), 0, 5)).to.equal('\0\0\0\0kB')
    expect(await refusing(2)).to.equal('pppfpf')
    await expectBalanced(ref)
  })

  it('has nothing to correct of whoever was refused, also when that is written again', async () => {
    const ref = await fixture.put(2, { channels: ['vk'] })
    const claim = await correctDuringAttempt(ref)
    expect(await sayNothingToCorrect(claim)).to.equal('\0x')
    expect(await statesOf(fixture, ref, 2, 'vk~2')).to.equal('\0x')
    await expectBalanced(ref)
  })
})
