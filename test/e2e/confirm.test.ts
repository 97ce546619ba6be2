/** People confirm by a button that they have read a message; who has, and who has not, is known at once. */
import type { HistoryView, ReceiptsPage } from '@courier-fleet/api-types'
import { until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import { type Fleet, startFleet } from './fleet.ts'
import { type Inbound, startInbound } from './inbound.ts'
import { telegramPhone } from './telegram-phone.ts'

const students = [
  { id: 'reader', name: 'Читатель', language: 'ru', address: '72000001' },
  { id: 'visitor', name: 'Visitor', language: 'en', address: '72000002' },
  { id: 'silent', name: 'Молчун', language: 'ru', address: '72000003' },
] as const

describe('a message that people confirm by a button', () => {
  let fleet: Fleet
  let bot: Inbound
  let key: string

  const phoneOf = ({ address }: { address: string }) => telegramPhone(fleet.sandbox, address)
  const history = () => fleet.api.get<HistoryView>(`/v1/histories/${key}`)
  const sent = (phone: (typeof students)[number]) => phoneOf(phone).sees('Экзамен в понедельник')
  const [reader, visitor, silent] = students

  before(async () => {
    fleet = await startFleet({ couriers: { telegram: 1 } })
    bot = await startInbound(fleet, 'bot')
    for (const { id, name, language, address } of students) {
      await fleet.api.call('PUT', `/v1/people/${id}`, { name, role: 'student', language, timeZone: 'Europe/Moscow' })
      await fleet.api.call('PUT', `/v1/contacts/telegram/${id}`, { address })
    }
    // Telegram tells the language of whoever presses
    await fleet.sandbox.phones([{ channel: 'telegram', address: visitor.address, state: 'ok', language: 'en' }])
    const to = students.map(({ id }) => `user:${id}`)
    const text = `${'Билеты. '.repeat(700)}Экзамен в понедельник`
    const { body } = await fleet.api.call<{ key: string }>('POST', '/v1/messages', { to, text, confirm: true })
    key = body.key
  })
  after(async () => {
    await bot.stop()
    await fleet.stop()
  })

  it('asks each in their language, once, under the last part of a long text', async () => {
    for (const [student, label] of [
      [reader, 'Прочитано'],
      [visitor, 'I have read this'],
      [silent, 'Прочитано'],
    ] as const) {
      expect((await sent(student)).buttons).to.deep.equal([[label]])
      const others = (await phoneOf(student).messages()).filter(({ text }) => !text.includes('Экзамен'))
      expect(others).to.have.length(1)
      expect(others[0]?.buttons).to.equal(undefined)
    }
    expect((await history()).confirmed).to.deep.equal({ yes: 0, no: 3, of: 3 })
  })

  it('notes a press, says when, and takes the button away; pressed again it stays the first', async () => {
    const phone = phoneOf(reader)
    const before = await sent(reader)
    await phone.press('Прочитано')
    await phone.isTold(/^Отмечено: .*\d:\d\d/)
    await until(async () => (await sent(reader)).buttons === undefined, 'the button is gone')
    expect((await sent(reader)).text).to.equal(before.text)
    const first = (await history()).confirmed
    expect(first).to.deep.equal({ yes: 1, no: 2, of: 3 })
    expect((await history()).channels.telegram).to.include({ confirmed: 1 })

    const { receipts } = await fleet.api.get<ReceiptsPage>(`/v1/histories/${key}/receipts?confirmed=no`)
    expect(receipts.map(({ person }) => person)).to.deep.equal(['silent', 'visitor'])
  })

  it('takes no forged button', async () => {
    const shown = await sent(silent)
    const forged = ['confirm:', 'confirm:x', `confirm:00.${'0'.repeat(16)}.0.${'A'.repeat(11)}`]
    for (const data of forged) {
      await phoneOf(silent).forge(shown.id, data)
      await phoneOf(silent).isTold('устарела')
    }
    expect((await history()).confirmed).to.deep.equal({ yes: 1, no: 2, of: 3 })
    expect((await sent(silent)).buttons, 'the right one stays').to.deep.equal([['Прочитано']])
  })

  it('asks to press again while the service is away, and notes that', async () => {
    await sent(visitor)
    await fleet.kill('queue')
    const phone = phoneOf(visitor)
    await phone.press('I have read this')
    await phone.isTold('Press again')
    expect((await sent(visitor)).buttons).to.deep.equal([['I have read this']])
    await fleet.start('queue')
    await phone.press('I have read this')
    await phone.isTold('Noted')
    expect((await history()).confirmed).to.deep.equal({ yes: 2, no: 1, of: 3 })
  })

  it('is remembered, in one call, to those alone who have not', async () => {
    const to = [...students.map(({ id }) => `user:${id}`), `unconfirmed:${key}`]
    await fleet.api.call('POST', '/v1/messages', { to, text: 'Отметьте, пожалуйста' })
    await phoneOf(silent).sees('Отметьте')
    const rows = await fleet.sandbox.accepted('Отметьте, пожалуйста')
    expect(rows.map(({ address }) => address)).to.deep.equal([silent.address])
  })

  it('asks anew when the text is corrected, also whoever had confirmed the older one', async () => {
    const to = students.map(({ id }) => `user:${id}`)
    const message = { to, text: 'Зачёт в среду', confirm: true as const, channels: ['telegram'] }
    const corrected = (await fleet.api.deliver(message)).history.key
    await phoneOf(reader).press('Прочитано')
    const confirmed = async () => (await fleet.api.history(corrected)).confirmed?.yes
    await until(async () => (await confirmed()) === 1, 'it is noted')
    await until(async () => (await phoneOf(reader).sees('Зачёт в среду')).buttons === undefined, 'the button is gone')
    await fleet.api.call('POST', `/v1/histories/${corrected}/corrections`, { text: 'Зачёт в четверг' })
    expect((await phoneOf(reader).sees('Зачёт в четверг')).buttons).to.deep.equal([['Прочитано']])
    expect(await confirmed()).to.equal(0)
    await phoneOf(reader).press('Прочитано')
    await until(async () => (await confirmed()) === 1, 'it is noted again')
    const { versions } = (await fleet.api.track(corrected)).history
    expect(versions?.map(({ confirmed: count }) => count)).to.deep.equal([1, 1])
  })
})
