import type { ApplicationList, EnrolmentView, HistoriesPage, PersonDetails } from '@courier-fleet/api-types'
import type { ContactState } from '@courier-fleet/directory'
import { smpp } from '@courier-fleet/smpp'
import { until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import { freePort } from '../../scripts/free-port.mjs'
import { ahead } from './api.ts'
import { openApiGate } from './api-gate.ts'
import { codeToApply } from './applicant.ts'
import { type Fleet, startFleet } from './fleet.ts'
import { type Inbound, startInbound } from './inbound.ts'
import { allowedRates, expectForecastsKept } from './kept-forecasts.ts'
import { sendManyNewer } from './many-newer.ts'
import { addressesIn, goodContacts, membersOf } from './roster.ts'
import { startScriptedCentre, textFrom } from './scripted-centre.ts'

/** t-01, who owns ivt-101 and ivt-102; t-05, who owns ekn-101 and ekn-102 */
const [teacher, otherTeacher] = ['+79001007807', '+79001007955']
/** d-01, of the staff */
const staff = '+79001008251'
/** s-ivt-101-01 */
const student = '+79001000037'
const secret = 'a-secret-of-the-gateway'

describe('texts from phones', () => {
  let fleet: Fleet
  let inbound: Inbound
  let httpUrl: string
  const say = (from: string, text: string) => fleet.sandbox.say('sms', from, text)

  /** Everything that came to this phone by SMS, oldest first. */
  const textsOn = async (phone: string) =>
    (await fleet.sandbox.accepted(undefined, 'sms')).filter(({ address }) => address === phone).map(({ text }) => text)
  const heard = (phone: string, pattern: RegExp, times = 1) =>
    until(
      async () => (await textsOn(phone)).filter((text) => pattern.test(text)).length >= times,
      `${phone} hears ${pattern}`,
    )
  const times = async (phone: string, pattern: RegExp) =>
    (await textsOn(phone)).filter((text) => pattern.test(text)).length
  const sentTo = async (text: string) => addressesIn(await fleet.sandbox.accepted(text))

  /** As a gateway calls. */
  const call = async (fields: Record<string, string>) => {
    const response = await fetch(`${httpUrl}?${new URLSearchParams({ secret, to: '3377', ...fields })}`)
    const { status, headers } = response
    return { status, coding: headers.get('x-kannel-coding'), text: await response.text() }
  }

  before(async () => {
    fleet = await startFleet({ env: allowedRates })
    const port = await freePort()
    httpUrl = `http://127.0.0.1:${port}/sms-inbound`
    inbound = await startInbound(fleet, 'sms-inbound', {
      SMS_INBOUND_HTTP_PORT: String(port),
      SMS_INBOUND_HTTP_SECRET: secret,
    })
  })
  after(async () => {
    await inbound?.stop().finally(() => fleet.stop())
  })

  it('let a teacher cancel a class, and tell what came of it', async () => {
    await say(teacher, 'ИВТ 102: Пары сегодня не будет')
    await heard(teacher, /^ivt-102: принято, 27 чел\. Сегодня ещё можно: 3$/)
    await heard(teacher, /^(ivt-102\. )?Из 27: .*не дошло 2, без конт(акта|\.) 1$/)
    expect(await sentTo('Пары сегодня не будет')).to.deep.equal(goodContacts(membersOf('ivt-102')))
  })

  it('send once what the centre brings twice', async () => {
    const text = 'Ивт-102 : Зачёт перенесён'
    await Promise.all([say(teacher, text), say(teacher, text)])
    await heard(teacher, /можно: 2$/)
    await say(teacher, text)
    await say(teacher, 'лимит')
    await heard(teacher, /^Осталось сегодня: 2 из 4/)
    await heard(teacher, /^(ivt-102\. )?Из 27: /, 2)
    expect(await sentTo('Зачёт перенесён')).to.deep.equal(goodContacts(membersOf('ivt-102')))
  })

  it('may be long', async () => {
    const text = `${'Консультация переносится на завтра, аудитория 512. '.repeat(3)}🎓`
    await say(teacher, `ИВТ-102: ${text}`)
    await heard(teacher, /можно: 1$/)
    await until(async () => (await sentTo(text)).length > 0, 'it goes out')
  })

  it('keep what was foretold of them', async () => {
    await expectForecastsKept(await fleet.apiOf('t-01', 'trainer'), 'group:ivt-102', 3)
  })

  it('ask back what can be meant in two ways, and say what there is not', async () => {
    await fleet.api.call('PUT', '/v1/groups/lab-a', { name: 'Кружок', owners: [] })
    await fleet.api.call('PUT', '/v1/cohorts/lab-b', { name: 'кружок', owners: [], groups: ['choir'] })
    await say(staff, 'КРУЖОК: Сбор в шесть')
    await heard(staff, /^(Не отправлено: )?«КРУЖОК» — это что\? group:lab-a или cohort:lab-b$/)
    await say(staff, 'choir, ИВТ-10: Сбор в шесть')
    await heard(staff, /^Не отправлено: у вас нет «ИВТ-10»\. Похоже: ivt-101/)
    await say(teacher, 'choir: Сбор в шесть')
    await heard(teacher, /^Не отправлено: у вас нет «choir»/)
    await say(student, 'ИВТ-101: Сбор в шесть')
    await heard(student, /^Вы не можете рассылать/)
    await say(student, 'лимит')
    await heard(student, /^Вы не можете рассылать/, 2)
    for (const id of ['1', '2', '3']) await call({ from: student, text: 'Я за рулём: перезвоню', id })
    expect(await sentTo('Сбор в шесть')).to.deep.equal([])
    await say(staff, 'cohort:lab-b: Сбор в шесть')
    await heard(staff, /принято, 17 чел/)
  })

  it('are refused over the limit, with the time it will pass, whichever way they are sent', async () => {
    expect((await call({ from: teacher, text: 'ИВТ-102: Четвёртое', id: '4' })).status).to.equal(200)
    await heard(teacher, /можно: 0$/)
    for (const id of ['5', '5']) await call({ from: teacher, text: 'ИВТ-102: Пятое', id })
    await heard(teacher, /^Не отправлено: лимит 4 в день\. Можно с \d\d\.\d\d, 00:00$/)
    expect(await sentTo('Пятое')).to.deep.equal([])
    const { histories } = await fleet.api.get<HistoriesPage>('/v1/histories')
    expect(histories).to.deep.equal([])
  })

  it('end messages with STOP, which is told as the reason, and begin them with START', async () => {
    const stateOf = async () =>
      (await fleet.api.get<PersonDetails>('/v1/people/s-ivt-101-01')).contacts.sms?.state as ContactState
    await heard(student, /рассылать/, 3)
    expect(await times(student, /рассылать/)).to.equal(3)
    await say(student, ' Стоп! ')
    await heard(student, /^Больше сюда не пишем/)
    expect(await stateOf()).to.equal('opted-out')
    await say(student, 'кто это')
    await heard(student, /^Вы отписались/)
    const send = () => fleet.api.deliver({ to: ['user:s-ivt-101-01'], channels: ['sms'], text: 'после стопа' })
    const [row] = await fleet.api.receipts((await send()).history.key)
    expect(row?.channels.sms).to.deep.include({ state: 'suppressed', reason: 'opted-out' })
    await say(student, 'START')
    await heard(student, /^Снова пишем сюда/)
    expect(await stateOf()).to.equal('active')
    expect((await send()).ending).to.be.oneOf(['everyone', 'handed-over'])
    expect(await sentTo('после стопа')).to.have.length(1)
  })

  it('link a number with a code, and answer a stranger once', async () => {
    const stranger = '+79005550101'
    for (const text of ['Здравствуйте', 'ИВТ-101: Пары не будет', 'Стоп', 'ау']) await say(stranger, text)
    await heard(stranger, /^Ваш номер нам не знаком/)
    await say(stranger, 'КОД 00000000')
    await heard(stranger, /^Код не подошёл/)
    const enrolment = { channel: 'sms', person: 't-08' }
    const { body } = await fleet.api.call<EnrolmentView>('POST', '/v1/enrolments', enrolment)
    await fleet.sandbox.follow('sms', stranger, body.url as string)
    await heard(stranger, /^This number is linked to Прохоров Владислав/)
    await say(stranger, 'chess-club: Tonight at six')
    await heard(stranger, /^chess-club: accepted for 13 people/)
    expect(await times(stranger, /не знаком/)).to.equal(1)
  })

  it('prove the number of somebody who applies, who is linked to nobody by that', async () => {
    const number = '+79005550103'
    await say(number, `КОД ${await codeToApply(fleet, 'sms', 'ru')}`)
    await heard(number, /^Номер подтверждён, заявка у деканата\. Ответ на странице заявки\.$/)
    const { applications } = await fleet.api.get<ApplicationList>('/v1/applications')
    expect(applications.map(({ channel, address, linkedTo }) => [channel, address, linkedTo])).to.deep.equal([
      ['sms', number, undefined],
    ])
  })

  it('come from an HTTP gateway, which says to strangers what it is answered', async () => {
    const stranger = '+79005550102'
    expect(await call({ from: stranger, text: 'ау' })).to.deep.include({ status: 200 })
    expect(await call({ from: stranger, text: 'ау' })).to.deep.equal({ status: 200, coding: null, text: '' })
    expect(await call({ from: '+79005550103', text: 'ау' })).to.deep.equal({
      status: 200,
      coding: '2',
      text: 'Ваш номер нам не знаком. Возьмите код и пришлите: КОД 12345678',
    })
    const body = new URLSearchParams({
      secret,
      from: otherTeacher.slice(1),
      to: '3377',
      charset: 'UTF-16BE',
      coding: '2',
    })
    const octets = [...Buffer.from('ЭКН-101: Через шлюз', 'utf16le').swap16()]
    const text = octets.map((octet) => `%${octet.toString(16).padStart(2, '0')}`).join('')
    expect(await (await fetch(`${httpUrl}?${body}&text=${text}`)).text()).to.equal('')
    await heard(otherTeacher, /^ekn-101: принято, 30 чел/)
    expect((await call({ secret: 'guessed', from: teacher, text: 'ИВТ-102: x' })).status).to.equal(403)
    expect((await call({ from: 'Bank', text: 'x' })).status).to.equal(400)
    expect((await call({ from: teacher, text: 'x', charset: 'none' })).status).to.equal(400)
  })

  it('wait while the API is away', async () => {
    await fleet.kill('queue')
    expect((await call({ from: staff, text: 'лимит' })).status).to.equal(503)
    await say(staff, 'помощь')
    await fleet.start('queue')
    await heard(staff, /^ИВТ-101: текст\. ИВТ-101 завтра 8:00: текст/)
  })

  it('are for later where a moment stands behind the names; the last one is told of, and cancelled', async () => {
    const api = await fleet.apiOf('d-01', 'staff')
    const latest = async (count: number) =>
      (await api.get<HistoriesPage>('/v1/histories')).histories.slice(0, count).map(({ state }) => state)
    await say(staff, 'chess-club завтра 8:00 Турнир')
    await heard(staff, /^Не отправлено: нет текста\. Пишите: ИВТ-101 завтра 8:00: текст$/)
    for (const text of ['Турнир', 'Ещё турнир', 'Третий']) {
      await say(staff, `chess-club завтра 8:00: ${text}`)
      await until(
        async () => (await api.get<HistoriesPage>('/v1/histories')).histories[0]?.text === text,
        'it is taken',
      )
    }
    await heard(staff, /^chess-club: принято на \d\d\.\d\d, 08:00, 13 чел\./, 3)
    await say(staff, 'choir завтра в 9: Спевка')
    await heard(staff, /^choir: принято на \d\d\.\d\d, 09:00, \d+ чел\./)
    await say(staff, 'итог')
    await heard(staff, /^choir\. Ещё не отправлено: \d+ чел\.$/)
    expect(await latest(4)).to.deep.equal(['scheduled', 'scheduled', 'scheduled', 'scheduled'])

    await say(staff, 'ОТМЕНА')
    await heard(staff, /^Отменено, никому не отправлено: choir$/)
    // written once more it means the same one, and names the next
    await say(staff, 'Отмена!')
    await heard(staff, /^Уже отменено\. Другое отменит ОТМЕНА chess-club$/)
    expect(await latest(4)).to.deep.equal(['cancelled', 'scheduled', 'scheduled', 'scheduled'])
    await say(staff, 'отмена шахматы')
    await heard(staff, /^Не отменено: у вас нет «шахматы»/)

    await say(student, 'отмена')
    await heard(student, /^Отменять нечего\. Не получать сообщений: СТОП$/)
    await say(student, 'помощь')
    await heard(student, /^ПОДПИСКА хор/)
    for (const text of ['Турнир', 'Ещё турнир', 'Третий', 'Спевка']) expect(await sentTo(text)).to.deep.equal([])
  })

  it('are not lost, sent twice or answered twice, whenever the process is killed', async () => {
    const gate = await openApiGate(fleet.apiUrl)
    const centre = await startScriptedCentre()
    const other = await startInbound(fleet, 'sms-inbound', {
      SMS_INBOUND_SMPP_URL: centre.url,
      FLEET_API_URL: gate.url,
    })
    const killedAt = async (trapped: Promise<void>) => {
      await trapped
      await other.kill()
      await other.start()
    }
    try {
      const text = `ЭКН-102: ${'Лекция переносится в аудиторию 512 '.repeat(3)}конец`
      const parts = text.match(/[\s\S]{1,60}/gu) as string[]
      const part = (index: number) => {
        const header = Buffer.from([6, 8, 4, 1, 7, parts.length, index + 1])
        return textFrom(otherTeacher, Buffer.concat([header, smpp.encodings.UCS2.encode(parts[index] as string)]))
      }
      expect(parts).to.have.length(2)
      expect(await centre.bring(part(1))).to.equal(0)
      await other.kill()
      await other.start()

      // the message is accepted, and nobody here knows it; then the answer is, and the centre has not been told
      const swallowed = [gate.swallow('PUT', /\/histories\//), gate.swallow('POST', /\/answers$/)]
      const taken = centre.deliverUntilTaken(part(0))
      for (const trapped of swallowed) await killedAt(trapped)
      await taken
      await heard(otherTeacher, /^ekn-102: принято, 29 чел/)
      await heard(otherTeacher, /^(ekn-102\. )?(Дошло до всех: 29|Из 29: )/)

      // cancelled, and nobody here knows it: brought again it cancels no other
      const api = await fleet.apiOf('d-01', 'staff')
      const states = async () =>
        (await api.get<HistoriesPage>('/v1/histories')).histories.slice(0, 4).map(({ state }) => state)
      const cancelled = gate.swallow('DELETE', /\/histories\//)
      const cancelling = centre.deliverUntilTaken(textFrom(staff, 'отмена chess-club'))
      await killedAt(cancelled)
      await cancelling
      await heard(staff, /^Отменено, никому не отправлено: chess-club$/)
      expect(await states()).to.deep.equal(['cancelled', 'cancelled', 'scheduled', 'scheduled'])

      // taken, and its outcome owed
      const outcome = gate.stop('POST', /\/tracker$/)
      await centre.deliverUntilTaken(textFrom(otherTeacher, 'экн 102: Ещё одно'))
      await killedAt(outcome)
      await heard(otherTeacher, /^(ekn-102\. )?(Дошло до всех: 29|Из 29: )/, 2)

      // receipts are the couriers'
      const receipt = { esm_class: 4, source_addr: '79001000037', short_message: Buffer.from('id:1 stat:DELIVRD') }
      expect(await centre.bring(receipt)).to.equal(0x64)
      await centre.deliverUntilTaken(textFrom('+79005550104', 'who?'))
      await until(async () => centre.submitted.length === 1, 'the stranger is answered')
      expect(centre.submitted[0]).to.deep.equal({
        to: '+79005550104',
        text: 'We do not know your number. Ask for a code and send: CODE 12345678',
      })

      expect(await times(otherTeacher, /^ekn-102: принято, 29/)).to.equal(2)
      expect(await times(otherTeacher, /^(ekn-102\. )?(Дошло до всех: 29|Из 29: )/)).to.equal(2)
      for (const sent of [text.slice('ЭКН-102: '.length), 'Ещё одно'])
        expect(await sentTo(sent)).to.deep.equal(goodContacts(membersOf('ekn-102')))
    } finally {
      await other.stop()
      await Promise.all([centre.stop(), gate.close()])
    }
  })

  it('cancel the last to a group behind however many newer ones to others, and say of what reached nobody that it is over', async () => {
    const phone = '+79005550177'
    const registrar = { name: 'Секретарь', role: 'staff', timeZone: 'Europe/Moscow', language: 'ru' }
    const calls: [path: string, body: object][] = [
      ['/v1/people/registrar', registrar],
      ['/v1/contacts/sms/registrar', { address: phone }],
      ['/v1/people/out-of-reach', { name: 'Без контакта', role: 'student', language: 'ru' }],
    ]
    for (const [path, body] of calls) expect((await fleet.api.call('PUT', path, body)).status).to.be.below(300)
    const api = await fleet.apiOf('registrar', 'staff')
    await api.send({ to: ['group:chess-club'], text: 'Турнир', at: ahead(7 * 24 * 3_600_000) })
    await sendManyNewer(api, ['group:choir'])
    expect((await api.deliver({ to: ['user:out-of-reach'], text: 'Зайдите' })).history.state).to.equal('settled')
    await say(phone, 'отмена')
    await heard(phone, /^Не отменено, уже завершено: user:out-of-reach\. Ещё ждёт: chess-club$/)
    await say(phone, 'отмена chess-club')
    await heard(phone, /^Отменено, никому не отправлено: chess-club$/)
  })

  it('are carried out and not answered when they come too often, which is told once and logged', async () => {
    const spent = /^За 15 минут 30 ответов\. Команды исполняем, но ответим после \d\d:\d\d$/
    for (let id = 1; id <= 31; id += 1) {
      const { status, text } = await call({ from: otherTeacher, text: 'лимит', id: `often-${id}` })
      expect([status, text], `text ${id}`).to.deep.equal([200, ''])
    }
    await heard(otherTeacher, spent)
    expect((await call({ from: otherTeacher, text: 'ЭКН-101: Всё же', id: 'often-sent' })).status).to.equal(200)
    await until(async () => (await sentTo('Всё же')).length > 0, 'it goes out')
    expect(await times(otherTeacher, spent)).to.equal(1)
    expect(inbound.logged()).to.contain('a text was taken and not answered').and.contain('has had 30 answers')
  })
})
