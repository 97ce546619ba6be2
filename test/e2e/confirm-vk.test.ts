/** People confirm in VK, by a button under the message, that they have read it. */
import { type HistoryView, parseHistoryKey, type ReceiptsPage } from '@courier-fleet/api-types'
import { confirmPayload } from '@courier-fleet/channels/vk/confirm-payload'
import { confirmSigner } from '@courier-fleet/store'
import { type FreshRedis, freshRedis, until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import { type Fleet, startFleet } from './fleet.ts'
import { type Inbound, startInbound } from './inbound.ts'

const students = [
  { id: 'reader', name: 'Читатель', language: 'ru', address: '592000001' },
  { id: 'visitor', name: 'Visitor', language: 'en', address: '592000002' },
  { id: 'silent', name: 'Молчун', language: 'ru', address: '592000003' },
] as const
type Student = (typeof students)[number]
const [reader, visitor, silent] = students
const stranger = '592000009'

describe('a message that people confirm by a button in VK', () => {
  let redis: FreshRedis
  let fleet: Fleet
  let inbound: Inbound
  let key: string

  before(async () => {
    redis = await freshRedis()
    fleet = await startFleet({ couriers: { telegram: 0, sms: 0 }, redis: { url: redis.url, redis: () => redis.redis } })
    inbound = await startInbound(fleet, 'vk-inbound')
    for (const { id, name, language, address } of students) {
      await fleet.api.call('PUT', `/v1/people/${id}`, { name, role: 'student', language, timeZone: 'Europe/Moscow' })
      await fleet.api.call('PUT', `/v1/contacts/vk/${id}`, { address })
    }
    const to = students.map(({ id }) => `user:${id}`)
    const text = `${'Билеты. '.repeat(700)}Экзамен в понедельник`
    const { body } = await fleet.api.call<{ key: string }>('POST', '/v1/messages', { to, text, confirm: true })
    key = body.key
  })
  after(async () => {
    await inbound?.stop()
    await fleet?.stop()
    await redis?.stop()
  })

  const chat = (address: string) => fleet.sandbox.chat('vk', address)
  const sent = ({ address }: Student) =>
    until(
      async () => (await chat(address)).messages.findLast(({ text }) => text.includes('Экзамен в понедельник')),
      `${address} has the message`,
    )
  const press = async (student: Student, label: string) =>
    fleet.sandbox.press('vk', student.address, { message: (await sent(student)).id, label })
  const isTold = (address: string, part: RegExp) =>
    until(async () => part.test((await chat(address)).notice ?? ''), `${address} is told ${part}`)
  const confirmed = async (of = key) => (await fleet.api.get<HistoryView>(`/v1/histories/${of}`)).confirmed

  it('asks each in their language, once, under the last part of a long text', async () => {
    for (const [student, label] of [
      [reader, 'Прочитано'],
      [visitor, 'I have read this'],
      [silent, 'Прочитано'],
    ] as const) {
      expect((await sent(student)).buttons).to.deep.equal([[label]])
      const others = (await chat(student.address)).messages.filter(({ text }) => !text.includes('Экзамен'))
      expect(others.map(({ buttons }) => buttons)).to.deep.equal([undefined])
    }
    expect(await confirmed()).to.deep.equal({ yes: 0, no: 3, of: 3 })
  })

  it('notes a press and says when; pressed again it is the first time', async () => {
    await press(reader, 'Прочитано')
    await isTold(reader.address, /^Отмечено: \d\d\.\d\d, \d\d:\d\d\.$/)
    const { notice } = await chat(reader.address)
    await press(reader, 'Прочитано')
    await isTold(reader.address, new RegExp(`^${notice}$`))
    expect(await confirmed()).to.deep.equal({ yes: 1, no: 2, of: 3 })
    const { receipts } = await fleet.api.get<ReceiptsPage>(`/v1/histories/${key}/receipts?confirmed=yes`)
    expect(receipts.map(({ person, confirmed: by }) => [person, by?.channel])).to.deep.equal([['reader', 'vk']])
    expect((await fleet.api.get<HistoryView>(`/v1/histories/${key}`)).channels.vk).to.include({ confirmed: 1 })
  })

  it('takes no button that is forged, and none of somebody else', async () => {
    const ref = parseHistoryKey(key)
    const order = (await fleet.api.get<ReceiptsPage>(`/v1/histories/${key}/receipts`)).receipts.map(
      ({ person }) => person,
    )
    const token = (await confirmSigner(redis.redis))({ ref, ordinal: order.indexOf('silent'), version: 1 })
    const cut = token.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'))
    const { id } = await sent(visitor)
    const forge = (payload: string) => fleet.sandbox.press('vk', visitor.address, { message: id, data: payload })
    await forge(confirmPayload(cut))
    await isTold(visitor.address, /устарела/)
    await forge(confirmPayload(token))
    await isTold(visitor.address, /для другого человека/)
    for (const other of ['{}', 'no JSON', '{"confirm":5}', '[]']) await forge(other)
    const { body } = await fleet.api.call<{ key: string }>('POST', '/v1/messages', {
      to: ['user:visitor'],
      text: 'Ещё раз',
      confirm: true,
    })
    const other = await until(
      async () => (await chat(visitor.address)).messages.findLast(({ text }) => text === 'Ещё раз'),
      'the other message is there',
    )
    await fleet.sandbox.press('vk', visitor.address, { message: other.id, label: 'I have read this' })
    await isTold(visitor.address, /^Noted/)
    expect((await fleet.api.get<HistoryView>(`/v1/histories/${body.key}`)).confirmed).to.include({ yes: 1 })
    expect(await confirmed(), 'of what was pressed before that').to.deep.equal({ yes: 1, no: 2, of: 3 })
  })

  it('tells a stranger that it is for somebody else', async () => {
    await fleet.sandbox.say('vk', stranger, 'привет')
    const first = await until(
      async () => (await chat(stranger)).messages.find(({ from }) => from === 'client'),
      'the stranger is answered',
    )
    const token = (await confirmSigner(redis.redis))({ ref: parseHistoryKey(key), ordinal: 0, version: 1 })
    await fleet.sandbox.press('vk', stranger, { message: first.id, data: confirmPayload(token) })
    await isTold(stranger, /для другого человека/)
    expect(await confirmed()).to.deep.equal({ yes: 1, no: 2, of: 3 })
  })

  it('asks anew when the text is corrected: under the same message, and the button of the older text notes nothing', async () => {
    const to = students.map(({ id }) => `user:${id}`)
    const message = { to, text: 'Зачёт в среду', confirm: true as const, channels: ['vk'] }
    const { key: corrected } = (await fleet.api.deliver(message)).history
    const find = async ({ address }: Student, text: string) =>
      (await chat(address)).messages.findLast((shown) => shown.text.startsWith(text))
    const first = await find(reader, 'Зачёт в среду')
    await fleet.sandbox.press('vk', reader.address, { message: first?.id ?? 0, label: 'Прочитано' })
    await until(async () => (await confirmed(corrected))?.yes === 1, 'the press is noted')
    const ref = parseHistoryKey(corrected)
    const rows = (await fleet.api.get<ReceiptsPage>(`/v1/histories/${corrected}/receipts`)).receipts
    const ordinal = rows.findIndex(({ person }) => person === 'silent')
    const older = (await confirmSigner(redis.redis))({ ref, ordinal, version: 1 })
    const { status } = await fleet.api.call('POST', `/v1/histories/${corrected}/corrections`, {
      text: 'Зачёт в четверг',
    })
    expect(status).to.equal(202)
    const edited = await until(() => find(silent, 'Зачёт в четверг'), 'it is edited')
    expect(edited.buttons).to.deep.equal([['Прочитано']])
    await fleet.sandbox.press('vk', silent.address, { message: edited.id, data: confirmPayload(older) })
    await isTold(silent.address, /^Текст исправили: подтвердите новый/)
    await fleet.sandbox.press('vk', silent.address, { message: edited.id, label: 'Прочитано' })
    await isTold(silent.address, /^Отмечено/)
    const { history } = await fleet.api.track(corrected)
    expect(history.confirmed).to.deep.equal({ yes: 1, no: 2, of: 3 })
    expect(history.versions?.map(({ confirmed: count }) => count)).to.deep.equal([1, 1])
    expect(history.versions?.[1]?.corrected?.vk).to.include({ edited: 3, followedUp: 0 })
    for (const { address } of students) {
      const texts = (await chat(address)).messages.filter(({ text }) => text.includes('Зачёт'))
      expect(texts.map(({ text }) => text)).to.deep.equal(['Зачёт в четверг'])
    }
    expect((await fleet.api.recount(corrected)).balanced).to.equal(true)
  })

  it('asks to press again while the service is away, and notes that', async () => {
    await sent(silent)
    await fleet.kill('queue')
    await press(silent, 'Прочитано')
    await isTold(silent.address, /нажмите ещё раз/)
    await fleet.start('queue')
    await press(silent, 'Прочитано')
    await isTold(silent.address, /^Отмечено/)
    expect(await confirmed()).to.deep.equal({ yes: 2, no: 1, of: 3 })
  })
})
