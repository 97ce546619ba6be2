/** What those who send hear of quiet hours and of the same text again: by SMS and from the bot, in whole processes. */
import type { ChannelList, Plan, RehearsalView } from '@courier-fleet/api-types'
import { writeSettings } from '@courier-fleet/store'
import { type OwnRedis, ownRedis, until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import { freePort } from '../../scripts/free-port.mjs'
import { type Fleet, startFleet } from './fleet.ts'
import { type Inbound, startInbound } from './inbound.ts'
import { addressesIn, goodContacts, membersOf } from './roster.ts'
import { type TelegramPhone, telegramPhone } from './telegram-phone.ts'

const hourMs = 3_600_000
const clockIn = (atMs: number) =>
  new Date(atMs).toLocaleTimeString('en-GB', { timeZone: 'Europe/Moscow', hour: '2-digit', minute: '2-digit' })
/** t-01, who owns ivt-101 and ivt-102 */
const teacher = '+79001007807'
const name = { ru: 'Общее', en: 'General' }

describe('whoever sends in quiet hours', () => {
  let server: OwnRedis
  let fleet: Fleet
  let inbound: Inbound
  let bot: Inbound
  let dean: TelegramPhone
  const now = Date.now()

  before(async () => {
    server = await ownRedis()
    fleet = await startFleet({ redis: server })
    const quiet = { from: clockIn(now - hourMs), to: clockIn(now + 2 * hourMs) }
    const types = [{ id: 'general', number: 1, name, duplicates: { window: 'PT1H' } }]
    await writeSettings(server.redis(), { expected: 0, by: 'admin', stored: { quiet, quietJitterSeconds: 0, types } })
    const plan = async () => (await rehearsed()).later.length > 0
    await until(plan, 'the hours are known')
    await until(async () => {
      const { settings } = await fleet.api.get<ChannelList>('/v1/channels')
      return settings.using === settings.of
    }, 'couriers know them, too')
    inbound = await startInbound(fleet, 'sms-inbound', {
      SMS_INBOUND_HTTP_PORT: String(await freePort()),
      SMS_INBOUND_HTTP_SECRET: 'a-secret-of-the-gateway',
    })
    bot = await startInbound(fleet, 'bot', {})
    dean = telegramPhone(fleet.sandbox, '71000003')
    const person = { name: 'Декан', role: 'staff', timeZone: 'Europe/Moscow', language: 'ru' }
    await fleet.api.call('PUT', '/v1/people/dean', person)
    const group = await fleet.api.get<{ owners: string[] }>('/v1/groups/ivt-102')
    await fleet.api.call('PUT', '/v1/groups/ivt-102', { name: 'ИВТ-102', owners: group.owners })
    const { body } = await fleet.api.call<{ code: string }>('POST', '/v1/enrolments', {
      channel: 'telegram',
      person: 'dean',
    })
    await dean.asks(`/start ${body.code}`, 'Готово, Декан')
  })
  after(async () => {
    await bot?.stop()
    await inbound?.stop()
    await fleet.stop()
    await server.stop()
  })

  const rehearsed = async () =>
    (await fleet.api.call<RehearsalView>('POST', '/v1/audiences:resolve', { to: ['group:ivt-102'] })).body.plan as Plan
  const textsOn = async (phone: string) =>
    (await fleet.sandbox.accepted(undefined, 'sms')).filter(({ address }) => address === phone).map(({ text }) => text)
  const hears = (pattern: RegExp) =>
    until(async () => (await textsOn(teacher)).map((text) => pattern.exec(text)).find(Boolean), `hears ${pattern}`)
  const took = async (text: string) => addressesIn(await fleet.sandbox.accepted(text))

  it('reads by SMS who gets it when, and is asked before the same goes out again', async () => {
    const { now: atOnce, later, never } = await rehearsed()
    const numbers = [atOnce, ...later.map(({ people }) => people), never.reduce((sum, { people }) => sum + people, 0)]
    await fleet.sandbox.say('sms', teacher, 'ИВТ 102: Тихий текст')
    const accepted = await hears(/^(?:ИВТ-102: п|П)ринято, 27 чел\.: (.*?)(?:\. Сегодня ещё можно: 3)?$/)
    const said = accepted?.[1] ?? ''
    expect(said).to.match(new RegExp(`\\d+ в ${clockIn(now + 2 * hourMs)}`))
    const counts = said.split(', ').map((each) => Number.parseInt(each, 10))
    expect(counts).to.deep.equal(numbers.filter((each) => each > 0))
    await fleet.sandbox.say('sms', teacher, 'ивт-102: Тихий  текст')
    await hears(/^Не отправлено: то же вы писали им \d\d\.\d\d, \d\d:\d\d\. Ещё: ПОВТОР и текст$/)
    await fleet.sandbox.say('sms', teacher, 'повтор ИВТ-102: Тихий текст')
    await until(
      async () => (await textsOn(teacher)).filter((text) => /ринято, 27/.test(text)).length === 2,
      'it is taken once it is meant',
    )
  })

  it('reads it from the bot before and after, sends to those who wait, and the same again by a button', async () => {
    await dean.asks('Тихо', 'Страница 1 из')
    await dean.asks('ивт-102', 'Найдено')
    await dean.press('ИВТ-102')
    await dean.press('Дальше (1)')
    const preview = await dean.sees('(тихие часы получателей)')
    expect(preview.text).to.match(/\nИз 27 человек: .* — \d+ \(тихие часы получателей\)/)
    await dean.press('Отправить сейчас')
    await dean.sees(/ждут — \d+[\s\S]*отправим .*: тихие часы получателей\./)
    await dean.asks('/waiting', 'Эти сообщения кто-то ждёт')
    await dean.press('Тихо')
    await dean.isOffered('Отменить только для них')
    await dean.press('Отправить им сейчас')
    await dean.sees(/^Отправляю: \d+ человек/)
    const everyone = goodContacts(membersOf('ivt-102'))
    await until(async () => (await took('Тихо')).length >= everyone.length, 'everyone has it')
    expect(await took('Тихо')).to.deep.equal(everyone)

    await dean.sees(/^Из 27 человек: [\s\S]*\n\nКто мог не получить:/)
    await dean.asks('/repeat', 'ещё раз?')
    await dean.press('Тихо')
    await dean.press('Всем')
    await dean.isOffered('Отправить сейчас')
    await dean.press('Отправить сейчас')
    await dean.sees('Не отправлено: этот же текст этим же людям (27 человек) вы уже отправили')
    const again = await dean.press('Всё равно отправить')
    await dean.becomes(again, /ждут — \d+/)
  })
})
