import type { ChannelLedger } from '@courier-fleet/api-types'
import { until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import { type Fleet, startFleet } from './fleet.ts'

/** the dean's office: each of them has a phone and a mailbox */
const to = ['user:d-01', 'user:d-02', 'user:d-03']
const mailboxes = ['d-01', 'd-02', 'd-03'].map((id) => `${id}@deans-office.example`)

describe('mail', () => {
  let fleet: Fleet

  before(async () => {
    fleet = await startFleet({ couriers: { telegram: 0, vk: 0, sms: 1, mail: 2 } })
  })
  after(() => fleet.stop())

  const arrived = async (text: string) =>
    (await fleet.sandbox.accepted(text, 'mail')).map(({ address }) => address).sort()

  const ledger = (key: string, isSo: (ledger: ChannelLedger) => boolean, what: string) =>
    until(async () => {
      const { mail } = (await fleet.api.history(key)).channels
      return mail !== undefined && isSo(mail)
    }, what)

  it('brings a message beside the other channels, to everyone once', async () => {
    const text = 'Совещание в 15:00\n\nПовестка: {расписание} & <b>практика</b>.'
    const { history, ending } = await fleet.api.deliver({ to, text })
    expect(ending).to.be.oneOf(['everyone', 'handed-over'])
    expect(history.channels.mail).to.include({ accepted: 3, sent: 3 })
    expect(await arrived(text)).to.deep.equal(mailboxes)
    expect(await fleet.sandbox.accepted(text, 'sms')).to.have.length.above(0)
    expect((await fleet.api.recount(history.key)).balanced).to.equal(true)
  })

  it('offers to end messages of its type with one click, and keeps to it: in mail alone, and of that type alone', async () => {
    for (const [type, optOut] of [
      ['news', 'allowed'],
      ['rector', 'mandatory'],
    ])
      await fleet.api.call('PUT', `/v1/types/${type}`, { name: { ru: type, en: type }, optOut })
    const [mailbox = ''] = mailboxes
    const offerOf = async (text: string) =>
      (await fleet.sandbox.accepted(text, 'mail')).find(({ address }) => address === mailbox)
    const mailOf = async (key: string) => (await fleet.api.receipts(key))[0]?.channels
    await fleet.api.deliver({ to, text: 'Новости', type: 'news' })
    const { unsubscribe = '' } = (await offerOf('Новости')) ?? {}
    const { origin, pathname } = new URL(unsubscribe)
    expect(origin).to.equal('https://fleet.example')
    const here = `${fleet.apiUrl}${pathname}`

    for (const method of ['GET', 'HEAD']) expect((await fetch(here, { method })).status).to.equal(200)
    const stillComes = await fleet.api.deliver({ to, text: 'Ещё новости', type: 'news' })
    expect(stillComes.history.channels.mail).to.include({ sent: 3 })
    const clicked = await fetch(here, {
      method: 'POST',
      body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }),
    })
    expect([clicked.status, clicked.redirected, clicked.headers.get('set-cookie')]).to.deep.equal([200, false, null])

    const { history } = await fleet.api.deliver({ to, text: 'Новости без почты', type: 'news' })
    expect(history.channels.mail).to.include({ sent: 2, suppressed: 1 })
    expect(await mailOf(history.key)).to.deep.include.keys('mail', 'sms')
    expect((await mailOf(history.key))?.mail).to.include({ state: 'suppressed', reason: 'type-off' })
    expect((await mailOf(history.key))?.sms?.state).to.be.oneOf(['sent', 'delivered'])
    expect(await arrived('Новости без почты')).to.deep.equal(mailboxes.slice(1))
    for (const [text, type] of [
      ['От ректора', 'rector'],
      ['Без вида', 'general'],
    ] as const) {
      await fleet.api.deliver({ to, text, type })
      expect(await arrived(text), text).to.deep.equal(mailboxes)
    }
    expect(await offerOf('От ректора'), 'what is mandatory offers nothing').to.not.have.property('unsubscribe')
    expect(await offerOf('Без вида')).to.have.property('unsubscribe')
  })

  it('asks by a link to confirm a message: the button of its page does, and opening it does not', async () => {
    const text = 'Прочитайте приказ'
    const { history } = await fleet.api.deliver({ to, text, channels: ['mail', 'sms'], confirm: true })
    const [mail] = (await fleet.sandbox.accepted(undefined, 'mail')).filter(
      (row) => row.text.startsWith(text) && row.address === mailboxes[0],
    )
    const [, path = ''] = /: https:\/\/fleet\.example(\/c\/\S+)$/.exec(mail?.text ?? '') ?? []
    const [sms] = (await fleet.sandbox.accepted(undefined, 'sms')).filter((row) => row.text.startsWith(text))
    expect(sms?.text).to.match(/^Прочитайте приказ\nПрочитано: ответьте ДА \d\d$/)
    expect((await fetch(fleet.apiUrl + path)).status).to.equal(200)
    expect((await fleet.api.history(history.key)).confirmed).to.include({ yes: 0 })
    const body = new URLSearchParams({ confirm: 'yes' })
    expect((await fetch(fleet.apiUrl + path, { method: 'POST', body })).status).to.equal(200)
    const after = await fleet.api.history(history.key)
    expect(after.confirmed).to.include({ yes: 1 })
    expect(after.channels.mail).to.include({ confirmed: 1 })
  })

  it('does not know what became of a message whose answer was lost, and never sends it again', async () => {
    const text = 'без ответа'
    const [lost = ''] = mailboxes
    await fleet.sandbox.fault({ channel: 'mail', kind: 'reply-lost', addresses: [lost], count: 1 })
    const { history } = await fleet.api.deliver({ to, text, channels: ['mail'] })
    expect(history.channels.mail).to.include({ sent: 2, unknown: 1 })
    await fleet.kill('courier-mail-1')
    await fleet.kill('courier-mail-2')
    await fleet.start('courier-mail-1', 'courier-mail-2')
    await fleet.api.deliver({ to, text: 'и дальше', channels: ['mail'] })
    expect(await arrived(text)).to.deep.equal(mailboxes)
  })

  it('tells from a bounce that what was sent came back, whichever process is there to take it', async () => {
    const [returned = ''] = mailboxes
    for (const gone of ['courier-mail-1', 'courier-mail-2']) {
      await fleet.kill(gone)
      await fleet.sandbox.fault({ channel: 'mail', kind: 'reports', mode: 'late', addresses: [returned], count: 1 })
      const { history } = await fleet.api.deliver({ to, text: `без ${gone}`, channels: ['mail'] })
      // the first of them may have come back by now
      const { sent = 0, failed = 0 } = history.channels.mail ?? {}
      expect(sent + failed).to.equal(3)
      await ledger(history.key, ({ sent, failed }) => sent === 2 && failed === 1, 'the bounce is known')
      const [row] = await fleet.api.receipts(history.key)
      const detail = '5.2.2: 552 5.2.2 the mailbox is full'
      expect(row?.channels.mail).to.deep.include({ state: 'failed', reason: 'undelivered', detail })
      await fleet.start(gone)
    }
  })

  it('waits until greylisting is over, and not for others', async () => {
    const [greylisted = ''] = mailboxes
    await fleet.sandbox.fault({ channel: 'mail', kind: 'throttle', addresses: [greylisted], count: 1 })
    const key = await fleet.api.send({ to, text: 'позже', channels: ['mail'] })
    await ledger(key, ({ sent, pending }) => sent === 2 && pending === 1, 'the others have it')
    await fleet.api.call('DELETE', `/v1/histories/${key}`)
  })

  it('marks a mailbox that does not exist', async () => {
    const [gone = ''] = mailboxes
    await fleet.sandbox.phones([{ channel: 'mail', address: gone, state: 'unknown' }])
    const { history } = await fleet.api.deliver({ to, text: 'нет ящика', channels: ['mail'] })
    expect(history.channels.mail).to.include({ sent: 2, failed: 1 })
    const [row] = await fleet.api.receipts(history.key)
    expect(row?.channels.mail).to.include({ state: 'failed', reason: 'invalid', detail: '550 5.1.1 no such user' })
    const { contacts } = await fleet.api.get<{ contacts: Record<string, { state: string }> }>('/v1/people/d-01')
    expect(contacts.mail?.state).to.equal('invalid')
  })
})
