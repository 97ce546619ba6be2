import {
  type HistoryRef,
  type PeopleCounts,
  peopleClasses,
  type Reason,
  type ReceiptView,
  reasonBytes,
  reasons,
  receiptBytes,
  receiptStateOf,
  stateOfReason,
} from '@courier-fleet/api-types'
import { classOf } from '@courier-fleet/channels'
import { freshRedis } from '@courier-fleet/testkit'
import { expect } from 'chai'
import fc from 'fast-check'
import type { Redis } from 'ioredis'
import { createCountPeople } from '../src/history/count-people.ts'
import { connectNode, keys } from '../src/index.ts'

const ref: HistoryRef = { shard: '00', sender: 'dean', id: 'abcdefgh' }
type Receipt = ReceiptView['channels'][string]
type Person = Readonly<Record<string, Receipt>>

/** As record.lua and report.lua write them: a reason only where it fits the state. */
const receipt: fc.Arbitrary<Receipt> = fc
  .constantFrom(...Object.values(receiptBytes))
  .map(receiptStateOf)
  .chain((state) => {
    const fitting = reasons.filter((reason) => stateOfReason(reason) === state)
    return fc
      .constantFrom<(Reason | undefined)[]>(undefined, ...fitting)
      .map((reason) => (reason === undefined ? { state } : { state, reason }))
  })
const audience = (legs: readonly string[]) =>
  fc.array(fc.record(Object.fromEntries(legs.map((leg) => [leg, receipt]))), { minLength: 1, maxLength: 40 })

describe('the people of a history', () => {
  let redis: Redis
  let stop: () => Promise<void>
  before(async () => {
    const fresh = await freshRedis()
    redis = connectNode(fresh.url, { name: 'people' })
    stop = async () => {
      redis.disconnect()
      await fresh.stop()
    }
  })
  after(() => stop())

  async function write(people: readonly Person[], legs: readonly string[]): Promise<Record<string, string>> {
    const counters: Record<string, string> = {}
    for (const leg of legs) {
      const bytes = people.map((person) => receiptBytes[person[leg]?.state ?? 'pending'])
      const whys = people.map((person) => {
        const reason = person[leg]?.reason
        return reason === undefined ? 0 : reasonBytes[reason]
      })
      await redis.set(keys.receipts(ref, leg), Buffer.from(bytes))
      for (const byte of bytes.filter((each) => receiptStateOf(each) !== 'pending')) {
        const field = `${leg}:${String.fromCharCode(byte)}`
        counters[field] = String(Number(counters[field] ?? 0) + 1)
      }
      await redis.set(keys.reasons(ref, leg), Buffer.from(whys))
    }
    return { state: 'running', size: String(people.length), expected: legs.join(','), ...counters }
  }
  const count = async (people: readonly Person[], legs: readonly string[]) =>
    createCountPeople(redis)({ ref, hash: await write(people, legs) }).then((counted) => counted.people)
  const sum = (counts: Partial<Record<string, number>>) =>
    Object.values(counts).reduce<number>((all, each = 0) => all + each, 0)

  it('are each in one class, the same as their receipts say one by one, with one reason for each who was missed', async () => {
    const some = fc.subarray(['telegram', 'vk', 'sms', 'mail', 'telegram~2', 'gone'], { minLength: 1 })
    await fc.assert(
      fc.asyncProperty(
        some.chain((legs) => fc.tuple(fc.constant(legs), audience(legs))),
        async ([legs, people]) => {
          const counts = await count(people, legs)
          for (const name of peopleClasses) {
            expect(counts[name], name).to.equal(people.filter((channels) => classOf({ channels }) === name).length)
          }
          expect(sum(counts.why)).to.equal(counts.notDelivered)
          expect(sum(counts.whyUnknown)).to.equal(counts.unknown)
        },
      ),
    )
  })

  const of = (counts: PeopleCounts) => {
    const { why, whyUnknown, ...classes } = counts
    return { ...Object.fromEntries(Object.entries(classes).filter(([, people]) => people > 0)), why, whyUnknown }
  }

  it('are not those of the best channel: what one has missed another may have', async () => {
    const people: Person[] = [
      { telegram: { state: 'sent' }, sms: { state: 'failed', reason: 'invalid' } },
      { telegram: { state: 'failed', reason: 'blocked' }, sms: { state: 'delivered' } },
      { telegram: { state: 'no-contact' }, sms: { state: 'sent' } },
      { telegram: { state: 'failed', reason: 'blocked' }, sms: { state: 'failed', reason: 'undelivered' } },
      { telegram: { state: 'failed', reason: 'blocked' }, sms: { state: 'unknown', reason: 'no-answer' } },
      { telegram: { state: 'no-contact' }, sms: { state: 'no-contact' } },
    ]
    expect(of(await count(people, ['telegram', 'sms']))).to.deep.equal({
      delivered: 1,
      sentToChat: 1,
      handedOver: 1,
      unknown: 1,
      notDelivered: 1,
      withoutContact: 1,
      why: { undelivered: 1 },
      whyUnknown: { 'no-answer': 1 },
    })
  })

  it('are still to come where no channel has begun', async () => {
    expect(of(await count([{}, {}], []))).to.deep.equal({ pending: 2, why: {}, whyUnknown: {} })
  })

  it('of one channel are those of its counters; bytes are read for why somebody was missed, and for who was told by voice', async () => {
    const sent: Person = { sms: { state: 'sent' } }
    const failed: Person = { sms: { state: 'failed', reason: 'invalid' } }
    const hash = await write([sent, { sms: { state: 'delivered' } }, {}, { sms: { state: 'no-contact' } }], ['sms'])
    await redis.del(keys.receipts(ref, 'sms'))
    const counting = createCountPeople(redis)
    const { people } = await counting({ ref, hash })
    expect(of(people)).to.deep.equal({
      delivered: 1,
      handedOver: 1,
      pending: 1,
      withoutContact: 1,
      why: {},
      whyUnknown: {},
    })
    expect(of(await count([sent, failed], ['sms']))).to.deep.include({ notDelivered: 1, why: { invalid: 1 } })
    const told = { ...(await write([sent, {}], ['sms'])), 'by-voice': '1 1' }
    await redis.hset(keys.byVoice(ref), '1', '1700000000000 dean')
    expect(of((await counting({ ref, hash: told })).people)).to.deep.include({ handedOver: 1, pending: 1 })
    const settled = await write([sent, { sms: { state: 'no-contact' } }], ['sms'])
    const { people: those } = await counting({ ref, hash: { ...settled, 'by-voice': '1 1' } })
    expect(of(those)).to.deep.include({ handedOver: 1, toldByVoice: 1 })
    await redis.del(keys.byVoice(ref))
  })

  it('of many are read again when a counter has moved, and while they run once a second for whoever wants no more', async () => {
    const people: Person[] = Array.from({ length: 20_000 }, () => ({
      sms: { state: 'sent' },
      vk: { state: 'no-contact' },
    }))
    let nowMs = 0
    const counting = createCountPeople(redis, { now: () => nowMs })
    const countPeople = async (...of: Parameters<typeof counting>) => (await counting(...of)).people
    const hash = await write(people, ['sms', 'vk'])
    const before = await countPeople({ ref, hash })
    expect(before.handedOver).to.equal(20_000)
    await redis.setrange(keys.receipts(ref, 'sms'), 7, 'd')
    const moved = { ...hash, 'sms:s': '19999', 'sms:d': '1' }
    nowMs = 999
    expect((await countPeople({ ref, hash: moved }, { recent: true })).delivered).to.equal(0)
    expect((await countPeople({ ref, hash: { ...moved, state: 'settled' } }, { recent: true })).delivered).to.equal(1)
    await redis.setrange(keys.receipts(ref, 'sms'), 8, 'd')
    const again = { ...hash, 'sms:s': '19998', 'sms:d': '2' }
    nowMs += 999
    expect((await countPeople({ ref, hash: again }, { recent: true })).delivered).to.equal(1)
    nowMs += 1
    expect((await countPeople({ ref, hash: again }, { recent: true })).delivered).to.equal(2)
    await redis.setrange(keys.receipts(ref, 'sms'), 9, 'd')
    expect((await countPeople({ ref, hash: { ...again, 'sms:d': '3' } })).delivered).to.equal(3)
  })
})
