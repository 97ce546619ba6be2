import { type HistoryRef, receiptBytes } from '@courier-fleet/api-types'
import { keys } from '@courier-fleet/store'
import { expect } from 'chai'
import fc from 'fast-check'
import type { Claim } from '../../src/claim-scripts.ts'
import { createReceiptBook, type ReceiptBook } from '../../src/receipt-book.ts'
import { claimOrder, type Ground, noEvidence, record, setGround, wakeDue } from './claims.ts'
import { allBytes, mayFollow, rank } from './receipt-model.ts'

const size = 6
const observable = ['delivered', 'read', 'failed'] as const

type Step =
  | { does: 'record'; wanted: string }
  | { does: 'observe'; ordinal: number; state: (typeof observable)[number] }
  | { does: 'stop'; field: 'cancelled' | 'expires' }

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
      does: fc.constant('observe' as const),
      ordinal: fc.nat(size - 1),
      state: fc.constantFrom(...observable),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      does: fc.constant('stop' as const),
      field: fc.constantFrom('cancelled' as const, 'expires' as const),
    }),
  },
)

describe('lua: receipts against their model', () => {
  let ground: Ground
  let book: ReceiptBook
  beforeEach(async () => {
    ground = await setGround()
    book = createReceiptBook({ redis: ground.redis, channel: 'vk' })
  })
  afterEach(() => ground.stop())

  const bytesOf = async (claim: Claim) =>
    ((await ground.redis.get(keys.receipts(claim.ref, 'vk'))) ?? '').padEnd(size, '\0')

  it('the model never lets a weaker state follow a final one', () => {
    for (const old of allBytes) {
      for (const next of allBytes) {
        if (mayFollow(old, next) && rank(old) > 1) expect(rank(next), `${old} → ${next}`).to.be.above(rank(old))
      }
    }
  })

  it('every pair of states: a record, and an observation, do as the model says', async () => {
    const { scripts, streams } = await ground.process()
    await ground.put(size)
    await wakeDue(ground, scripts)
    const claim = await claimOrder(streams, size)
    const receipts = keys.receipts(claim.ref, 'vk')
    for (const old of allBytes) {
      for (const next of allBytes) {
        await ground.redis.set(receipts, old)
        const now = await record(scripts, { ...claim, to: 1 }, Buffer.from(next, 'latin1'), noEvidence, false)
        const wanted = mayFollow(old, next) ? next : old
        expect(now.toString('latin1'), `record ${old} → ${next}`).to.equal(wanted)
        expect(await ground.redis.get(receipts), `stored ${old} → ${next}`).to.equal(wanted)
      }
      for (const state of observable) {
        await ground.redis.set(receipts, old)
        await book.observe(claim.ref, 0, { state })
        const next = String.fromCharCode(receiptBytes[state])
        expect(await ground.redis.get(receipts), `observe ${old} → ${next}`).to.equal(mayFollow(old, next) ? next : old)
      }
    }
  })

  it('any sequence of records and observations: the same bytes, and the counters agree after every step', async () => {
    const { scripts, streams } = await ground.process()
    let message = 0
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
        message += 1
        await ground.put(size, { ref: ground.ref(`model-${String(message).padStart(4, '0')}`) })
        await wakeDue(ground, scripts)
        const claim = await claimOrder(streams, size)
        const model = new Array<string>(size).fill('\0')
        const put = (ordinal: number, next: string) => {
          if (next !== '=' && mayFollow(model[ordinal] as string, next)) model[ordinal] = next
        }
        let stop: 'x' | 'e' | undefined
        for (const each of steps) {
          if (each.does === 'stop') {
            await ground.redis.hset(keys.history(claim.ref), each.field, 1)
            stop = each.field === 'cancelled' ? 'x' : (stop ?? 'e')
          } else if (each.does === 'observe') {
            put(each.ordinal, String.fromCharCode(receiptBytes[each.state]))
            await book.observe(claim.ref, each.ordinal, { state: each.state })
          } else {
            for (const [ordinal, next] of [...each.wanted].entries()) {
              put(ordinal, next === 'a' && stop ? (model[ordinal] === 'a' ? 'u' : stop) : next)
            }
            const told = await record(scripts, claim, Buffer.from(each.wanted, 'latin1'), noEvidence, false)
            expect(told.toString('latin1')).to.equal(model.join(''))
          }
          expect(await bytesOf(claim)).to.equal(model.join(''))
          for (const { balanced } of await ground.histories.recount(claim.ref)) expect(balanced).to.equal(true)
        }
      }),
      { numRuns: 120 },
    )
  })

  it('an observation needs a history, keeps a reason only where it was taken, and twice is once', async () => {
    const ref = ground.ref('not-there')
    await book.observe(ref, 0, { state: 'failed', reason: 'too late' })
    expect(await ground.redis.dbsize()).to.equal(0)

    await ground.redis.hset(keys.history(ref), 'state', 'running', 'size', 2, 'vk:s', 2)
    await ground.redis.set(keys.receipts(ref, 'vk'), 'ss')
    await book.observe(ref, 0, { state: 'failed', reason: 'no such subscriber' })
    await book.observe(ref, 0, { state: 'failed', reason: 'another' })
    await book.observe(ref, 1, { state: 'delivered' })
    await book.observe(ref, 1, { state: 'failed', reason: 'too late' })
    expect(await ground.redis.get(keys.receipts(ref, 'vk'))).to.equal('fd')
    expect(await ground.redis.hgetall(keys.evidence(ref, 'vk'))).to.deep.equal({ '0': '!no such subscriber' })
    expect(await ground.redis.hmget(keys.history(ref), 'vk:s', 'vk:f', 'vk:d')).to.deep.equal(['0', '1', '1'])
  })

  it('an answer that comes after its receipt leaves the state and brings the id, once', async () => {
    const { scripts, streams } = await ground.process()
    await ground.put(1)
    await wakeDue(ground, scripts)
    const claim = await claimOrder(streams, 1)
    await record(scripts, claim, Buffer.from('a'), noEvidence, false)
    await book.observe(claim.ref, 0, { state: 'delivered' })
    for (const id of ['#1', '#2']) await record(scripts, claim, Buffer.from('s'), new Map([[0, id]]), false)
    expect(await ground.redis.get(keys.receipts(claim.ref, 'vk'))).to.equal('d')
    expect(await ground.redis.hgetall(keys.evidence(claim.ref, 'vk'))).to.deep.equal({ '0': '#1' })
  })

  const handOver = (providerId: string, ref: HistoryRef, ordinal: number) =>
    book.handOver([{ providerId, ref, ordinal }])
  const sentTo = async (ref: HistoryRef, people: number) => {
    await ground.redis.hset(keys.history(ref), 'state', 'running', 'size', people, 'vk:s', people)
    await ground.redis.set(keys.receipts(ref, 'vk'), 's'.repeat(people))
  }
  const receiptsOf = (ref: HistoryRef) => ground.redis.get(keys.receipts(ref, 'vk'))

  it('a word and the id it refers to meet in either order, whichever of the id’s forms is used', async () => {
    const ref = ground.ref('met-early')
    await sentTo(ref, 2)
    await handOver('1f', ref, 0)
    await book.receive({ providerIds: ['31', '1f'], state: 'delivered' })
    expect(await receiptsOf(ref)).to.equal('ds')
    await book.receive({ providerIds: ['32', '20'], state: 'read' })
    await handOver('20', ref, 1)
    expect(await receiptsOf(ref)).to.equal('dr')
    expect(await ground.redis.pttl(keys.handover('vk', '20'))).to.be.above(0)
  })

  it('ids and words in great numbers meet, of several messages and in any order, and no word is left', async () => {
    const refs = [ground.ref('met-many-1'), ground.ref('met-many-2')]
    for (const ref of refs) await sentTo(ref, 150)
    const everyone = refs.flatMap((ref, of) =>
      Array.from({ length: 150 }, (_unused, ordinal) => ({ providerId: `id-${of}-${ordinal}`, ref, ordinal })),
    )
    const receive = ({ providerId }: { providerId: string }) =>
      book.receive({ providerIds: [`other-${providerId}`, providerId], state: 'delivered' })
    await Promise.all(everyone.filter((_each, index) => index % 3 === 0).map(receive))
    await Promise.all([book.handOver(everyone), ...everyone.filter((_each, index) => index % 3 === 1).map(receive)])
    await Promise.all(everyone.filter((_each, index) => index % 3 === 2).map(receive))
    for (const ref of refs) {
      expect(await receiptsOf(ref)).to.equal('d'.repeat(150))
      for (const { balanced } of await ground.histories.recount(ref)) expect(balanced).to.equal(true)
    }
    for (const { providerId } of everyone)
      for (const id of [providerId, `other-${providerId}`])
        expect(await ground.redis.hexists(keys.handover('vk', id), 'word')).to.equal(0)
  })

  it('a recipient waits for days, a word for an hour, and both for an hour once they have met', async () => {
    const ref = ground.ref('met-often')
    await ground.redis.hset(keys.history(ref), 'state', 'running', 'size', 1)
    await ground.redis.set(keys.receipts(ref, 'vk'), 's')
    const hoursLeft = async (id: string) => Math.ceil((await ground.redis.pttl(keys.handover('vk', id))) / 3_600_000)
    await book.receive({ providerIds: ['early'], state: 'delivered' })
    expect(await hoursLeft('early')).to.equal(1)
    await handOver('early', ref, 0)
    expect(await hoursLeft('early')).to.equal(1)
    await handOver('late', ref, 0)
    expect(await hoursLeft('late')).to.equal(72)
    for (const state of ['delivered', 'delivered', 'read'] as const) {
      await book.receive({ providerIds: ['late'], state })
      expect(await hoursLeft('late')).to.equal(1)
    }
    expect(await ground.redis.get(keys.receipts(ref, 'vk'))).to.equal('r')
    expect(await ground.redis.hkeys(keys.handover('vk', 'late'))).to.deep.equal(['recipient'])
  })

  it('a word that has found its recipient is not left under other forms of the id, where another would find it', async () => {
    const [ref, other] = [ground.ref('met-first'), ground.ref('met-other')]
    await sentTo(ref, 2)
    await sentTo(other, 2)
    await handOver('16777216', ref, 0)
    await book.receive({ providerIds: ['01000000', '16777216'], state: 'delivered' })
    await handOver('01000000', other, 0)
    await book.receive({ providerIds: ['33554432', '02000000'], state: 'delivered' })
    await handOver('33554432', ref, 1)
    await handOver('02000000', other, 1)
    expect(await receiptsOf(ref)).to.equal('dd')
    expect(await receiptsOf(other)).to.equal('ss')
  })
})
