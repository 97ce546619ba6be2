/** Topics by text and by button: joined and left where people write, and written to by their senders. */
import type { AuditPage, HistoriesPage, TopicInput } from '@courier-fleet/api-types'
import { until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import { type ApiGate, openApiGate } from './api-gate.ts'
import { type Fleet, startFleet } from './fleet.ts'
import { type Inbound, startInbound } from './inbound.ts'
import { addressesIn } from './roster.ts'
import { type TelegramPhone, telegramPhone } from './telegram-phone.ts'
import { type TextPhones, textPhones } from './text-phone.ts'

/** s-ivt-101-01, who has Telegram, too; s-ivt-101-04, who is written to in English; s-ivt-101-02; s-ivt-101-03 */
const [bySms, inEnglish, byVk, byTelegram] = ['+79001000037', '+79001000111', '5001001', '70001002']
/** t-01 */
const teacher = '+79001007807'
const office = 'На «Кружок» подписывает деканат.'

describe('topics, where people write', () => {
  let fleet: Fleet
  let gate: ApiGate
  let bot: Inbound
  const inbound: Inbound[] = []
  let phone: TelegramPhone

  const put = async (path: string, body: unknown) => {
    const { status } = await fleet.api.call('PUT', path, body)
    if (status >= 300) throw new Error(`PUT ${path}: ${status}`)
  }
  const topic = (id: string, ru: string, en: string, more: Partial<TopicInput> = {}) =>
    put(`/v1/topics/${id}`, { name: { ru, en }, senders: ['t-01'], open: true, ...more })
  const members = async (id: string) => (await fleet.api.get<{ people: string[] }>(`/v1/topics/${id}/members`)).people
  const textsTo: TextPhones['textsTo'] = (...of) => textPhones(fleet).textsTo(...of)
  const asks: TextPhones['asks'] = (...said) => textPhones(fleet).asks(...said)

  before(async () => {
    fleet = await startFleet()
    await put('/v1/people/s-ivt-101-04', {
      name: 'Шилова Екатерина',
      role: 'student',
      timeZone: 'Europe/Samara',
      language: 'en',
    })
    await topic('choir', 'Хор', 'Choir')
    await topic('tickets', 'Бесплатные билеты', 'Free tickets')
    await topic('circle', 'Кружок', 'Circle', { open: false })
    gate = await openApiGate(fleet.apiUrl)
    bot = await startInbound(fleet, 'bot', { FLEET_API_URL: gate.url })
    for (const name of ['sms-inbound', 'vk-inbound'] as const) inbound.push(await startInbound(fleet, name))
    phone = telegramPhone(fleet.sandbox, byTelegram)
  })
  after(async () => {
    await Promise.all([bot, ...inbound].map((each) => each?.stop()))
    await gate?.close()
    await fleet.stop()
  })

  it('are joined and left by SMS, by name or by id, in the person’s language', async () => {
    await asks('sms', bySms, 'подписка', 'Темы: Хор, Бесплатные билеты. Подписаться: ПОДПИСКА Хор')
    await asks('sms', bySms, 'Подписка ХОР', 'Вы подписаны на «Хор». Отписаться: ОТПИСКА Хор')
    expect(await members('choir')).to.deep.equal(['s-ivt-101-01'])
    await asks('sms', inEnglish, 'SUBSCRIBE choir', 'You are in "Choir". To leave: UNSUBSCRIBE Choir')
    await asks('sms', inEnglish, 'subscribe БИЛЕТЫ', /^There is no topic "БИЛЕТЫ"\. .*SUBSCRIBE$/)
    await asks('sms', inEnglish, 'subscribe free ticket', /^There is no topic "free ticket"\. Similar: Free tickets\. /)
    await asks('sms', inEnglish, 'subscribe Бесплатные билеты', /^You are in "Free tickets"\./)
    await asks(
      'sms',
      inEnglish,
      'Unsubscribe',
      'You are in: Choir, Free tickets. To leave: UNSUBSCRIBE Choir. All messages: STOP',
    )
    await asks('sms', inEnglish, 'UNSUBSCRIBE choir', 'You are not in "Choir". To join: SUBSCRIBE Choir')
    await asks('sms', bySms, 'ПОДПИСКА хр', 'Нет темы «хр». Похоже: Хор. Все темы: ПОДПИСКА')
    await asks('sms', bySms, 'ПОДПИСКА кружок', office)
    expect(await members('choir')).to.deep.equal(['s-ivt-101-01'])
    expect(await members('tickets')).to.deep.equal(['s-ivt-101-04'])
    expect(await members('circle')).to.deep.equal([])
  })

  it('are joined and left in VK by the same words', async () => {
    await asks('vk', byVk, 'Подписка', 'Темы: Хор, Бесплатные билеты. Подписаться: ПОДПИСКА Хор')
    await asks('vk', byVk, 'подписка choir', 'Вы подписаны на «Хор». Отписаться: ОТПИСКА Хор')
    await asks('vk', byVk, 'ПОДПИСКА театр', 'Нет темы «театр». Все темы: ПОДПИСКА')
    await asks('vk', byVk, 'ПОДПИСКА кружок', office)
    await asks('vk', byVk, 'подписка билеты бесплатные', /^Нет темы/)
    await asks('vk', byVk, 'ПОДПИСКА бесплатные билеты', /^Вы подписаны на «Бесплатные билеты»/)
    await asks('vk', byVk, 'ОТПИСКА бесплатные билеты', /^Вы не подписаны на «Бесплатные билеты»/)
    expect(await members('choir')).to.deep.equal(['s-ivt-101-01', 's-ivt-101-02'])
    expect(await members('tickets')).to.deep.equal(['s-ivt-101-04'])
  })

  it('are joined and left by the buttons of the bot, by students, too', async () => {
    const screen = await phone.asks('/topics', 'Вы пока ни на что не подписаны')
    expect(screen.buttons).to.deep.equal([['Хор'], ['Бесплатные билеты']])
    await phone.press('Бесплатные билеты')
    await phone.becomes(screen.id, 'Вы подписаны: «Бесплатные билеты».')
    await phone.press('Хор')
    expect((await phone.becomes(screen.id, '«Хор»')).buttons).to.deep.equal([['✓ Хор'], ['✓ Бесплатные билеты']])
    await phone.press('Бесплатные билеты')
    await phone.becomes(screen.id, 'Вы подписаны: «Хор».')
    expect(await members('tickets')).to.deep.equal(['s-ivt-101-04'])
    expect(await members('choir')).to.deep.equal(['s-ivt-101-01', 's-ivt-101-02', 's-ivt-101-03'])
  })

  it('are joined by a press, also by the same once more when the bot was killed after it', async () => {
    const screen = await phone.asks('/topics', 'Вы подписаны: «Хор».')
    const swallowed = gate.swallow('PUT', /topics\/tickets\/members/)
    await phone.press('Бесплатные билеты')
    await swallowed
    await bot.kill()
    await bot.start()
    // Telegram tells of a press once: whoever saw no answer presses again, the same button
    await phone.press('Бесплатные билеты')
    await phone.becomes(screen.id, '«Бесплатные билеты»')
    expect(await members('tickets')).to.deep.equal(['s-ivt-101-03', 's-ivt-101-04'])
  })

  it('that have been closed since they were shown say so', async () => {
    const screen = await phone.asks('/topics', 'Темы.')
    await phone.press('Бесплатные билеты')
    await phone.becomes(screen.id, 'Вы подписаны: «Хор».')
    await topic('tickets', 'Бесплатные билеты', 'Free tickets', { open: false })
    await phone.press('Бесплатные билеты')
    await phone.isTold('записывает деканат')
    expect(await members('tickets')).to.deep.equal(['s-ivt-101-04'])
  })

  it('are written to by a text message of their sender, and reach those who are in them, once', async () => {
    await fleet.sandbox.say('sms', teacher, 'Хор: Репетиция в 18:00')
    // on a busy machine everybody has it before this is said
    await until(
      async () => (await textsTo('sms', teacher)).some((text) => /^Хор: принято, 3 чел/.test(text)),
      'it is taken',
    )
    const rows = await until(async () => {
      const found = await fleet.sandbox.accepted('Репетиция в 18:00')
      return found.length === 5 && found
    }, 'it goes out')
    // both phones of those who joined by SMS and by Telegram, and all of them but the one who left
    expect(addressesIn(rows)).to.deep.equal([
      'sms +79001000037',
      'sms +79001000074',
      'telegram 70001001',
      'telegram 70001002',
      'vk 5001001',
    ])
    for (const { text } of rows) {
      expect(text).to.match(/^Гусева А\.[,· {2}]+Хор\nРепетиция в 18:00$/)
    }
    // the sender is told of each, and asks on once that of the first is there
    await until(
      async () => (await textsTo('sms', teacher)).some((text) => /(^|Хор\. )(Из 3|Дошло)/.test(text)),
      'its outcome',
    )
    await asks('sms', bySms, 'ОТПИСКА хор', /^Вы не подписаны на «Хор»/)
    await asks('sms', teacher, 'тема Хор: Без Ксении', /^Хор: принято, 2 чел/)
    // others may not, and do not find it
    await asks('sms', '+79001008251', 'Хор: от деканата', /^Не отправлено: у вас нет «Хор»/)
  })

  it('are offered by the bot to their senders, with how many are in them, and to nobody else', async () => {
    const sender = telegramPhone(fleet.sandbox, '70001213')
    await sender.asks('/send', 'Кому отправить?')
    await sender.press('тема Хор · 2')
    await sender.sees('Выбрано: «Хор».')
    await sender.press('Дальше (1)')
    await sender.sees('Теперь напишите текст')
    await sender.asks('Ноты с собой', /^Кому: «Хор»\.\n[\s\S]*\n\nОтправим \d из 2/)
    await sender.press('Отправить сейчас')
    await sender.sees(/^(Дошло|Из )/)
    const [first] = (await (await fleet.apiOf('t-01', 'trainer')).get<HistoriesPage>('/v1/histories')).histories
    expect([first?.text, first?.audience?.size]).to.deep.equal(['Ноты с собой', 2])
    // sent again to those of whom nothing is known, it is not sent to the others once more
    const again = await fleet.apiOf('t-01', 'trainer')
    const { body } = await again.call<{ key: string }>('POST', '/v1/messages', {
      to: [`unconfirmed:${first?.key}`],
      text: 'Ещё раз про ноты',
      channels: ['telegram'],
    })
    expect(body.key).to.be.a('string')
    await until(async () => (await again.history(body.key)).state === 'settled', 'it is over')
    await sender.asks('/repeat', 'ещё раз?')
    await sender.press('Ещё раз про ноты')
    await sender.press('Всем')
    await sender.sees('только те, кто не отметил прежнее сообщение')
    const other = telegramPhone(fleet.sandbox, '70001214')
    const screen = await other.asks('/send', 'Кому отправить?')
    expect((screen.buttons ?? []).flat().join()).not.to.contain('тема')
  })

  it('are noted in the audit, with the way they were joined', async () => {
    const { lines } = await fleet.api.get<AuditPage>('/v1/audit?limit=200')
    const joined = lines.filter(({ action, detail }) => action === 'topic.joined' && detail === 'topic:choir')
    expect(joined.map(({ person, via }) => [person, via]).reverse()).to.deep.equal([
      ['s-ivt-101-01', 'sms'],
      ['s-ivt-101-04', 'sms'],
      ['s-ivt-101-02', 'vk'],
      ['s-ivt-101-03', 'telegram'],
    ])
  })
})
