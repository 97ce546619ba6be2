import type { HistoriesPage, Role } from '@courier-fleet/api-types'
import { until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import { ahead } from './api.ts'
import { type ApiGate, openApiGate } from './api-gate.ts'
import { type Fleet, startFleet } from './fleet.ts'
import { type Inbound, startInbound } from './inbound.ts'
import { allowedRates, expectForecastsKept } from './kept-forecasts.ts'
import { sendManyNewer } from './many-newer.ts'
import { addressesIn, goodContacts, isGood, membersOf } from './roster.ts'
import { type TelegramPhone, telegramPhone } from './telegram-phone.ts'

/** ИВТ-102 has two students who have blocked the bot; one of them can be reached in no other way */
const group = membersOf('ivt-102')
const [blocked] = group.filter(({ contacts }) => contacts.telegram === '70001020')
const onlyMissed = /^Кому: «Команда», «только те, до кого прежнее сообщение не дошло[\s\S]*\n\nОтправим 1 из 1\.\n/
/** how the bot begins when a message is over */
const outcomeText = /^(Дошло|Из )/

describe("the teacher's bot", () => {
  let fleet: Fleet
  let gate: ApiGate
  let bot: Inbound
  let teacher: TelegramPhone

  const put = async (path: string, body: unknown) => {
    const { status } = await fleet.api.call('PUT', path, body)
    if (status >= 300) throw new Error(`PUT ${path}: ${status}`)
  }
  const codeFor = async (person: string) =>
    (await fleet.api.call<{ code: string }>('POST', '/v1/enrolments', { channel: 'telegram', person })).body.code
  const historiesOf = async (owner: string, role: Role) =>
    (await (await fleet.apiOf(owner, role)).get<HistoriesPage>('/v1/histories')).histories

  before(async () => {
    fleet = await startFleet({ env: allowedRates })
    await put('/v1/people/teacher', {
      name: 'Анна Иванова',
      role: 'trainer',
      timeZone: 'Europe/Moscow',
      language: 'ru',
    })
    await put('/v1/groups/retake', { name: 'Пересдача', owners: ['teacher'] })
    const overlap = group.slice(0, 5).map(({ id }) => id)
    await fleet.api.call('POST', '/v1/groups/retake/members', { people: overlap })
    const ivt = await fleet.api.get<{ name: string; owners: string[] }>('/v1/groups/ivt-102')
    await put('/v1/groups/ivt-102', { name: 'ИВТ-102', owners: [...ivt.owners, 'teacher'] })
    gate = await openApiGate(fleet.apiUrl)
    bot = await startInbound(fleet, 'bot', { FLEET_API_URL: gate.url })
    teacher = telegramPhone(fleet.sandbox, '71000001')
  })
  after(async () => {
    await bot.stop()
    await gate.close()
    await fleet.stop()
  })

  it('knows nobody without a code, and links the chat with one', async () => {
    await teacher.asks('/send', 'Я вас пока не знаю')
    await teacher.asks('/start 00000000', 'не подходит')
    const code = await codeFor('teacher')
    await teacher.asks(`КОД ${code.slice(0, 4)} ${code.slice(4)}`, 'Готово, Анна Иванова')
    await teacher.asks('/limit', '4 сообщения из 4')
  })

  it('answers a stranger in the language they use Telegram in', async () => {
    for (const [address, language, answer] of [
      ['70009901', 'en', 'I do not know you yet'],
      ['70009902', 'ru', 'Я вас пока не знаю'],
    ] as const) {
      await fleet.sandbox.phones([{ channel: 'telegram', address, language }])
      const stranger = telegramPhone(fleet.sandbox, address)
      await stranger.asks('/start', answer)
    }
  })

  it('sends to two overlapping groups and names whom it did not reach', async () => {
    const text = 'Пары не будет *завтра* <b>'
    await teacher.asks(text, 'Кому отправить?')
    await teacher.press('ИВТ-102')
    await teacher.press('Пересдача')
    await teacher.sees('Выбрано: «ИВТ-102», «Пересдача»')
    await teacher.press('Дальше (2)')
    const preview = await teacher.sees('5 человек есть в нескольких группах; каждому отправим один раз')
    expect(preview.text).to.include(`Иванова А. · ИВТ-102, Пересдача\n${text}`).and.include('1 SMS на человека, всего ')
    await teacher.press('Отправить сейчас')
    const outcome = await teacher.sees(outcomeText)
    expect(outcome.id).to.equal(preview.id)
    expect(outcome.text).to.include(`• ${blocked?.name}: Telegram: не дошло (отправитель заблокирован)`)
    expect(outcome.text).to.match(/Кому: «ИВТ-102», «Пересдача»\.\nТекст:\nПары не будет \*завтра\* <b>$/)
    // whoever has blocked the bot, or has no account any more, is not to be had by sending it again
    expect(outcome.buttons ?? []).to.deep.equal([])
    expect(outcome.text).to.include('\n\nПисать некуда: 3 человека. Позвоните им или скажите сами')
    const rows = await fleet.sandbox.accepted(text)
    expect(addressesIn(rows)).to.deep.equal(goodContacts(group))
    for (const { channel, text: read } of rows)
      expect(read).to.equal(`Иванова А.${channel === 'sms' ? ',' : ' ·'} ИВТ-102, Пересдача\n${text}`)
  })

  it('keeps what was foretold of a message', async () => {
    await expectForecastsKept(await fleet.apiOf('teacher', 'trainer'), 'group:retake', 1)
  })

  it('offers to send again only where somebody can be reached, and /repeat does once they can', async () => {
    const there = group.find((student) => isGood(student, 'telegram'))
    const phone = { channel: 'telegram', address: '71000006' } as const
    await put('/v1/people/away', { name: 'Ушедший', role: 'student', language: 'ru' })
    await put('/v1/contacts/telegram/away', { address: phone.address })
    await fleet.sandbox.phones([{ ...phone, state: 'blocked' }])
    await put('/v1/people/coach', { name: 'Тренер', role: 'trainer', timeZone: 'Europe/Moscow', language: 'ru' })
    await put('/v1/groups/team', { name: 'Команда', owners: ['coach'] })
    await fleet.api.call('POST', '/v1/groups/team/members', { people: [there?.id, 'away'] })
    const coach = telegramPhone(fleet.sandbox, '71000004')
    await coach.asks(`/start ${await codeFor('coach')}`, 'Готово, Тренер')
    const text = 'Сбор у входа'
    await coach.asks(text, 'Кому отправить?')
    await coach.press('Команда')
    await coach.press('Дальше (1)')
    const first = await coach.press('Отправить сейчас')
    const told = await coach.becomes(first, /^Из 2 человек: .*не дошло — 1/)
    expect(told.buttons ?? []).to.deep.equal([])
    expect(told.text).to.match(/\n\nПисать некуда: 1 человек\. .*потом отправьте им ещё раз: \/repeat\.\n\nКому: /)
    const has = async () => (await fleet.sandbox.accepted(text)).map(({ address }) => address)
    const before = await has()

    await fleet.sandbox.phones([{ ...phone, state: 'ok' }])
    await telegramPhone(fleet.sandbox, phone.address).asks('/help', '/topics')
    await coach.asks('/repeat', 'Какое сообщение отправить ещё раз?')
    await coach.press(text)
    await coach.sees(`Кому отправить ещё раз?\n\n${text}`)
    await coach.isOffered('Всем, кому и в прошлый раз')
    await coach.press('Лишь тем, до кого не дошло (1)')
    const preview = await coach.sees(onlyMissed)
    await coach.press('Отправить сейчас')
    await coach.becomes(preview.id, /^Из 1 человека: .*в чат/)
    expect(await has()).to.deep.equal([...before, phone.address])
  })

  it('sends again, by a button below what has become of it, to those only whom it did not reach', async () => {
    const fault = { channel: 'telegram', kind: 'reject', code: 'CHAT_RESTRICTED', addresses: ['71000006'] } as const
    await fleet.sandbox.fault(fault)
    await put('/v1/people/second', { name: 'Второй', role: 'trainer', timeZone: 'Europe/Moscow', language: 'ru' })
    await put('/v1/groups/team', { name: 'Команда', owners: ['coach', 'second'] })
    const coach = telegramPhone(fleet.sandbox, '71000007')
    await coach.asks(`/start ${await codeFor('second')}`, 'Готово, Второй')
    const text = 'Сбор в зале'
    await coach.asks(text, 'Кому отправить?')
    await coach.press('Команда')
    await coach.press('Дальше (1)')
    const first = await coach.press('Отправить сейчас')
    const told = await coach.becomes(first, /^Из 2 человек: .*не дошло — 1/)
    expect(told.buttons).to.deep.equal([['Отправить им ещё раз (1)']])
    expect(told.text).not.to.include('некуда')
    await fleet.sandbox.clearFaults()
    await coach.press('Отправить им ещё раз')
    const preview = await coach.sees(onlyMissed)
    expect(preview.id).to.be.greaterThan(first)
    expect((await coach.messages()).find(({ id }) => id === first)?.text, 'it stays to be read').to.equal(told.text)
    await coach.press('Отправить сейчас')
    await coach.becomes(preview.id, /^Из 1 человека: .*в чат/)
    const took = (await fleet.sandbox.accepted(text)).map(({ address }) => address)
    expect(took.filter((address) => address === '71000006')).to.have.length(1)
  })

  it('takes a stored text, asks for its field and for what is not known of somebody, and shows it as one of them reads it', async () => {
    const exam = {
      name: { ru: 'Аудитория экзамена', en: 'Exam room' },
      text: '{{name}}, экзамен в ауд. {{room}}, место {{seat}}',
      fields: [{ name: 'room', label: { ru: 'аудитория', en: 'room' }, example: '204' }],
    }
    await put('/v1/templates/exam', exam)
    const coach = telegramPhone(fleet.sandbox, '71000004')
    await coach.asks('/templates', 'Какой шаблон взять?')
    await coach.press('Аудитория экзамена')
    await coach.sees('Напишите: аудитория (например, 204).')
    await coach.asks('305 <i>А</i> *', 'Кому отправить?')
    await coach.press('Команда')
    await coach.press('Дальше (1)')
    await coach.sees(/^Для 2 человек неизвестно то, о чём говорит текст\. .*\nНапишите: seat\.$/)
    const preview = await coach.asks('любое', 'Текст, как его прочтёт ')
    expect(preview.text).to.match(/, экзамен в ауд\. 305 <i>А<\/i> \*, место любое$/)
    await coach.press('Отправить сейчас')
    await coach.becomes(preview.id, outcomeText)
    const [sent] = await historiesOf('coach', 'trainer')
    const fields = { room: '305 <i>А</i> *', seat: 'любое' }
    expect(sent).to.deep.include({ template: { id: 'exam', version: 1 }, fields })
    const rows = await fleet.sandbox.accepted(undefined, 'telegram')
    const [row] = rows.filter(({ address, text }) => address === '71000006' && text.includes('экзамен'))
    expect(row?.text).to.match(/\nУшедший, экзамен в ауд\. 305 <i>А<\/i> \*, место любое$/)
  })

  it('says before sending by which channels it goes first, where its type has steps', async () => {
    const steps = [{ channels: ['telegram'] }, { channels: ['sms'], after: 'PT2M', unless: 'sent' }]
    await put('/v1/types/alert', { name: { ru: 'Тревога', en: 'Alert' }, steps })
    await put('/v1/templates/alert', { name: { ru: 'Учебная тревога', en: 'Drill' }, text: 'Выходите', type: 'alert' })
    const coach = telegramPhone(fleet.sandbox, '71000004')
    await coach.asks('/templates', 'Какой шаблон взять?')
    await coach.press('Учебная тревога')
    await coach.sees('Кому отправить?')
    await coach.press('Команда')
    await coach.press('Дальше (1)')
    const { text } = await coach.sees(/\nВыходите$/)
    expect(text.replaceAll('\u00a0', ' ')).to.include(
      '\n\nTelegram: не больше 2 человек.\n' +
        'SMS, позже на 2 минуты, только тем, кому не отправилось раньше: не больше 1 человека.\n',
    )
    await coach.asks('/cancel', 'Черновик удалён')
  })

  it('takes no forged and no old buttons', async () => {
    const screen = await teacher.asks('/send', 'Кому отправить?')
    const stale = (await teacher.messages()).find(({ text }) => text.match(outcomeText))?.id as number
    for (const data of ['', 'x', 'AAAAAAAAAAAA:0', '__proto__:constructor', '{"do":"send"}']) {
      await teacher.forge(screen.id, data)
      await teacher.isTold('устарела')
      await teacher.press('Пересдача')
      await until(async () => !(await fleet.sandbox.chat('telegram', '71000001')).notice, 'an honest press is taken')
    }
    await teacher.forge(stale, 'AAAAAAAAAAAA:0')
    await teacher.isTold('устарела')
    await teacher.asks('/cancel', 'Черновик удалён')
  })

  it('schedules, asks back what is unclear, moves and cancels', async () => {
    await teacher.asks('/send', 'Кому отправить?')
    await teacher.asks('пересд', 'Найдено по «пересд»: 1')
    await teacher.press('Пересдача')
    await teacher.press('Дальше (1)')
    await teacher.sees('Теперь напишите текст')
    await teacher.asks('Консультация', 'Отправим ')
    await teacher.press('Позже')
    await teacher.sees('Когда отправить?')
    await teacher.asks('завтра', 'в котором часу')
    await teacher.asks('вчера 8:30', 'уже прошло')
    await teacher.asks('завтра 8:30', /Когда: .* в 0?8:30/)
    await teacher.press('Запланировать')
    await teacher.sees(/Запланировано: .*0?8:30/)
    await teacher.press('Перенести')
    await teacher.sees('Когда отправить?')
    await teacher.asks('завтра 9:15', /Перенесено: .*9:15/)
    await teacher.sees(/Запланировано: .*9:15/)
    await teacher.press('Отменить')
    await teacher.sees('Отменить это сообщение?')
    await teacher.press('Оставить')
    await teacher.sees('всё остаётся как есть')
    await teacher.asks('/reschedule', 'Какое сообщение перенести')
    await teacher.press('Консультация')
    await teacher.sees('Когда отправить?')
    await teacher.asks('завтра 9:45', /Перенесено: .*9:45/)
    await teacher.sees(/Запланировано: .*9:45/)
    await teacher.asks('/cancel', 'Какое сообщение отменить')
    await teacher.press('Консультация')
    await teacher.sees('Отменено, никому не отправлено')
    const [latest] = await historiesOf('teacher', 'trainer')
    expect(latest?.state).to.equal('cancelled')
    await teacher.asks('/history', /Отменено, никому не отправлено[\s\S]*Из 27: доставлено \d+, в чат \d+/)
    await teacher.asks('/limit', '3 сообщения из 4')
  })

  it('finds what is due next week behind however many newer ones, and says no more of what was cancelled meanwhile', async () => {
    await put('/v1/people/registrar', { name: 'Секретарь', role: 'staff', timeZone: 'Europe/Moscow', language: 'ru' })
    const registrar = telegramPhone(fleet.sandbox, '71000008')
    await registrar.asks(`/start ${await codeFor('registrar')}`, 'Готово, Секретарь')
    const api = await fleet.apiOf('registrar', 'staff')
    const key = await api.send({ to: ['group:retake'], text: 'Сессия', at: ahead(7 * 24 * 3_600_000) })
    await sendManyNewer(api, ['group:retake'])
    await registrar.asks('/cancel', 'Какое сообщение отменить')
    await registrar.isOffered('Сессия')
    await registrar.asks('/reschedule', 'Какое сообщение перенести')
    await registrar.press('Сессия')
    await registrar.sees('Когда отправить?')
    expect((await api.call('DELETE', `/v1/histories/${key}`)).status).to.be.below(300)
    await registrar.asks('завтра 9:45', /^Поздно: отправка уже началась, закончилась или отменена\.$/)
    await registrar.asks('/reschedule', 'Запланированных сообщений нет.')
  })

  it('words what the service refuses, and shows nobody its English', async () => {
    const owned = (owners: readonly string[]) => put('/v1/groups/retake', { name: 'Пересдача', owners })
    await teacher.asks('/send', 'Кому отправить?')
    await teacher.press('Пересдача')
    await teacher.press('Дальше (1)')
    await teacher.sees('Теперь напишите текст')
    await owned([])
    const before = (await teacher.messages()).length
    await teacher.asks('чужим', 'Вам нельзя писать этим людям.')
    await teacher.asks('/cancel', 'Черновик удалён')
    for (const { text } of (await teacher.messages()).slice(before)) expect(text).not.to.match(/[a-z]{3}/)
    await owned(['teacher'])
  })

  it('says when the next one is possible once the day is used up', async () => {
    const again = async (text: string) => {
      await teacher.asks('/repeat', 'ещё раз?')
      await teacher.press('Пары не будет')
      await teacher.press('Всем')
      await teacher.isOffered('Отправить сейчас')
      await teacher.asks(text, new RegExp(`Текст:\n.*\n${text}`))
      return teacher.press('Отправить сейчас')
    }
    for (const text of ['второе', 'третье', 'четвёртое']) await teacher.becomes(await again(text), outcomeText)
    const fifth = await again('пятое')
    const refused = await teacher.becomes(fifth, 'Не отправлено: на сегодня сообщения кончились. Снова можно: ')
    expect(refused.text).to.match(/Снова можно: .* в 0?0:00/)
    await teacher.becomes(fifth, /Текст:\n.*\nпятое/)
    expect(await fleet.sandbox.accepted('пятое')).to.deep.equal([])
    await teacher.asks('/limit', '0 сообщений из 4')
    await teacher.asks('/cancel', 'Черновик удалён')
  })

  it('offers a sender to have it sent now to those who are to be online first, and says that quiet hours are kept', async () => {
    await put('/v1/people/warden', { name: 'Комендант', role: 'trainer', timeZone: 'Europe/Moscow', language: 'ru' })
    await put('/v1/groups/floor', { name: 'Этаж', owners: ['warden'] })
    const one = group.find((student) => isGood(student, 'telegram'))
    await fleet.api.call('POST', '/v1/groups/floor/members', { people: [one?.id] })
    const warden = telegramPhone(fleet.sandbox, '71000005')
    await warden.asks(`/start ${await codeFor('warden')}`, 'Готово, Комендант')
    const api = await fleet.apiOf('warden', 'trainer')
    const text = 'Ключ у вахты'
    const key = await api.send({ to: ['group:floor'], text, channels: ['telegram'], whenOnline: true })
    await until(async () => (await api.history(key)).waiting?.[0]?.cause === 'online', 'it waits')
    await warden.asks('/waiting', 'Эти сообщения кто-то ждёт')
    await warden.press(text)
    await warden.isOffered('Отменить только для них')
    await warden.press('Отправить им сейчас')
    await warden.sees('Отправляю: 1 человек. Тихие часы соблюдаются.')
    await until(async () => (await fleet.sandbox.accepted(text)).length === 1, 'it arrives')
  })

  it('tells a sender who may not send in quiet hours who can', async () => {
    const one = group.find((student) => isGood(student, 'telegram'))
    const there = { timeZone: one?.timeZone, hour: '2-digit', minute: '2-digit' } as const
    const clock = (hours: number) => new Intl.DateTimeFormat('en-GB', there).format(Date.now() + hours * 3_600_000)
    await put(`/v1/people/${one?.id}/wishes`, { off: [], quiet: { from: clock(-1), to: clock(2) } })
    const warden = telegramPhone(fleet.sandbox, '71000005')
    const api = await fleet.apiOf('warden', 'trainer')
    const text = 'Утром у вахты'
    const key = await api.send({ to: ['group:floor'], text, channels: ['telegram'] })
    await until(async () => (await api.history(key)).waiting?.[0]?.cause === 'quiet', 'it waits')
    await warden.asks('/waiting', 'Эти сообщения кто-то ждёт')
    await warden.press(text)
    await warden.sees('Если ждать нельзя, обратитесь к оператору: он может отправить и в тихие часы')
    await warden.press('Отменить только для них')
    await put(`/v1/people/${one?.id}/wishes`, { off: [] })
  })

  it('lets students stop, start and choose their language, and send nothing', async () => {
    await put(`/v1/people/${group[2]?.id}`, {
      name: 'Студент',
      role: 'student',
      timeZone: 'Europe/Moscow',
      language: 'ru',
    })
    const one = telegramPhone(fleet.sandbox, '71000002')
    await one.asks(`/start ${await codeFor(group[2]?.id as string)}`, 'Готово, Студент')
    await one.asks('Ура, каникулы', 'Студенты не могут')
    await one.asks('/send', 'Студенты не могут')
    await one.asks('СТОП всё', 'больше не придут')
    await one.asks('/help', 'просили не писать')
    await one.asks('/start', 'снова будут приходить')
    await one.asks('/lang', 'Language')
    await one.press('English')
    await one.sees('in English')
    await one.asks('/help', 'get no messages here')
    await one.asks('/unlink', 'Unlink this chat?')
    await one.press('Unlink')
    await one.sees('You need a new code')
    await one.asks('/help', 'I do not know you yet')
  })

  describe('killed, or cut off from the API', () => {
    const members = group.slice(0, 5)
    let dean: TelegramPhone
    before(async () => {
      await put('/v1/people/dean', { name: 'Декан', role: 'staff', timeZone: 'Europe/Moscow', language: 'ru' })
      dean = telegramPhone(fleet.sandbox, '71000003')
      await dean.asks(`/start ${await codeFor('dean')}`, 'Готово, Декан')
    })

    /** Up to the button that sends. */
    async function compose(text: string): Promise<void> {
      await dean.asks(text, 'Страница 1 из')
      await dean.asks('пересдача', 'Найдено')
      await dean.press('Пересдача')
      await dean.press('Дальше (1)')
      await dean.isOffered('Отправить сейчас')
    }
    async function expectSentOnce(text: string): Promise<void> {
      expect(addressesIn(await fleet.sandbox.accepted(text))).to.deep.equal(goodContacts(members))
      const sent = (await historiesOf('dean', 'staff')).filter((history) => history.text === text)
      expect(sent.map(({ state, source }) => [state, source])).to.deep.equal([['settled', 'bot']])
    }

    it('while choosing: it knows what was chosen, and hears what was written meanwhile', async () => {
      await dean.asks('/send', 'Страница 1 из')
      await dean.press('ещё')
      await dean.sees('Страница 2 из')
      await dean.asks('пересдача', 'Найдено')
      await dean.press('Пересдача')
      await dean.isOffered('Дальше (1)')
      // one event of a chat after the other: once this one is answered, what was chosen before it is kept
      await dean.asks('/help', '/send')
      await bot.kill()
      await dean.say('/limit')
      await bot.start()
      await dean.sees('16 сообщений из 16')
      await dean.press('Дальше (1)')
      await dean.sees('Теперь напишите текст')
      await dean.asks('/cancel', 'Черновик удалён')
    })

    it('while it answers: the same is answered after the start, once', async () => {
      const stopped = gate.stop('GET', /^\/v1\/limits/)
      const before = (await dean.messages()).length
      await dean.say('/limit')
      await stopped
      await bot.kill()
      await bot.start()
      await until(async () => (await dean.messages()).length > before, 'it is answered')
      await dean.asks('/help', '/send')
      const since = (await dean.messages()).slice(before).map(({ text }) => text.slice(0, 15))
      expect(since).to.have.length(2)
      expect(since[0]).to.equal('Сегодня осталос')
    })

    for (const kind of ['throttle', 'reply-lost', 'disconnect'] as const)
      it(`by Telegram (${kind}): it says everything, once`, async () => {
        const before = (await dean.messages()).length
        await fleet.sandbox.fault({ channel: 'telegram', kind, addresses: ['71000003'], count: 1, seconds: 1 })
        await dean.asks('/limit', 'Сегодня осталось')
        await dean.asks('/help', '/send')
        expect(await dean.messages()).to.have.length(before + 2)
        expect(await fleet.sandbox.faults()).to.deep.equal([])
      })

    it('between the confirmation and its key: the button is still there, and sends once', async () => {
      await compose('без ключа')
      const stopped = gate.stop('POST', /history-keys/)
      await dean.press('Отправить сейчас')
      await stopped
      await bot.kill()
      await bot.start()
      await dean.becomes(await dean.press('Отправить сейчас'), outcomeText)
      await expectSentOnce('без ключа')
    })

    for (const [when, trap] of [
      ['before the message was taken', 'stop'],
      ['after the message was taken, its answer lost', 'swallow'],
    ] as const)
      it(`${when}: the next start sees to it that it was sent, once`, async () => {
        await compose(when)
        const trapped = gate[trap]('PUT', /^\/v1\/histories\//)
        const message = await dean.press('Отправить сейчас')
        await trapped
        await bot.kill()
        await bot.start()
        await dean.becomes(message, outcomeText)
        await expectSentOnce(when)
      })

    it('while it is being sent: it goes on watching, and tells the end in the same message', async () => {
      await fleet.kill('courier-vk-1')
      await compose('в пути')
      const message = await dean.press('Отправить сейчас')
      await dean.becomes(message, 'Отправляется. Из 5 человек')
      await bot.kill()
      await fleet.start('courier-vk-1')
      await bot.start()
      await dean.becomes(message, outcomeText)
      await expectSentOnce('в пути')
    })

    it('says that the service is away, keeps the draft, and goes on when it is back', async () => {
      await compose('позже')
      await fleet.kill('queue')
      await dean.press('Отправить сейчас')
      await dean.isTold('Сервис сейчас не отвечает')
      await fleet.start('queue')
      await dean.becomes(await dean.press('Отправить сейчас'), outcomeText)
      await expectSentOnce('позже')
    })
  })
})
