/** Who has read, where a provider names the newest message that was: whatever is told first, and whoever ends in between. */
import { type HistoryRef, receiptBytes, reportsComeMs } from '@courier-fleet/api-types'
import {
  applyReports,
  bucketOfProviderId,
  createUnread,
  defineScript,
  fixBuckets,
  keys,
  listReply,
  tagOfBucket,
  textReply,
  type Unread,
} from '@courier-fleet/store'
import { expect } from 'chai'
import { type ClaimFixture, createClaimFixture, statesOf } from './claim-fixture.ts'

const takeScript = defineScript('take-read', {
  keys: ['first'],
  args: ['keptMs', 'tag', 'channel'],
  reply: listReply(listReply(textReply)),
})

describe('what was read', () => {
  let fixture: ClaimFixture
  let unread: Unread
  before(async () => {
    fixture = await createClaimFixture()
  })
  after(() => fixture.stop())
  beforeEach(async () => {
    await fixture.redis.flushdb()
    unread = createUnread({ redis: fixture.redis, channel: 'vk' })
  })
  afterEach(() => fixBuckets(16))

  const sentTo = async (id: string, people: number): Promise<HistoryRef> => {
    const ref = fixture.ref(`message-${id}`)
    await fixture.redis.hset(keys.history(ref), 'state', 'running', 'size', people, 'vk:s', people)
    await fixture.redis.set(keys.receipts(ref, 'vk'), 's'.repeat(people))
    return ref
  }
  const note = (ref: HistoryRef, address: string, providerId: number, ordinal = 0) =>
    unread.note([{ address, providerId: String(providerId), ref, leg: 'vk', ordinal }])
  const read = (address: string, upTo: number) => unread.read([{ address, providerId: String(upTo) }])
  const keyOf = (address: string) => keys.unread(bucketOfProviderId(address), 'vk', address)
  const hoursLeft = async (address: string) => Math.ceil((await fixture.redis.pttl(keyOf(address))) / 3_600_000)

  it('is all up to the message that is named, of that address alone, and an older word changes nothing', async () => {
    const refs = [await sentTo('first', 2), await sentTo('second', 2), await sentTo('third', 2)] as const
    for (const [at, ref] of refs.entries()) {
      await note(ref, '501', 10 + at, 0)
      await note(ref, '502', 20 + at, 1)
    }
    const states = async () => Promise.all(refs.map((ref) => statesOf(fixture, ref, 2)))
    expect(await read('501', 11)).to.equal(2)
    expect(await states()).to.deep.equal(['rs', 'rs', 'ss'])
    expect(await read('501', 9)).to.equal(0)
    expect(await read('501', 11), 'told again').to.equal(0)
    expect(await read('503', 99), 'nobody is known there').to.equal(0)
    expect(await states()).to.deep.equal(['rs', 'rs', 'ss'])
    expect(await read('501', 12)).to.equal(1)
    expect(await states()).to.deep.equal(['rs', 'rs', 'rs'])
  })

  it('is found by whoever notes the message after it was told, and nothing newer is', async () => {
    const early = await sentTo('early', 1)
    const late = await sentTo('late', 1)
    await read('501', 10)
    await read('501', 7)
    await note(early, '501', 10)
    await note(late, '501', 11)
    expect([await statesOf(fixture, early, 1), await statesOf(fixture, late, 1)]).to.deep.equal(['r', 's'])
  })

  it('does not take a stronger word back, and makes read of what was called refused', async () => {
    const ref = await sentTo('others', 2)
    await fixture.redis.set(keys.receipts(ref, 'vk'), 'cf')
    await note(ref, '501', 10, 0)
    await note(ref, '502', 11, 1)
    expect(await unread.read(['501', '502'].map((address) => ({ address, providerId: '11' })))).to.equal(1)
    expect(await statesOf(fixture, ref, 2)).to.equal('cr')
  })

  it('is found again when the process that took it ends before a receipt says so, or before it is cleared', async () => {
    const ref = await sentTo('ended', 2)
    await note(ref, '501', 10, 0)
    await note(ref, '501', 11, 1)
    const bucket = bucketOfProviderId('501')
    const args = { keptMs: 60_000, tag: tagOfBucket(bucket), channel: 'vk' }
    const taken = await takeScript(fixture.redis, { first: keyOf('501') }, args, ['501', '11'])
    expect(taken[0]).to.have.length(4)
    await applyReports(fixture.redis, [
      { ref, leg: 'vk', ordinal: 0, byte: receiptBytes.read, reason: 0, evidence: '' },
    ])
    expect(await statesOf(fixture, ref, 2)).to.equal('rs')
    expect(await read('501', 11), 'VK is asked for its events again').to.equal(1)
    expect(await statesOf(fixture, ref, 2)).to.equal('rr')
    expect(await fixture.redis.hgetall(keyOf('501'))).to.deep.equal({ read: '11' })
  })

  it('is kept for three days, what was told for an hour, and of one address the newest messages alone', async () => {
    const ref = await sentTo('many', 40)
    for (let ordinal = 0; ordinal < 40; ordinal += 1) await note(ref, '501', 100 - ordinal * 2, ordinal)
    expect(await hoursLeft('501')).to.equal(reportsComeMs / 3_600_000)
    expect(await fixture.redis.hlen(keyOf('501'))).to.equal(32)
    await read('501', 60)
    expect(await fixture.redis.hlen(keyOf('501')), 'those above 60, and the word').to.equal(21)
    expect(await hoursLeft('501')).to.equal(72)
    await read('501', 100)
    expect(await statesOf(fixture, ref, 40)).to.equal('r'.repeat(32) + 's'.repeat(8))
    expect(await hoursLeft('501')).to.equal(1)
    await read('777', 5)
    expect(await hoursLeft('777')).to.equal(1)
  })

  for (const buckets of [16, 256])
    it(`is told of many in one call, in ${buckets} buckets`, async () => {
      fixBuckets(buckets)
      const ref = await sentTo('everyone', 350)
      const everyone = Array.from({ length: 350 }, (_unused, ordinal) => ({
        address: String(7_000 + ordinal),
        providerId: String(1 + ordinal),
        ref,
        leg: 'vk',
        ordinal,
      }))
      const some = everyone.filter(({ ordinal }) => ordinal % 2 === 0)
      await unread.read(some)
      await unread.note(everyone)
      expect(await statesOf(fixture, ref, 350)).to.equal('rs'.repeat(175))
      expect(await unread.read(everyone)).to.equal(175)
      expect(await statesOf(fixture, ref, 350)).to.equal('r'.repeat(350))
      for (const { balanced } of await fixture.histories.recount(ref)) expect(balanced).to.equal(true)
    })
})
