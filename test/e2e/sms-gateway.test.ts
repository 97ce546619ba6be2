import { expect } from 'chai'
import { freePort } from '../../scripts/free-port.mjs'
import { left } from './api.ts'
import { type Fleet, startFleet } from './fleet.ts'
import { addressesIn, goodContacts, membersOf } from './roster.ts'

const group = membersOf('ivt-101')
const message = { to: ['group:ivt-101'], channels: ['sms'] }

describe('SMS through an HTTP gateway of the shape of Kannel', () => {
  let fleet: Fleet

  before(async () => {
    const port = String(await freePort())
    fleet = await startFleet({
      couriers: { telegram: 0, vk: 0, sms: 2 },
      settings: ({ endpoints: { sms } }) => {
        const url = new URL(sms.sendsmsUrl)
        url.username = sms.systemId
        url.password = sms.password
        return {
          SMS_SMPP_URL: undefined,
          SMS_HTTP_URL: url.href,
          SMS_HTTP_CALLBACK_URL: `http://127.0.0.1:${port}`,
          SMS_HTTP_CALLBACK_PORT: port,
          SMS_SENDER: '1234',
        }
      },
    })
  })
  after(() => fleet.stop())

  it('delivers, and knows it from the delivery reports', async () => {
    const text = 'Через шлюз: привет & пока + 100 %'
    const { history, ending } = await fleet.api.deliver({ ...message, text })
    expect(ending).to.be.oneOf(['everyone', 'handed-over'])
    const expected = goodContacts(group, ['sms'])
    expect(addressesIn(await fleet.sandbox.accepted(text))).to.deep.equal(expected)
    await left(fleet.api, history.key, 'sms', ['sent'])
    expect((await fleet.api.history(history.key)).channels.sms).to.include({ delivered: expected.length, sent: 0 })
    expect((await fleet.api.recount(history.key)).balanced).to.equal(true)
  })

  it('tells from a report that it failed', async () => {
    await fleet.sandbox.fault({ channel: 'sms', kind: 'reports', mode: 'failed', count: 1 })
    const { history } = await fleet.api.deliver({ to: ['user:t-01'], channels: ['sms'], text: 'не дошло' })
    const [row] = await left(fleet.api, history.key, 'sms', ['sent'])
    expect(row?.channels.sms?.state).to.equal('failed')
    expect(row?.channels.sms?.reason).to.equal('undelivered')
    expect(row?.channels.sms?.detail).to.match(/stat:UNDELIV/)
  })

  it('takes reports whichever process is there to take them', async () => {
    const people = goodContacts(group, ['sms']).length
    for (const number of [1, 2]) {
      await fleet.kill(`courier-sms-${number}`)
      const { history } = await fleet.api.deliver({ ...message, text: `без процесса ${number}` })
      await left(fleet.api, history.key, 'sms', ['sent'])
      expect((await fleet.api.history(history.key)).channels.sms?.delivered).to.equal(people)
      await fleet.start(`courier-sms-${number}`)
    }
  })

  it('says unknown when the answer is lost, until a report tells better: the message bears its own id', async () => {
    const teacher = (state: 'ok' | 'off') => fleet.sandbox.phones([{ channel: 'sms', address: '+79001007807', state }])
    const deliver = (text: string) => fleet.api.deliver({ to: ['user:t-01'], channels: ['sms'], text })
    await fleet.sandbox.fault({ channel: 'sms', kind: 'reply-lost', count: 2 })
    await fleet.sandbox.fault({ channel: 'sms', kind: 'reports', mode: 'none', count: 1 })
    const silent = await deliver('без всего')
    // nothing is reported before it is on again
    await teacher('off')
    const reported = await deliver('без ответа')
    for (const { history } of [reported, silent]) expect(history.channels.sms?.unknown).to.equal(1)
    await teacher('ok')

    const [row] = await left(fleet.api, reported.history.key, 'sms', ['unknown'])
    expect(row?.channels.sms).to.include({ state: 'delivered' }).and.not.have.any.keys('reason', 'detail')
    const [other] = await fleet.api.receipts(silent.history.key)
    const detail = 'the connection was lost before the answer came'
    expect(other?.channels.sms).to.include({ state: 'unknown', reason: 'no-answer', detail })
    for (const { history } of [reported, silent]) {
      expect(await fleet.sandbox.accepted(history.text)).to.have.length(1)
      expect((await fleet.api.recount(history.key)).balanced).to.equal(true)
    }
  })
})
