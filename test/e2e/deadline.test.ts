/** A type with a deadline, and a provider that takes so many a second: who was told in time, who late, and what is said of it. */
import type { ChannelList, ServiceView, StatsView } from '@courier-fleet/api-types'
import { until } from '@courier-fleet/testkit'
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

  it('cannot be kept: operators are told, urgent is sent all the same, and bulk is seen to wait', async () => {
    await fleet.api.call('PUT', '/v1/types/alert', type('PT1S'))
    await fleet.api.call('PUT', '/v1/types/fire', { ...type('PT10M'), name: { ru: 'Пожар', en: 'Fire' } })
    const bulk = { to: ['cohort:all-students'], text: 'Всем', type: 'alert', channels: ['sms'], class: 'bulk' as const }
    const keys = await Promise.all([1, 2, 3, 4].map((which) => fleet.api.send({ ...bulk, text: `Всем ${which}` })))
    const alarms = async () => (await fleet.api.get<ServiceView>('/v1/service')).alarms.map(({ alarm }) => alarm)
    await until(async () => (await alarms()).includes('behind:sms:alert'), 'operators are told')
    const urgent = { to: ['group:ivt-102'], text: 'Пожар', type: 'fire', channels: ['sms'], class: 'urgent' as const }
    const { history } = await fleet.api.deliver(urgent)
    const { channels } = await fleet.api.get<ChannelList>('/v1/channels')
    const waits = channels.find(({ channel }) => channel === 'sms')?.classes.find((each) => each.class === 'bulk')
    expect([history.deadline?.late, waits?.share === undefined]).to.deep.equal([0, false])
    // at the rate, as far as nobody else waits
    expect(waits?.takesMs).to.be.at.least(((waits?.waiting ?? 0) / perSecond) * 1000)
    expect(waits?.waiting, 'all urgent are through, and bulk still waits').to.be.greaterThan(0)
    expect(await alarms(), 'what is urgent is in time').not.to.include('behind:sms:fire')
    await Promise.all(keys.map((key) => fleet.api.call('DELETE', `/v1/histories/${key}`)))
    await until(async () => !(await alarms()).includes('behind:sms:alert'), 'operators are told that it is over')
  })
})
