import type { Acceptance, SessionView } from '@courier-fleet/api-types'
import { until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import { connectApi } from './api.ts'
import { type Fleet, startFleet } from './fleet.ts'
import { addressesIn, goodContacts, membersOf, type Student } from './roster.ts'

/** owns ivt-101; has Telegram and a telephone */
const teacher = membersOf('trainers').find(({ id }) => id === 't-01') as Student

describe('a teacher in a browser', () => {
  let fleet: Fleet
  before(async () => {
    fleet = await startFleet()
  })
  after(() => fleet.stop())

  const post = (path: string, body: object, headers: Record<string, string> = {}) =>
    fetch(`${fleet.apiUrl}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })

  it('signs in by a code on their own phones alone, and sends; who said STOP is spared, and named', async () => {
    const asked = await post('/v1/sign-ins', { person: teacher.id })
    expect(asked.status).to.equal(202)
    // the code belongs to this browser
    const cookie = asked.headers.get('set-cookie')?.split(';')[0] ?? ''
    const phones = Object.values(teacher.contacts)
    const rows = await until(async () => {
      const accepted = await fleet.sandbox.accepted()
      return accepted.length >= phones.length && accepted
    }, 'the code is on every phone')
    expect(rows.map(({ address }) => address)).to.have.members(phones)
    const code = /\d{8}/.exec(rows[0]?.text ?? '')?.[0]
    expect(rows.every(({ text }) => text.includes(code as string))).to.equal(true)

    const opened = await post('/v1/sessions', { person: teacher.id, code }, { cookie })
    expect(opened.status).to.equal(201)
    const { csrfToken } = (await opened.json()) as SessionView
    const browser = {
      cookie: opened.headers.get('set-cookie')?.split(';')[0] ?? '',
      'x-csrf-token': csrfToken as string,
    }

    const members = membersOf('ivt-101')
    const stopped = members.find(({ contacts }) => contacts.sms) as Student
    const { apiKey } = await fleet.api
      .call<{ apiKey: string }>('POST', '/v1/api-keys', { owner: 'sms-inbound', role: 'inbound', label: 'test' })
      .then(({ body }) => body)
    const stop = { channel: 'sms', address: stopped.contacts.sms, allowed: false }
    expect((await connectApi(fleet.apiUrl, apiKey).call('POST', '/v1/consents', stop)).status).to.equal(200)

    const text = 'Пары не будет'
    const sent = await post('/v1/messages', { to: ['group:ivt-101'], text, channels: ['sms'] }, browser)
    expect([sent.status, sent.headers.get('quota-left')]).to.deep.equal([201, '3'])
    const { key } = (await sent.json()) as Acceptance
    const report = await fleet.api.track(key, 60)
    expect([report.settled, report.history.source, report.history.sender]).to.deep.equal([true, 'web', teacher.id])
    expect(report.history.channels.sms?.suppressed).to.equal(1)
    const receipt = (await fleet.api.receipts(key)).find(({ person }) => person === stopped.id)
    expect(receipt?.channels.sms).to.include({ state: 'suppressed', reason: 'opted-out' })
    const others = members.filter(({ id }) => id !== stopped.id)
    expect(addressesIn(await fleet.sandbox.accepted(text))).to.deep.equal(goodContacts(others, ['sms']))
  })
})

describe('sign-in codes in a fleet of which one channel is real', () => {
  let fleet: Fleet
  before(async () => {
    // the stand-in of the SMS centre plays the real one
    fleet = await startFleet({ settings: ({ channel }) => (channel === 'sms' ? { SMS_TARGET: 'real' } : {}) })
  })
  after(() => fleet.stop())

  it('never go to the sandbox, where anybody reads them, also while nobody works on the real channel', async () => {
    const ask = () =>
      fetch(`${fleet.apiUrl}/v1/sign-ins`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ person: teacher.id }),
      })
    await fleet.kill('courier-sms-1')
    expect((await ask()).status).to.equal(202)
    // sent after it, and on every channel: what stands in front of it on its way has passed
    const { history } = await fleet.api.deliver({ to: [`user:${teacher.id}`], text: 'Следом', channels: ['telegram'] })
    expect(history.channels.telegram?.sent).to.equal(1)
    expect((await fleet.sandbox.accepted()).map(({ text }) => text)).to.deep.equal(['Следом'])

    await fleet.start('courier-sms-1')
    const codes = async () => (await fleet.sandbox.accepted()).filter(({ text }) => /\d{8}/.test(text))
    await until(async () => (await codes()).length > 0, 'the code arrives')
    expect((await codes()).map(({ channel, address }) => [channel, address])).to.deep.equal([
      ['sms', teacher.contacts.sms],
    ])
  })
})
