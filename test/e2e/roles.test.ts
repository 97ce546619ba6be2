/** A dean: a role that operators have made, with rights that are there already and a quota of its own, whichever way one sends. */
import type { Acceptance, ImportReportView, RoleList, SessionView } from '@courier-fleet/api-types'
import { createClient } from '@courier-fleet/client'
import { until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import { connectApi } from './api.ts'
import { type Fleet, startFleet } from './fleet.ts'
import { type Inbound, startInbound } from './inbound.ts'
import { addressesIn, goodContacts, membersOf } from './roster.ts'
import { type TelegramPhone, telegramPhone } from './telegram-phone.ts'
import { textPhones } from './text-phone.ts'

const group = 'ivt-102'
const phone = '+79005550017'
const dean = { name: { ru: 'Декан', en: 'Dean' }, rights: 'staff', quota: 3 } as const
const roster = [
  'id,name,role,timezone,language,phone',
  `dina,Дина Декан,dean,Europe/Moscow,ru,${phone}`,
  'dora,Дора Декан,Dean,Europe/Moscow,ru,',
  'kira,Кира,king,Europe/Moscow,ru,',
].join('\n')

describe('a role of its own', () => {
  let fleet: Fleet
  let client: ReturnType<typeof createClient>
  let bot: Inbound
  let sms: Inbound
  let telegram: TelegramPhone
  let apiKey: string

  before(async () => {
    fleet = await startFleet()
    client = createClient({ apiUrl: fleet.apiUrl, apiKey: fleet.apiKey })
    bot = await startInbound(fleet, 'bot')
    sms = await startInbound(fleet, 'sms-inbound')
    telegram = telegramPhone(fleet.sandbox, '71000031')
  })
  after(async () => {
    await bot?.stop()
    await sms?.stop()
    await fleet.stop()
  })

  const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
    fetch(`${fleet.apiUrl}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
  const asDean = () => connectApi(fleet.apiUrl, apiKey)
  const send = (text: string) => asDean().call<Acceptance>('POST', '/v1/messages', { to: [`group:${group}`], text })
  const sentTo = async (text: string) => addressesIn(await fleet.sandbox.accepted(text))

  /** @returns the headers of a browser in which she is signed in */
  async function signIn(): Promise<Record<string, string>> {
    const asked = await post('/v1/sign-ins', { person: 'dina' })
    const cookie = asked.headers.get('set-cookie')?.split(';')[0] ?? ''
    const { textsTo } = textPhones(fleet)
    const code = await until(async () => {
      const texts = await textsTo('sms', phone)
      return texts.flatMap((text) => /\d{8}/.exec(text) ?? []).at(-1)
    }, 'the code is on her phone')
    const opened = await post('/v1/sessions', { person: 'dina', code }, { cookie })
    const session = (await opened.json()) as SessionView
    expect([opened.status, session.role]).to.deep.equal([201, 'staff'])
    expect(session.ownRole).to.deep.equal({ id: 'dean', name: dean.name })
    return {
      cookie: opened.headers.get('set-cookie')?.split(';')[0] ?? '',
      'x-csrf-token': session.csrfToken as string,
    }
  }

  it('is what a list may say of somebody once it was made, and not before', async () => {
    const load = async () => (await fleet.api.call<ImportReportView>('POST', '/v1/imports', roster)).body
    expect(await load()).to.include({ created: 0, rejected: 3 })
    expect(await client.putRole('dean', dean)).to.include({ outcome: 'created' })
    expect(await load()).to.include({ created: 2, rejected: 1 })
    const { roles } = await fleet.api.get<RoleList>('/v1/roles')
    expect(roles.find(({ id }) => id === 'dean')).to.deep.equal({ id: 'dean', ...dean, people: 2, builtIn: false })
    expect((await client.rehearse({ to: ['role:dean'] })).people).to.equal(2)
  })

  it('has one quota over the web, Telegram, SMS and the API, and no more than that by any key', async () => {
    apiKey = (await client.createApiKey({ owner: 'dina', role: 'staff', label: 'hers' })).apiKey
    const { code } = (
      await fleet.api.call<{ code: string }>('POST', '/v1/enrolments', { channel: 'telegram', person: 'dina' })
    ).body
    await telegram.asks(`/start ${code}`, 'Готово, Дина Декан')
    await telegram.asks('/limit', '3 сообщения из 3')

    const browser = await signIn()
    const onTheWeb = await post('/v1/messages', { to: [`group:${group}`], text: 'С веб-страницы' }, browser)
    expect([onTheWeb.status, onTheWeb.headers.get('quota-left')]).to.deep.equal([201, '2'])

    await telegram.asks('Из Telegram', 'Кому отправить?')
    await telegram.asks('ivt-102', 'Найдено')
    await telegram.press('ivt-102')
    await telegram.press('Дальше (1)')
    await telegram.press('Отправить сейчас')
    await until(async () => (await sentTo('Из Telegram')).length > 0, 'it goes out')

    const phones = textPhones(fleet)
    const heard = (pattern: RegExp) =>
      until(async () => (await phones.textsTo('sms', phone)).some((text) => pattern.test(text)), `${pattern} is heard`)
    await fleet.sandbox.say('sms', phone, 'ИВТ-102: По SMS')
    await heard(/^ivt-102: принято, 27 чел\. Сегодня ещё можно: 0$/)
    for (const text of ['С веб-страницы', 'Из Telegram', 'По SMS']) {
      await until(async () => {
        const reached = await sentTo(text)
        return goodContacts(membersOf(group)).every((address) => reached.includes(address))
      }, `everybody has "${text}"`)
    }

    const refused = await send('По ключу')
    expect([refused.status, (refused.body as { code?: string }).code]).to.deep.equal([429, 'quota'])
    expect((await post('/v1/messages', { to: [`group:${group}`], text: 'Ещё' }, browser)).status).to.equal(429)
    await fleet.sandbox.say('sms', phone, 'ИВТ-102: Ещё одно')
    await heard(/^Не отправлено: лимит 3 в день\./)
    await telegram.asks('/limit', '0 сообщений из 3')
    expect(await asDean().get('/v1/limits')).to.include({ limit: 3, used: 3, left: 0 })
  })

  it('is changed while all work: more messages at once, and less rights hold what is scheduled', async () => {
    const put = await client.putRole('dean', { ...dean, quota: 5 })
    expect(put.concerns).to.deep.equal([
      { code: 'role', role: 'dean', people: 2, keys: 0, messages: 0, held: false, atLeast: false },
    ])
    const at = new Date(Date.now() + 86_400_000).toISOString()
    const { status, body } = await asDean().call<Acceptance>('POST', '/v1/messages', {
      to: [`group:${group}`],
      text: 'Завтра',
      at,
    })
    expect(status).to.equal(201)
    const less = { ...dean, quota: 5, rights: 'student' } as const
    const foreseen = await client.putRole('dean', less, { dryRun: true })
    expect(foreseen.concerns).to.deep.include({
      code: 'role',
      role: 'dean',
      people: 2,
      keys: 0,
      messages: 1,
      held: true,
      atLeast: false,
    })
    await client.putRole('dean', less, { version: foreseen.version })
    expect((await send('Нельзя')).status).to.equal(403)
    await fleet.api.call('PATCH', `/v1/histories/${body.key}`, { at: new Date(Date.now() + 1000).toISOString() })
    await until(async () => (await client.history(body.key)).heldSince !== undefined, 'it is held')
    expect(await sentTo('Завтра')).to.deep.equal([])
  })
})
