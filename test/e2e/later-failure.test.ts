/** What becomes known after a message was over reaches whoever sent it, by the bot and by SMS. */
import { until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import { type Fleet, startFleet } from './fleet.ts'
import { type Inbound, startInbound } from './inbound.ts'
import { type TelegramPhone, telegramPhone } from './telegram-phone.ts'

/** t-01 */
const teacher = { telegram: '70001213', sms: '+79001007807' }
/** two people with nothing but a phone */
const phones = { early: '+79005550201', late: '+79005550202' }

describe('what becomes known later', () => {
  let fleet: Fleet
  let bot: Inbound
  let texts: Inbound
  let chat: TelegramPhone

  before(async () => {
    fleet = await startFleet({ couriers: { vk: 0 } })
    const put = (path: string, body: unknown) => fleet.api.call('PUT', path, body)
    for (const [id, address] of Object.entries(phones)) {
      await put(`/v1/people/${id}`, { name: id, role: 'student', language: 'ru' })
      await put(`/v1/contacts/sms/${id}`, { address })
    }
    await put('/v1/groups/late-ones', { name: 'Поздние', owners: ['t-01'] })
    await fleet.api.call('POST', '/v1/groups/late-ones/members', { people: Object.keys(phones) })
    ;[bot, texts] = await Promise.all([startInbound(fleet, 'bot'), startInbound(fleet, 'sms-inbound')])
    chat = telegramPhone(fleet.sandbox, teacher.telegram)
  })
  after(async () => {
    await bot?.stop()
    await texts?.stop()
    await fleet?.stop()
  })
  beforeEach(() => setPhone('off'))

  const setPhone = (state: 'on' | 'off') =>
    fleet.sandbox.phones([{ channel: 'sms', address: phones.late, state: state === 'on' ? 'ok' : 'off' }])
  /** The report comes, and says that the message did not. */
  async function failLate(): Promise<void> {
    await fleet.sandbox.fault({ channel: 'sms', kind: 'reports', mode: 'failed', addresses: [phones.late], count: 1 })
    await setPhone('on')
  }
  /** @returns the message that tells how it goes */
  async function sendByBot(text: string): Promise<number> {
    await chat.asks('/send', 'Кому отправить?')
    await chat.press('Поздние')
    await chat.press('Дальше (1)')
    await chat.sees('Теперь напишите текст')
    await chat.asks(text, 'Отправим ')
    return chat.press('Отправить сейчас')
  }
  const smsOnTeacher = async () =>
    (await fleet.sandbox.accepted(undefined, 'sms')).flatMap((row) => (row.address === teacher.sms ? row.text : []))
  const smsSays = (pattern: RegExp) =>
    until(async () => (await smsOnTeacher()).some((text) => pattern.test(text)), `an SMS says ${pattern}`)
  const linesAbout = async (text: string) =>
    (await chat.messages()).filter((message) => message.text.startsWith(`Сообщение «${text}» дошло не до всех`))

  it('changes what the bot has told, and is said in a line of its own when it is worse', async () => {
    const message = await sendByBot('пары нет')
    await chat.becomes(message, /доставлено — 1; принято оператором, подтверждения ещё нет — 1/)
    expect(await linesAbout('пары нет')).to.have.length(0)
    await failLate()
    await chat.becomes(message, /доставлено — 1; не дошло — 1 \(принято оператором, но не доставлено — 1\)/)
    await chat.becomes(message, /• late: SMS: не дошло/)
    await chat.sees(/^Сообщение «пары нет» дошло не до всех, кому было отправлено. Теперь так: .*не дошло — 1/)
  })

  it('is not said when it is better', async () => {
    const message = await sendByBot('пары есть')
    await chat.becomes(message, /подтверждения ещё нет — 1/)
    await setPhone('on')
    await chat.becomes(message, /^Дошло до всех: 2 человека\.\n/)
    expect(await linesAbout('пары есть')).to.have.length(0)
  })

  it('is told once, though the bot was killed meanwhile', async () => {
    const message = await sendByBot('бот упал')
    await chat.becomes(message, /подтверждения ещё нет — 1/)
    await bot.kill()
    await failLate()
    await bot.start()
    await chat.becomes(message, /не дошло — 1/)
    await chat.sees(/^Сообщение «бот упал» дошло не до всех/)
    await bot.kill()
    await bot.start()
    await chat.asks('/limit', 'Сегодня осталось')
    expect(await linesAbout('бот упал')).to.have.length(1)
  })

  it('is corrected by SMS once', async () => {
    await fleet.sandbox.say('sms', teacher.sms, 'Поздние: Зачёт завтра')
    // the report of the one may come after the answer is made
    await smsSays(/^Поздние\. Из 2: (доставлено 1, не подтверждено 1|не подтверждено 2)$/)
    await texts.kill()
    await failLate()
    await texts.start()
    await smsSays(/^Уточнение\. Поздние\. Из 2: доставлено 1, не дошло 1$/)
    expect((await smsOnTeacher()).filter((text) => text.startsWith('Уточнение'))).to.have.length(1)
  })
})

describe('a lost answer', () => {
  let fleet: Fleet
  let texts: Inbound
  before(async () => {
    fleet = await startFleet({ couriers: { telegram: 0, vk: 0 } })
    texts = await startInbound(fleet, 'sms-inbound')
  })
  after(async () => {
    await texts?.stop()
    await fleet?.stop()
  })

  it('is not known to have arrived, and the SMS of the sender says that', async () => {
    const [staff, lost] = ['+79001008251', '+79005550203']
    await fleet.api.call('PUT', '/v1/people/lost', { name: 'lost', role: 'student' })
    await fleet.api.call('PUT', '/v1/contacts/sms/lost', { address: lost })
    await fleet.api.call('PUT', '/v1/groups/lost', { name: 'Лаборатория', owners: [] })
    await fleet.api.call('POST', '/v1/groups/lost/members', { people: ['lost'] })
    const faults = [{ kind: 'reports', mode: 'none' }, { kind: 'reply-lost' }] as const
    for (const fault of faults) await fleet.sandbox.fault({ channel: 'sms', addresses: [lost], count: 1, ...fault })
    await fleet.sandbox.say('sms', staff, 'Лаборатория: Сбор в шесть')
    const told = await until(
      async () =>
        (await fleet.sandbox.accepted(undefined, 'sms')).find(
          ({ address, text }) => address === staff && text.includes('Из 1'),
        ),
      'the outcome comes',
    )
    expect(told.text).to.equal('Лаборатория. Из 1: неизвестно 1')
  })
})
