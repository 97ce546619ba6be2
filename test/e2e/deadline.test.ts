/** A type with a deadline, and a provider that takes so many a second: who was told in time, who late, and what is said of it. */
import type { StatsView } from '@courier-fleet/api-types'
import { outcomeWords } from '@courier-fleet/words'
import { expect } from 'chai'
import { type Fleet, startFleet } from './fleet.ts'

const perSecond = 10

describe('a deadline', () => {
  let fleet: Fleet
  before(async () => {
    fleet = await startFleet({ couriers: { sms: 1 }, settings: () => ({ SMS_PER_SECOND: String(perSecond) }) })
  })
  after(() => fleet.stop())

  const type = (deadline: string) => ({ name: { ru: 'Тревога', en: 'Alert' }, deadline })
  const told = ({ inTime = 0, late = 0 } = {}) => inTime + late

  it('is kept as far as the rate allows: each person counts once, and the statistics say the same', async () => {
    await fleet.api.call('PUT', '/v1/types/alert', type('PT1S'))
    const message = { to: ['group:ivt-101', 'group:ivt-102', 'group:ekn-101'], text: 'Тревога', type: 'alert' }
    const { history } = await fleet.api.deliver({ ...message, channels: ['sms'] })
    const { sent = 0, delivered = 0 } = history.channels.sms ?? {}
    expect(sent + delivered, 'more than go out in time').to.be.greaterThan(perSecond + 2)
    expect(history.deadline?.within).to.equal('PT1S')
    expect(told(history.deadline)).to.equal(sent + delivered)
    // one at once, and one more each tenth of a second
    expect(history.deadline?.inTime).to.be.at.most(perSecond + 1)
    expect(outcomeWords('en', history).sentence).to.match(
      /In time \(1 second\): \d+ of the \d+ it was sent to, [\d.]+ %\.$/,
    )
    const { deadlines } = await fleet.api.get<StatsView>('/v1/stats?by=type,channel')
    const { within: _within, ...counts } = history.deadline ?? { within: '' }
    expect(deadlines).to.deep.equal([{ type: 'alert', channel: 'sms', ...counts }])
  })

  it('is that of the type when the message was accepted', async () => {
    await fleet.api.call('PUT', '/v1/types/alert', type('PT1H'))
    const { history } = await fleet.api.deliver({
      to: ['group:ivt-101'],
      text: 'Отбой',
      type: 'alert',
      channels: ['sms'],
    })
    await fleet.api.call('PUT', '/v1/types/alert', type('PT2H'))
    const after = await fleet.api.history(history.key)
    expect(after.deadline).to.deep.equal({ within: 'PT1H', inTime: told(history.deadline), late: 0 })
    const plain = await fleet.api.deliver({ to: ['group:ivt-101'], text: 'Без срока', channels: ['sms'] })
    expect(plain.history.deadline).to.equal(undefined)
  })
})
