import { type HistoryRef, receiptBytes } from '@courier-fleet/api-types'
import { bucketOfProviderId, fixBuckets, keys } from '@courier-fleet/store'
import { expect } from 'chai'
import fc from 'fast-check'
import { resendUnknown, resolveUnknown } from '../../../store/src/history/unknown-scripts.ts'
import type { Claim } from '../../src/engine/claims/claim.ts'
import { wakeShard } from '../../src/engine/claims/waker.ts'
import type { WorkStreams } from '../../src/engine/claims/work-streams.ts'
import { createDeliveryReports, type DeliveryReports } from '../../src/engine/delivery-reports.ts'
import {
  type ClaimFixture,
  claimWork,
  createClaimFixture,
  evidenceOf,
  noEvidence,
  record,
  report,
  shard,
  statesOf,
  wakeDue,
} from './claim-fixture.ts'
import { allBytes, mayFollow, type Receipt, rank, recorded, reported, resent, told } from './receipt-model.ts'

const size = 6
const observable = ['delivered', 'read', 'failed'] as const

type Step =
  | { does: 'record'; wanted: string }
  | { does: 'report'; ordinal: number; state: (typeof observable)[number] }
  | { does: 'stop'; field: 'cancelled' | 'expires' }
  | { does: 'resolve'; ordinal: number; outcome: 'delivered' | 'failed' }
  | { does: 'resend'; ordinal: number }

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      does: fc.constant('record' as const),
      wanted: fc
        .array(fc.constantFrom('=', 'a', 'a', ...allBytes), { minLength: size, maxLength: size })
        .map((bytes) => bytes.join('')),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      does: fc.constant('report' as const),
      ordinal: fc.nat(size - 1),
      state: fc.constantFrom(...observable),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      does: fc.constant('resolve' as const),
      ordinal: fc.nat(size - 1),
      outcome: fc.constantFrom('delivered' as const, 'failed' as const),
    }),
  },
  { weight: 3, arbitrary: fc.record({ does: fc.constant('resend' as const), ordinal: fc.nat(size - 1) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      does: fc.constant('stop' as const),
      field: fc.constantFrom('cancelled' as const, 'expires' as const),
    }),
  },
)

describe('lua: receipts against their model', () => {
  let fixture: ClaimFixture
  let reports: DeliveryReports
  beforeEach(async () => {
    fixture = await createClaimFixture()
    reports = createDeliveryReports({ redis: fixture.redis, channel: 'vk' })
  })
  afterEach(() => fixBuckets(16))
  afterEach(() => fixture.stop())

  const bytesOf = async (claim: Claim) => (await statesOf(fixture, claim.ref, size)).padEnd(size, '\0')

  /** Others may be due, too: people of an earlier message who are to be sent to again. */
  async function claimOf(streams: WorkStreams, ref: HistoryRef): Promise<Claim> {
    for (;;) {
      await wakeShard(fixture.redis, shard, 100)
      const own = (await streams.read(shard, 'normal', 100)).find((claim) => claim.ref.id === ref.id)
      if (own) return own
    }
  }

  it('the model never lets a weaker state follow a final one', () => {
    for (const old of allBytes) {
      for (const next of allBytes) {
        if (mayFollow(old, next) && rank(old) > 1) expect(rank(next), `${old} → ${next}`).to.be.above(rank(old))
      }
    }
  })

  it('every pair of states: a record, and a report, do as the model says', async () => {
    const { scripts, streams } = await fixture.process()
    await fixture.put(size)
    await wakeDue(fixture)
    const claim = await claimWork(streams)
    const receipts = keys.receipts(claim.ref, 'vk')
    for (const old of [...allBytes, 'w', 'b']) {
      const before: Receipt = { byte: old, why: '' }
      for (const next of allBytes) {
        await fixture.redis.set(receipts, old)
        await fixture.redis.del(keys.reasons(claim.ref, 'vk'))
        const now = await record(scripts, { ...claim, to: 1 }, Buffer.from(next, 'latin1'), noEvidence, false)
        const { byte } = recorded(before, next)
        expect(now.toString('latin1'), `record ${old} → ${next}`).to.equal(byte)
        expect(await statesOf(fixture, claim.ref, 1), `stored ${old} → ${next}`).to.equal(byte)
      }
      for (const state of observable) {
        await fixture.redis.set(receipts, old)
        await fixture.redis.del(keys.reasons(claim.ref, 'vk'))
        await report(fixture, claim.ref, 0, { state })
        const next = String.fromCharCode(receiptBytes[state]) as 'd' | 'r' | 'f'
        expect(await statesOf(fixture, claim.ref, 1), `report ${old} → ${next}`).to.equal(reported(before, next).byte)
      }
    }
  })

  it('any sequence of records, reports and decisions: the same bytes, and the counters agree after every step', async () => {
    const { scripts, streams } = await fixture.process()
    let message = 0
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
        message += 1
        const ref = await fixture.put(size, { ref: fixture.ref(`model-${String(message).padStart(4, '0')}`) })
        const claim = await claimOf(streams, ref)
        const model = new Array<Receipt>(size).fill({ byte: '\0', why: '' })
        const all = () => model.map(({ byte }) => byte).join('')
        const become = (ordinal: number, of: (receipt: Receipt) => Receipt) =>
          model.splice(ordinal, 1, of(model[ordinal] as Receipt))
        let stop: 'x' | 'e' | undefined
        for (const each of steps) {
          if (each.does === 'stop') {
            await fixture.redis.hset(keys.history(claim.ref), each.field, 1)
            stop = each.field === 'cancelled' ? 'x' : (stop ?? 'e')
          } else if (each.does === 'report') {
            const next = String.fromCharCode(receiptBytes[each.state]) as 'd' | 'r' | 'f'
            become(each.ordinal, (receipt) => reported(receipt, next))
            await report(fixture, claim.ref, each.ordinal, { state: each.state })
          } else if (each.does === 'record') {
            for (const [ordinal, next] of [...each.wanted].entries())
              become(ordinal, (receipt) => recorded(receipt, next, stop))
            const standing = await record(scripts, claim, Buffer.from(each.wanted, 'latin1'), noEvidence, false)
            expect(standing.toString('latin1')).to.equal(all())
          } else {
            const decision = { ref: claim.ref, leg: 'vk', ordinals: [each.ordinal], by: 'dean' }
            if (each.does === 'resolve') {
              become(each.ordinal, (receipt) => told(receipt, each.outcome === 'delivered' ? 'd' : 'f'))
              await resolveUnknown(fixture.redis, decision, each.outcome)
            } else if (!stop) {
              become(each.ordinal, resent)
              await resendUnknown(fixture.redis, decision)
            }
          }
          expect(await bytesOf(claim)).to.equal(all())
          for (const { balanced } of await fixture.histories.recount(claim.ref)) expect(balanced).to.equal(true)
        }
      }),
      { numRuns: 120 },
    )
  })

  it('an report needs a history, keeps a reason only where it was taken, and twice is once', async () => {
    const ref = fixture.ref('not-there')
    await report(fixture, ref, 0, { state: 'failed', reason: 'too late' })
    const left = (await fixture.redis.keys('*')).filter((name) => !name.startsWith('provider-id:'))
    expect(left).to.deep.equal([])

    await fixture.redis.hset(keys.history(ref), 'state', 'running', 'size', 2, 'vk:s', 2)
    await fixture.redis.set(keys.receipts(ref, 'vk'), 'ss')
    await report(fixture, ref, 0, { state: 'failed', reason: 'no such subscriber' })
    await report(fixture, ref, 0, { state: 'failed', reason: 'another' })
    await report(fixture, ref, 1, { state: 'delivered' })
    await report(fixture, ref, 1, { state: 'failed', reason: 'too late' })
    expect(await statesOf(fixture, ref, 2)).to.equal('fd')
    expect(await evidenceOf(fixture, ref, 2)).to.deep.equal({ '0': '!no such subscriber' })
    expect(await fixture.redis.hmget(keys.history(ref), 'vk:s', 'vk:f', 'vk:d')).to.deep.equal(['0', '1', '1'])
  })

  it('an answer that comes after its receipt leaves the state and brings the id, once', async () => {
    const { scripts, streams } = await fixture.process()
    await fixture.put(1)
    await wakeDue(fixture)
    const claim = await claimWork(streams)
    await record(scripts, claim, Buffer.from('a'), noEvidence, false)
    await report(fixture, claim.ref, 0, { state: 'delivered' })
    for (const id of ['#1', '#2']) await record(scripts, claim, Buffer.from('s'), new Map([[0, id]]), false)
    expect(await statesOf(fixture, claim.ref, 1)).to.equal('d')
    expect(await evidenceOf(fixture, claim.ref, 1)).to.deep.equal({ '0': '#1' })
  })

  const indexId = (providerId: string, ref: HistoryRef, ordinal: number) =>
    reports.index([{ providerId, ref, leg: 'vk', ordinal }])
  const sentTo = async (ref: HistoryRef, people: number) => {
    await fixture.redis.hset(keys.history(ref), 'state', 'running', 'size', people, 'vk:s', people)
    await fixture.redis.set(keys.receipts(ref, 'vk'), 's'.repeat(people))
  }
  const receiptsOf = (ref: HistoryRef, people = 2) => statesOf(fixture, ref, people)

  it('a report and the id it names match in either order, whichever of the id’s forms is used', async () => {
    const ref = fixture.ref('report-first')
    await sentTo(ref, 2)
    await indexId('1f', ref, 0)
    await reports.receive({ providerIds: ['31', '1f'], state: 'delivered' })
    expect(await receiptsOf(ref)).to.equal('ds')
    await reports.receive({ providerIds: ['32', '20'], state: 'read' })
    await indexId('20', ref, 1)
    expect(await receiptsOf(ref)).to.equal('dr')
    expect(await fixture.redis.pttl(keys.providerId(0, 'vk', '20'))).to.be.above(0)
  })

  for (const buckets of [16, 256])
    it(`ids and words in great numbers meet, in ${buckets} buckets and in any order, and no word is left`, async () => {
      fixBuckets(buckets)
      const refs = [fixture.ref('met-many-1'), fixture.ref('met-many-2')]
      for (const ref of refs) await sentTo(ref, 150)
      const everyone = refs.flatMap((ref, of) =>
        Array.from({ length: 150 }, (_unused, ordinal) => ({
          providerId: `id-${of}-${ordinal}`,
          ref,
          leg: 'vk',
          ordinal,
        })),
      )
      const receive = ({ providerId }: { providerId: string }) =>
        reports.receive({ providerIds: [`other-${providerId}`, providerId], state: 'delivered' })
      await Promise.all(everyone.filter((_each, index) => index % 3 === 0).map(receive))
      await Promise.all([reports.index(everyone), ...everyone.filter((_each, index) => index % 3 === 1).map(receive)])
      await Promise.all(everyone.filter((_each, index) => index % 3 === 2).map(receive))
      for (const ref of refs) {
        expect(await receiptsOf(ref, 150)).to.equal('d'.repeat(150))
        for (const { balanced } of await fixture.histories.recount(ref)) expect(balanced).to.equal(true)
      }
      for (const { providerId } of everyone)
        for (const id of [providerId, `other-${providerId}`])
          expect(await fixture.redis.hexists(keys.providerId(bucketOfProviderId(id), 'vk', id), 'report')).to.equal(0)
    })

  it('a recipient waits for days, a word for an hour, and both for an hour once they have met', async () => {
    const ref = fixture.ref('met-often')
    await fixture.redis.hset(keys.history(ref), 'state', 'running', 'size', 1)
    await fixture.redis.set(keys.receipts(ref, 'vk'), 's')
    const hoursLeft = async (id: string) =>
      Math.ceil((await fixture.redis.pttl(keys.providerId(0, 'vk', id))) / 3_600_000)
    await reports.receive({ providerIds: ['early'], state: 'delivered' })
    expect(await hoursLeft('early')).to.equal(1)
    await indexId('early', ref, 0)
    expect(await hoursLeft('early')).to.equal(1)
    await indexId('late', ref, 0)
    expect(await hoursLeft('late')).to.equal(72)
    for (const state of ['delivered', 'delivered', 'read'] as const) {
      await reports.receive({ providerIds: ['late'], state })
      expect(await hoursLeft('late')).to.equal(1)
    }
    expect(await receiptsOf(ref, 1)).to.equal('r')
    expect(await fixture.redis.hkeys(keys.providerId(0, 'vk', 'late'))).to.deep.equal(['recipient'])
  })

  it('a word that has found its recipient is not left under other forms of the id, where another would find it', async () => {
    const [ref, other] = [fixture.ref('met-first'), fixture.ref('met-other')]
    await sentTo(ref, 2)
    await sentTo(other, 2)
    await indexId('16777216', ref, 0)
    await reports.receive({ providerIds: ['01000000', '16777216'], state: 'delivered' })
    await indexId('01000000', other, 0)
    await reports.receive({ providerIds: ['33554432', '02000000'], state: 'delivered' })
    await indexId('33554432', ref, 1)
    await indexId('02000000', other, 1)
    expect(await receiptsOf(ref)).to.equal('dd')
    expect(await receiptsOf(other)).to.equal('ss')
  })
})
