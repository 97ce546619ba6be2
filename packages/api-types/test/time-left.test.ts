import { expect } from 'chai'
import { type ChannelLedger, createTimeLeft } from '../src/index.ts'

const pending = (count: number) => ({ pending: count }) as ChannelLedger

describe('how long a message still takes', () => {
  let now = 0
  const watch = () => {
    now = 0
    return createTimeLeft(() => now)
  }

  it('is said once the rate is known, until the slowest channel is done', () => {
    const left = watch()
    left.seen({ channels: { sms: pending(100), vk: pending(40) } })
    expect(left.left(), 'of one look').to.equal(undefined)
    now = 4000
    left.seen({ channels: { sms: pending(80), vk: pending(10) } })
    expect(left.left()).to.equal(16_000)
    now = 5000
    expect(left.left(), 'a second later').to.equal(15_000)
  })

  it('is not said while a channel stands still, nothing has come for a while, or somebody waits for a time', () => {
    const left = watch()
    left.seen({ channels: { sms: pending(100), vk: pending(40) } })
    now = 3000
    left.seen({ channels: { sms: pending(80), vk: pending(40) } })
    expect(left.left(), 'one stands still').to.equal(undefined)
    now = 4000
    left.seen({ channels: { sms: pending(80), vk: pending(39) } })
    expect(left.left()).to.be.a('number')
    now = 9000
    expect(left.left(), 'nothing has come').to.equal(undefined)
    const waiting = [{ channel: 'sms' }] as never
    left.seen({ channels: { sms: pending(60), vk: pending(20) }, waiting })
    expect(left.left(), 'somebody waits').to.equal(undefined)
  })
})
