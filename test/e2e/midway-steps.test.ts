/** That what is wrong in `npm run measure -- steps` would be seen, and that it knows Redis's order. The steps themselves are tested in steps.test.ts. */
import { type FreshRedis, freshRedis } from '@courier-fleet/testkit'
import { expect } from 'chai'
import { type Facts, judge } from './midway-steps/judge.ts'
import { followReceipts } from './receipt-order.ts'

const spared: Facts = {
  readAt: 1,
  markedAt: undefined,
  taken: 0,
  receipt: { state: 'cancelled', reason: 'reached-elsewhere' },
}
const sent: Facts = { readAt: undefined, markedAt: 2, taken: 1, receipt: { state: 'sent' } }
const readTooLate: Facts = { ...sent, readAt: 3 }
const unknown: Facts = { readAt: undefined, markedAt: 2, taken: 0, receipt: { state: 'unknown' } }

describe('the second step of a message to very many', () => {
  it('is well where it is', () => {
    const { counts, troubles } = judge([spared, sent, readTooLate, unknown, { ...unknown, taken: 1 }], 2)
    expect({ counts, troubles }).to.deep.equal({
      counts: { spared: 1, readTooLate: 1, neverRead: 1, unknown: 2 },
      troubles: [],
    })
  })
  const wrong: [what: string, facts: Facts, why: RegExp][] = [
    ['was sent an SMS though they had read it', { ...sent, readAt: 1 }, /^1 were sent an SMS though it was known/],
    ['was sent it twice', { ...sent, taken: 2 }, /^1 were sent it twice$/],
    ['was sent nothing', { ...sent, taken: 0 }, /^1 had not read it, and were sent nothing\nof 1 the history says/],
    ['was spared, and sent it', { ...spared, taken: 1 }, /^of 1 the history says what is not so$/],
    ['was spared without having read it', { ...spared, readAt: undefined }, /^of 1 the history says what is not so$/],
    ['is pending', { ...spared, receipt: { state: 'pending' } }, /^1 had not read it, and were sent nothing$/],
    ['is unknown', unknown, /^1 are unknown, and 0 may be$/],
  ]
  for (const [what, facts, why] of wrong)
    it(`it is seen where somebody ${what}`, () => {
      expect(judge([facts], 0).troubles.join('\n')).to.match(why)
    })

  let own: FreshRedis
  before(async () => {
    own = await freshRedis()
  })
  after(() => own.stop())

  it('what came first to whom is what Redis wrote first, also within a script', async () => {
    const { redis } = own
    const order = await followReceipts(own, 3)
    await redis.eval("redis.call('SETRANGE', KEYS[1], 1, 'a\\0')", 1, 'receipts:{07}:x:sms')
    await redis.setrange('receipts:{07}:x:vk', 1, 'r')
    await redis.setrange('receipts:{07}:x:sms', 0, 'aaa')
    await redis.hset('history:{07}:x', 'version', 2)
    await redis.hset('history:{07}:x', 'version', 3)
    // a time: behind the states
    await redis.setrange('receipts:{07}:x:sms', 3, 'sss')
    await order.catchUp()
    order.stop()
    const sms = [0, 1, 2].map((ordinal) => order.first('receipts:{07}:x:sms', ordinal, 'a'))
    expect(sms).to.deep.equal([3, 1, 3])
    expect(order.first('receipts:{07}:x:vk', 1, 'r')).to.equal(2)
    expect(order.first('receipts:{07}:x:vk', 0, 'r')).to.equal(undefined)
    expect(order.first('receipts:{07}:x:sms', 3, 's')).to.equal(undefined)
    expect([order.corrected('history:{07}:x'), order.corrected('history:{07}:y')]).to.deep.equal([3, undefined])
  })
})
