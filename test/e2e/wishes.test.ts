/** Types of message and quiet hours, by text and by button: switched off and on where people write, and kept to when something is sent. */
import type { AuditPage, HistoryView, MessageTypeInput, ReceiptView, WishesView } from '@courier-fleet/api-types'
import { createClient } from '@courier-fleet/client'
import { until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import { type Fleet, startFleet } from './fleet.ts'
import { type Inbound, startInbound } from './inbound.ts'
import { type TelegramPhone, telegramPhone } from './telegram-phone.ts'
import { type TextPhones, textPhones } from './text-phone.ts'

/** s-ivt-101-01; s-ivt-101-04, who is written to in English; s-ivt-101-02; s-ivt-101-03 */
const [bySms, inEnglish, byVk, byTelegram] = ['+79001000037', '+79001000111', '5001001', '70001002']

describe('what people wish, where they write', () => {
  let fleet: Fleet
  const inbound: Inbound[] = []
  let phone: TelegramPhone

  const put = async (path: string, body: unknown) => {
    const { status } = await fleet.api.call('PUT', path, body)
    if (status >= 300) throw new Error(`PUT ${path}: ${status}`)
  }
  const type = (id: string, ru: string, en: string, more: Partial<MessageTypeInput> = {}) =>
    put(`/v1/types/${id}`, { name: { ru, en }, ...more })
  const wishes = (person: string) => fleet.api.get<WishesView>(`/v1/people/${person}/wishes`)
  const asks: TextPhones['asks'] = (...said) => textPhones(fleet).asks(...said)

  /** Who got it by which channel, as their receipts say. */
  async function fatesOf(body: object): Promise<Record<string, Record<string, string | undefined>>> {
    const { body: accepted } = await fleet.api.call<{ key: string }>('POST', '/v1/messages', {
      to: ['s-ivt-101-01', 's-ivt-101-02', 's-ivt-101-03', 's-ivt-101-04'].map((id) => `user:${id}`),
      ...body,
    })
    const { key } = accepted
    await until(
      async () => (await fleet.api.get<HistoryView>(`/v1/histories/${key}`)).state === 'settled',
      'it has settled',
    )
    const { receipts } = await fleet.api.get<{ receipts: ReceiptView[] }>(`/v1/histories/${key}/receipts`)
    return Object.fromEntries(
      receipts.map(({ person, channels }) => [
        person,
        Object.fromEntries(
          Object.entries(channels)
            .filter(([, { state }]) => state !== 'no-contact')
            .map(([channel, { state, reason }]) => [channel, reason ?? state]),
        ),
      ]),
    )
  }

  before(async () => {
    fleet = await startFleet()
    await put('/v1/people/s-ivt-101-04', {
      name: 'Шилова Екатерина',
      role: 'student',
      timeZone: 'Europe/Samara',
      language: 'en',
    })
    await type('news', 'Новости', 'News')
    await type('library', 'Библиотека', 'Library')
    await type('rector', 'От ректора', 'From the rector', { optOut: 'mandatory' })
    for (const name of ['bot', 'sms-inbound', 'vk-inbound'] as const) inbound.push(await startInbound(fleet, name))
    phone = telegramPhone(fleet.sandbox, byTelegram)
  })
  after(async () => {
    await Promise.all(inbound.map((each) => each.stop()))
    await fleet.stop()
  })

  it('types are switched off and on by SMS, by name in either language or by id; the answer says what comes all the same', async () => {
    await asks('sms', bySms, 'Стоп НОВОСТИ', 'Отключено везде: Новости. Вернуть: СТАРТ Новости. Придут: От ректора')
    expect((await wishes('s-ivt-101-01')).off).to.deep.equal(['news'])
    await asks('sms', bySms, 'СТОП library', /^Отключено везде: Библиотека\. Вернуть: СТАРТ Библиотека/)
    await asks('sms', bySms, 'СТАРТ библиотека', 'Снова присылаем: «Библиотека». Отключить: СТОП Библиотека')
    await asks('sms', bySms, 'СТОП новсти', /^Нет вида «новсти»\. Похоже: Новости/)
    await asks('sms', bySms, 'СТОП погода', /^Нет вида «погода»\. /)
    await asks('sms', bySms, 'СТОП от ректора', '«От ректора» обязательны. Не писать сюда совсем: СТОП')
    expect((await wishes('s-ivt-101-01')).off).to.deep.equal(['news'])
    await asks(
      'sms',
      inEnglish,
      'STOP news',
      'Switched off on all channels: News. Mandatory ones still come: From the rector. To have it again: START News',
    )
    await asks(
      'sms',
      inEnglish,
      'stop weather',
      'There is no type "weather". You can switch off: General, Library, News. No messages here at all: STOP',
    )
    await asks('sms', inEnglish, 'START Новости', /^You will get "News" again\./)
    expect((await wishes('s-ivt-101-04')).off).to.deep.equal([])
  })

  it('the same words do it in VK', async () => {
    await asks(
      'vk',
      byVk,
      'стоп новости',
      /^Отключено на всех каналах: «Новости»\. Обязательные придут: От ректора\. Вернуть: СТАРТ Новости$/,
    )
    await asks('vk', byVk, 'ТИХО 23-7', /^С 23:00 до 07:00 не пишем, кроме срочного\./)
    await asks('vk', byVk, 'ТИХО 8-7', /^Не понял часы: не больше 20 часов, например ТИХО 23-7/)
    expect(await wishes('s-ivt-101-02')).to.deep.include({ off: ['news'], quiet: { from: '23:00', to: '07:00' } })
    await asks('vk', byVk, 'тихо нет', /^Пишем в любое время\./)
  })

  it('quiet hours are set by SMS, shown, and given up', async () => {
    await asks('sms', inEnglish, 'QUIET 23:30-7', /^Nothing but urgent messages from 23:30 to 07:00\..*QUIET OFF/)
    await asks('sms', inEnglish, 'quiet', /^Nothing but urgent messages from 23:30 to 07:00\./)
    await asks('sms', inEnglish, 'QUIET 25-7', /^Which hours\?/)
    await asks('sms', inEnglish, 'QUIET NO', /^You are written to at any hour\./)
    expect((await wishes('s-ivt-101-04')).quiet).to.equal('never')
    await asks('sms', inEnglish, 'QUIET OFF', /^Your quiet hours are those of everybody\./)
    expect(await wishes('s-ivt-101-04')).not.to.have.property('quiet')
    await asks('sms', bySms, 'ТИХО НЕТ', 'Пишем в любое время. Как у всех: ТИХО ОБЫЧНО. Свои часы: ТИХО 23-7')
  })

  it('the bot has buttons and commands for it', async () => {
    const screen = await phone.asks('/mute', 'Сюда приходят все.')
    expect(screen.text).to.contain('Обязательное, придёт всегда: «От ректора».')
    expect(screen.buttons).to.deep.equal([['✓ Общее'], ['✓ Библиотека'], ['✓ Новости']])
    await phone.press('Новости')
    await phone.becomes(screen.id, 'Отключено: «Новости».')
    await phone.press('Новости')
    await phone.becomes(screen.id, 'Сюда приходят все.')
    await phone.asks(
      '/mute news',
      'Отключено на всех каналах: «Новости». Обязательные придут: От ректора. Вернуть: /unmute Новости',
    )
    expect((await wishes('s-ivt-101-03')).off).to.deep.equal(['news'])
    await phone.asks('/mute newz', 'Нет вида «newz». Похоже: Новости')
    await phone.asks('/mute rector', 'отдельно их не отключить. Не писать сюда совсем: /stop')
    const hours = await phone.asks('/quiet', 'Тихие часы – как у всех.')
    await phone.press('23:00')
    await phone.becomes(hours.id, 'С 23:00 до 07:00 не пишем, кроме срочного.')
    expect((await wishes('s-ivt-101-03')).quiet).to.deep.equal({ from: '23:00', to: '07:00' })
    await phone.asks('/quiet never', 'Пишем в любое время.')
    await phone.asks('/quiet whenever', 'Не понял часы')
    await phone.asks('/quiet off', 'Тихие часы – как у всех.')
    // the words of SMS and VK, from whoever sends no messages here
    await phone.asks('СТАРТ новости', 'Снова присылаем: «Новости».')
    await phone.asks('ТИХО 22-8', 'С 22:00 до 08:00 не пишем')
    await phone.asks('тихо в аудитории', 'Не понял часы')
    await phone.asks('ТИХО ОБЫЧНО', 'Тихие часы – как у всех.')
    await phone.asks('стоп новости', 'Отключено на всех каналах: «Новости».')
    expect((await wishes('s-ivt-101-03')).off).to.deep.equal(['news'])
  })

  it('holds when something is sent, and nothing else does', async () => {
    // quiet hours of their own would hold it, whatever the hour of this test
    for (const person of ['s-ivt-101-01', 's-ivt-101-02']) expect((await wishes(person)).quiet).to.equal('never')
    const off = { sms: 'type-off', telegram: 'type-off', vk: 'type-off' }
    const news = await fatesOf({ text: 'Новости недели', type: 'news' })
    for (const person of ['s-ivt-101-01', 's-ivt-101-02', 's-ivt-101-03'])
      expect(Object.values(news[person] ?? {}), person).to.satisfy((all: string[]) =>
        all.every((each) => each === off.sms),
      )
    expect(Object.values(news['s-ivt-101-04'] ?? {})).to.not.include('type-off')
    for (const type of ['rector', 'library']) {
      const other = await fatesOf({ text: `Другое: ${type}`, type })
      expect(JSON.stringify(other), type).to.not.contain('type-off')
    }
    expect(await fleet.sandbox.accepted('Новости недели')).to.satisfy(
      (rows: { address: string }[]) =>
        rows.length > 0 && rows.every(({ address }) => ![bySms, byVk, byTelegram].includes(address)),
    )
    await asks('sms', bySms, 'СТАРТ новости', /^Снова присылаем: «Новости»\./)
    expect((await fatesOf({ text: 'Снова новости', type: 'news' }))['s-ivt-101-01'])
      .to.have.property('sms')
      .that.is.oneOf(['sent', 'delivered'])
  })

  it('is in the audit, with the way it was said', async () => {
    const { lines } = await fleet.api.get<AuditPage>('/v1/audit?limit=200')
    const first = (person: string) =>
      lines.findLast((line) => line.action === 'wishes.changed' && line.person === person)
    expect(first('s-ivt-101-01')).to.include({ by: 'sms-inbound', via: 'sms', channel: 'sms', after: 'off: news' })
    expect(first('s-ivt-101-02')).to.include({ by: 'vk-inbound', via: 'vk', channel: 'vk' })
    expect(first('s-ivt-101-03')).to.include({ by: 'bot', via: 'telegram', channel: 'telegram' })
  })

  it('is asked for first where the fleet writes to nobody who has not agreed: a code of the group’s sheet is enough', async () => {
    const client = createClient({ apiUrl: fleet.apiUrl, apiKey: fleet.apiKey })
    await client.changeSettings((await client.settings()).version, { consent: 'required' })
    await until(async () => {
      const { settings } = await client.channels()
      return settings.using === settings.of
    }, 'all processes know')
    const { codes } = await client.groupCodes('ivt-101', { channel: 'sms', again: true })
    const { code } = codes.find(({ person }) => person === 's-ivt-101-01') ?? expect.fail('no code')
    await asks('sms', bySms, `КОД ${code.replace(/(\d{4})(?=\d)/g, '$1 ')}`, /./)
    expect((await client.person('s-ivt-101-01')).contacts.sms?.agreed?.by).to.equal('code')
    const fates = await fatesOf({ text: 'Только согласным' })
    expect(fates['s-ivt-101-01']?.sms).to.be.oneOf(['sent', 'delivered'])
    delete fates['s-ivt-101-01']?.sms
    const others = Object.values(fates).flatMap((each) => Object.values(each))
    expect(others.length).to.be.greaterThan(3)
    expect(new Set(others)).to.deep.equal(new Set(['no-consent']))
    const taken = await fleet.sandbox.accepted('Только согласным')
    expect(taken.map(({ address }) => address)).to.deep.equal([bySms])
  })
})
