import { expect } from 'chai'
import { readStatField } from '../src/stats/fields.ts'

describe('the fields of statistics', () => {
  it('say what was counted', () => {
    const receipts = { of: 'receipts', type: 'news', channel: 'vk' }
    expect(readStatField('news:vk:0')).to.deep.equal({ ...receipts, state: 'pending', did: 'come' })
    expect(readStatField('news:vk:f:B')).to.deep.equal({ ...receipts, state: 'failed', did: 'come', reason: 'blocked' })
    expect(readStatField('news:vk:-s')).to.deep.equal({ ...receipts, state: 'sent', did: 'leave' })
    const messages = { of: 'messages', type: 'news', what: 'cancelled' }
    expect(readStatField('news::cancelled')).to.deep.equal({ ...messages, counts: 'messages' })
    expect(readStatField('news::cancelled-to')).to.deep.equal({ ...messages, counts: 'people' })
    expect(readStatField('news:vk:late')).to.deep.equal({ of: 'deadline', type: 'news', channel: 'vk', was: 'late' })
    const inTime = { of: 'deadline', type: 'news', channel: 'vk', was: 'inTime' }
    expect(readStatField('news:vk:in-time')).to.deep.equal(inTime)
    expect(readStatField('::urgent:0.5')).to.deep.equal({ of: 'lateness', class: 'urgent', bound: '0.5' })
    const onVk = { of: 'lateness', channel: 'vk', class: 'urgent', bound: 'us' }
    expect(readStatField('::urgent:vk/us')).to.deep.equal(onVk)
  })

  it('of a reason that only a newer version knows, the state', () => {
    const field = { of: 'receipts', type: 'news', channel: 'vk', state: 'failed', did: 'come' }
    expect(readStatField('news:vk:f:~')).to.deep.equal(field)
  })

  it('that no script writes are refused', () => {
    expect(() => readStatField('news::lost')).to.throw(RangeError, 'news::lost')
    expect(() => readStatField('news:vk:?')).to.throw(RangeError)
  })
})
