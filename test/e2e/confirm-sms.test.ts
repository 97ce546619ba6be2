/** People confirm by SMS, with a word and the number that stands in the message, that they have read it. */
import type { AsksView, HistoryView, ReceiptsPage } from '@courier-fleet/api-types'
import { until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import { openApiGate } from './api-gate.ts'
import { type Fleet, startFleet } from './fleet.ts'
import { type Inbound, startInbound } from './inbound.ts'
import { type TextPhones, textPhones } from './text-phone.ts'

const students = [
  { id: 'one', name: 'Первая', language: 'ru', address: '+79002000001' },
  { id: 'two', name: 'Second', language: 'en', address: '+79002000002' },
  { id: 'three', name: 'Третий', language: 'ru', address: '+79002000003' },
] as const
type Student = (typeof students)[number]
const [one, two, three] = students
const to = students.map(({ id }) => `user:${id}`)

describe('a message that people confirm by SMS', () => {
  let fleet: Fleet
  let inbound: Inbound
  let phones: TextPhones

  before(async () => {
    fleet = await startFleet({ couriers: { telegram: 0, vk: 0 } })
    inbound = await startInbound(fleet, 'sms-inbound')
    phones = textPhones(fleet)
    for (const { id, name, language, address } of students) {
      await fleet.api.call('PUT', `/v1/people/${id}`, { name, role: 'student', language, timeZone: 'Europe/Moscow' })
      await fleet.api.call('PUT', `/v1/contacts/sms/${id}`, { address })
    }
  })
  after(() => inbound?.stop().finally(() => fleet.stop()))

  const send = async (text: string, more: object = {}) => {
    const message = { to, text, channels: ['sms'], confirm: true as const, ...more }
    const { history } = await fleet.api.deliver(message)
    return history.key
  }
  const confirmed = async (key: string) => (await fleet.api.get<HistoryView>(`/v1/histories/${key}`)).confirmed
  const whoHas = async (key: string) =>
    (await fleet.api.get<ReceiptsPage>(`/v1/histories/${key}/receipts?confirmed=yes`)).receipts.map(
      ({ person }) => person,
    )
  /** that stands in the message of this beginning */
  const numberIn = async ({ address }: Student, text: string) => {
    const found = (await phones.textsTo('sms', address)).find((each) => each.startsWith(text))
    return / (\d\d)$/.exec(found ?? '')?.[1] as string
  }
  const answers = ({ address }: Student, text: string, answer: RegExp) => phones.asks('sms', address, text, answer)

  it('asks below the text, in its alphabet, and counts that as parts', async () => {
    const key = await send('Экзамен в понедельник')
    for (const student of students) expect(await phones.textsTo('sms', student.address)).to.have.length(1)
    expect((await phones.textsTo('sms', two.address))[0]).to.match(
      /^Экзамен в понедельник\nПрочитано: ответьте ДА \d\d$/,
    )
    const rehearse = async (confirm: boolean) => {
      const body = { to, channels: ['sms'], text: 'Э'.repeat(60), ...(confirm ? { confirm } : {}) }
      const answer = await fleet.api.call<{ text: { sms: { parts: number } } }>('POST', '/v1/audiences:resolve', body)
      return answer.body.text.sms.parts
    }
    expect([await rehearse(false), await rehearse(true)]).to.deep.equal([1, 2])
    expect(await confirmed(key)).to.deep.equal({ yes: 0, no: 3, of: 3 })

    await answers(one, 'Да', /^Отмечено \d\d\.\d\d, \d\d:\d\d: «Экзамен в понедельник»$/)
    expect(await whoHas(key)).to.deep.equal(['one'])
    const history = await fleet.api.get<HistoryView>(`/v1/histories/${key}`)
    expect(history.channels.sms).to.include({ confirmed: 1 })
  })

  it('asks for the number where several wait, and then notes that one', async () => {
    const first = await send('Собрание в среду')
    const second = await send('Сдайте книги')
    await answers(three, 'да', /^Не отмечено\. Ответьте ДА и число/)
    expect(await whoHas(first)).to.deep.equal([])
    expect(await whoHas(second)).to.deep.equal([])
    const number = await numberIn(three, 'Сдайте книги')
    await answers(three, `ДА ${number}`, /«Сдайте книги»$/)
    expect(await whoHas(second)).to.deep.equal(['three'])
    expect(await whoHas(first)).to.deep.equal([])
    await answers(three, `да, ${number}!`, /«Сдайте книги»$/)
    expect(await confirmed(second)).to.deep.equal({ yes: 1, no: 2, of: 3 })
  })

  it('names nothing by a number of nobody, and nothing of others by theirs', async () => {
    const key = await send('Only for two', { to: ['user:two'] })
    const number = await numberIn(two, 'Only for two')
    expect((await phones.textsTo('sms', two.address)).at(-1)).to.equal(
      `Only for two\nI have read this: reply YES ${number}`,
    )
    const { asks } = await fleet.api.get<AsksView>('/v1/people/one/confirmations')
    const taken = new Set(asks.map((each) => each.number))
    const free = [...Array(90).keys()].map((each) => String(each + 10)).find((each) => !taken.has(each)) as string
    await answers(one, `ДА ${free}`, new RegExp(`^Не отмечено: числом ${free} `))
    if (!taken.has(number)) await answers(one, `ДА ${number}`, new RegExp(`^Не отмечено: числом ${number} `))
    expect(await whoHas(key)).to.deep.equal([])
    await answers(two, `yes ${number}`, /^Noted .*: "Only for two"$/)
    expect(await whoHas(key)).to.deep.equal(['two'])
  })

  it('is noted of the message that was meant, though the answer is brought again while another waits', async () => {
    const student = { ...one, id: 'four', address: '+79002000004' }
    await fleet.api.call('PUT', '/v1/people/four', { name: 'Четвёртая', role: 'student', language: 'ru' })
    await fleet.api.call('PUT', '/v1/contacts/sms/four', { address: student.address })
    const first = await send('Раз', { to: ['user:four'] })
    const gate = await openApiGate(fleet.apiUrl)
    await inbound.kill()
    const other = await startInbound(fleet, 'sms-inbound', { FLEET_API_URL: gate.url })
    try {
      const done = gate.swallow('POST', /\/confirmations$/)
      await fleet.sandbox.say('sms', student.address, 'ДА')
      await done
      await other.kill()
      expect(await whoHas(first)).to.deep.equal(['four'])
      const second = await send('Два', { to: ['user:four'] })
      await other.start()
      await until(
        async () => (await phones.textsTo('sms', student.address)).some((text) => /«Раз»$/.test(text)),
        'what was brought again is told of the first',
      )
      expect(await whoHas(second)).to.deep.equal([])
    } finally {
      await other.stop().finally(() => gate.close())
    }
    await inbound.start()
  })

  it('says that nothing waits, to whoever was asked nothing', async () => {
    await fleet.api.call('PUT', '/v1/people/five', { name: 'Пятый', role: 'student', language: 'ru' })
    await fleet.api.call('PUT', '/v1/contacts/sms/five', { address: '+79002000005' })
    await phones.asks('sms', '+79002000005', 'Да', /^Отмечать нечего/)
  })

  it('asks anew by another number when the text is corrected, and takes the older one for nothing', async () => {
    const key = await send('Зачёт в среду')
    const older = await numberIn(two, 'Зачёт в среду')
    await fleet.api.call('POST', `/v1/histories/${key}/corrections`, { text: 'Зачёт в четверг' })
    await fleet.api.track(key)
    await answers(two, `ДА ${older}`, /the text has been corrected since/)
    expect(await confirmed(key)).to.deep.equal({ yes: 0, no: 3, of: 3 })
    const newer = await numberIn(two, 'Исправление к сообщению от')
    expect(newer)
      .to.match(/^\d\d$/)
      .and.not.equal(older)
    await answers(two, `ДА ${newer}`, /^Noted/)
    expect(await whoHas(key)).to.deep.equal(['two'])
  })
})
