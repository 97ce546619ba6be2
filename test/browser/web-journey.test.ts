/** A teacher at the web app, from signing in to "all received", with the phones of the sandbox beside it. */
import { until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import type { Browser } from 'playwright-core'
import { type Fleet, startFleet } from '../e2e/fleet.ts'
import { addressesIn, goodContacts, isGood, membersOf } from '../e2e/roster.ts'
import { seriousFindings } from './axe.ts'
import { launchChromium } from './chromium.ts'
import { choose, expectNoComplaints, hurry, type Visit, visit } from './visit.ts'

describe('a teacher at the web app', () => {
  let fleet: Fleet
  let browser: Browser
  let teacher: Visit
  const club = membersOf('robots')
  const audience = [...new Set([...membersOf('ivt-102'), ...club])]
  const members = membersOf('ivt-101')

  before(async () => {
    ;[fleet, browser] = await Promise.all([startFleet(), launchChromium()])
    await fleet.api.call('PUT', '/v1/groups/robots', { name: 'Кружок роботов', owners: ['t-01'] })
    teacher = await visit(browser, fleet)
  })
  after(async () => {
    await browser?.close()
    await fleet?.stop()
  })
  afterEach(function () {
    return expectNoComplaints.call(this, teacher)
  })

  /** the history the page is at */
  const keyShown = () => teacher.page.url().split('/').at(-1) as string

  it('signs in with a code that arrives on a phone, where the page says it does', async () => {
    const { page, context } = teacher
    const phones = context.waitForEvent('page')
    await page.getByRole('link', { name: 'стене телефонов' }).click()
    const wall = await phones
    await teacher.signIn('t-01')
    await page.getByRole('heading', { level: 1, name: 'Новое сообщение' }).waitFor()
    // on the wall stands the last message only, and that may be by now that somebody has signed in
    await wall.locator('.row', { hasText: 'Гусева Алёна' }).locator('.tile[data-channel=telegram]').click()
    await wall
      .locator('.phone')
      .getByText(/Код для входа/)
      .waitFor()
    await wall.close()
    const cookies = await context.cookies()
    expect(cookies.map(({ name }) => name)).to.have.members(['fleet_session', 'fleet_browser'])
    for (const { httpOnly, sameSite } of cookies) expect([httpOnly, sameSite]).to.deep.equal([true, 'Strict'])
  })

  it('sends to two overlapping groups, everyone once, and sees who was not reached and why', async () => {
    const { page } = teacher
    await choose(page, /^ivt-102/, /^Кружок роботов/)
    await page.getByLabel('Текст', { exact: true }).fill('Пары не будет')
    await page.getByText('6 человек есть в нескольких группах; каждому отправим один раз').waitFor()
    const withContact = audience.filter(({ contacts }) => Object.keys(contacts).length > 0).length
    await page.getByText(`Отправим ${withContact} из ${audience.length}`).waitFor()
    await page.getByText(/^1 SMS на человека, всего \d+; /).waitFor()
    await page
      .locator('[data-phone=telegram] .bubble', { hasText: /^Гусева А\. · ivt-102, Кружок роботов\nПары не будет$/ })
      .waitFor()
    await page.getByText('Осталось сегодня: 4 из 4').waitFor()
    const send = page.getByRole('button', { name: `Отправить: ${withContact} ` })
    // on a phone the page is longer than the screen, and the button stays on it wherever one is
    await page.setViewportSize({ width: 360, height: 740 })
    const length = (await page.evaluate('document.documentElement.scrollHeight')) as number
    expect(length).to.be.above(2 * 740)
    for (const top of [0, length / 2, length]) {
      await page.evaluate(`scrollTo(0, ${top})`)
      const { x = 0, y = 0, width = 0, height = 0 } = (await send.boundingBox()) ?? {}
      expect(y, `${top} px down`).to.be.within(0, 740 - height)
      const there = `document.elementFromPoint(${x + width / 2}, ${y + height / 2}).closest('button')?.type`
      expect(await page.evaluate(there), `${top} px down`).to.equal('submit')
    }
    await page.setViewportSize({ width: 1280, height: 900 })
    await send.click()
    await hurry(page)

    await page.locator('[data-ending=some]').waitFor()
    const rows = await fleet.sandbox.accepted('Пары не будет')
    expect(addressesIn(rows)).to.deep.equal(goodContacts(audience))
    expect(new Set(rows.map(({ channel }) => channel))).to.deep.equal(new Set(['telegram', 'vk', 'sms']))

    const unreached = audience.filter((each) => !(['telegram', 'vk', 'sms'] as const).some((on) => isGood(each, on)))
    for (const { name, contacts } of unreached) {
      const [title, why] =
        Object.keys(contacts).length === 0
          ? [/^Без контакта/, 'нет контакта']
          : [/^Не дошло/, 'отправитель заблокирован']
      const list = page.getByRole('region', { name: title })
      await list.getByRole('listitem').filter({ hasText: name }).filter({ hasText: why }).waitFor()
    }
    const named = page.locator('[data-named=notDelivered] li.row, [data-named=withoutContact] li.row')
    expect(await named.count()).to.equal(unreached.length)
    expect((await fleet.api.recount(keyShown())).balanced).to.equal(true)
    for (const channel of ['telegram', 'vk', 'sms'])
      await page.locator(`[data-channel=${channel}]`).getByText('завершено').waitFor()
    const reached = page.getByRole('region', { name: 'По каждому человеку' }).getByRole('listitem')
    await reached.filter({ hasText: '✓' }).first().waitFor()
  })

  it('downloads who got it', async () => {
    const download = teacher.page.waitForEvent('download')
    await teacher.page.getByRole('link', { name: 'Скачать CSV' }).click()
    expect((await download).suggestedFilename()).to.match(/^receipts-.*\.csv$/)
  })

  it('takes a message back before it has started, and writes on', async () => {
    const { page } = teacher
    await page.getByRole('link', { name: 'Написать' }).click()
    await choose(page, /^ivt-101/)
    await page.getByLabel('Текст', { exact: true }).fill('Не туда')
    // a busy machine may take longer than ten seconds to press a button
    await page.route('**/v1/messages', (route) => {
      const body = route.request().postDataJSON()
      expect(body.in).to.equal(10)
      return route.continue({ postData: JSON.stringify({ ...body, in: 600 }) })
    })
    await page.getByRole('button', { name: /^Отправить: / }).click()
    await page.getByText(/^Ещё ничего не отправлено\. Начнём /).waitFor()
    await page.unroute('**/v1/messages')
    const key = keyShown()
    await page.getByRole('button', { name: 'Вернуть' }).click()
    await page.getByRole('heading', { level: 1, name: 'Новое сообщение' }).waitFor()
    expect(await page.getByLabel('Текст', { exact: true }).inputValue()).to.equal('Не туда')
    await page.getByRole('list', { name: 'Выбрано' }).getByText('ivt-101').waitFor()
    const { state, people } = await fleet.api.history(key)
    expect({ state, people }).to.deep.equal({ state: 'cancelled', people: undefined })
    expect(await fleet.sandbox.accepted('Не туда')).to.deep.equal([])
    await page.getByRole('button', { name: 'Убрать: ivt-101' }).click()
  })

  it('schedules for two minutes later, reschedules, cancels, and has the message of the day back', async () => {
    const { page } = teacher
    await page.getByRole('link', { name: 'Написать' }).click()
    await page.getByText('Осталось сегодня: 3 из 4').waitFor()
    await choose(page, /^ivt-101/)
    await page.getByLabel('Текст', { exact: true }).fill('Позже')
    await page.getByLabel('В назначенное время').check()
    await page.getByText('Часовой пояс: Europe/Moscow').waitFor()
    await page.getByLabel('Дата и время').fill(moscow(Date.now() + 120_000))
    await page.getByRole('button', { name: /^Запланировать/ }).click()
    await page.getByRole('heading', { level: 1, name: /^Запланировано: / }).waitFor()
    const key = keyShown()
    expect((await fleet.api.history(key)).state).to.equal('scheduled')
    // somebody says STOP meanwhile, and somebody leaves the group
    const stopped = members.find(({ contacts }) => Object.keys(contacts).length > 0) as (typeof members)[number]
    const left = members.find(({ id }) => id !== stopped.id) as (typeof members)[number]
    for (const channel of Object.keys(stopped.contacts))
      await fleet.api.call('PUT', `/v1/people/${stopped.id}/consents/${channel}`, { allowed: false })
    await fleet.api.call('DELETE', `/v1/groups/ivt-101/members/${left.id}`)
    await page.reload()
    await page.getByRole('heading', { level: 1, name: weekdayOf(Date.now() + 120_000) }).waitFor()
    const still = members.filter((each) => each !== left)
    const getting = still.filter((each) => each !== stopped && Object.keys(each.contacts).length > 0).length
    const sentence = `Отправим ${getting} из ${still.length}`
    const reach = page.getByRole('region', { name: 'Кому отправим' })
    await reach.getByText(sentence).waitFor()
    await reach.getByText('Больше не состоят в этих группах: 1 человек. Сообщение уйдёт и им').waitFor()
    await reach.getByText('Так известно сейчас: до отправки контакты и согласия могут измениться.').waitFor()
    for (const { name, contacts } of still.filter(
      (each) => each === stopped || Object.keys(each.contacts).length === 0,
    ))
      await reach
        .getByRole('listitem')
        .filter({ hasText: name })
        .getByText(Object.keys(contacts).length > 0 ? /просьба не писать/ : 'нет контакта')
        .waitFor()

    await page.getByRole('button', { name: 'Изменить текст' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText(sentence).waitFor()
    await dialog.getByText(/^1 SMS на человека, всего \d+; /).waitFor()
    const longer = `Позже, и это уже не одна SMS: ${'а'.repeat(80)}`
    await dialog.getByLabel('Новый текст').fill(longer)
    await dialog.getByText(/^2 SMS на человека, всего \d+; /).waitFor()
    await dialog.locator('[data-phone=telegram] .bubble').getByText(longer).waitFor()
    for (const width of [360, 1280]) {
      await page.setViewportSize({ width, height: 740 })
      expect(await seriousFindings(page), `${width} px`).to.deep.equal([])
      expect(await page.evaluate('document.documentElement.scrollWidth')).to.equal(width)
    }
    await dialog.getByRole('button', { name: 'Сохранить' }).click()
    await dialog.waitFor({ state: 'hidden' })
    await page.locator('.bubble').getByText(longer).waitFor()

    const later = Date.now() + 7_200_000
    await page.getByRole('button', { name: 'Перенести' }).click()
    await dialog.getByLabel('Дата и время').fill(moscow(later))
    await dialog.getByText(weekdayOf(later)).waitFor()
    await dialog.getByText(sentence).waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Сохранить' }).click()
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    await until(async () => {
      const { at } = await fleet.api.history(key)
      return at?.slice(0, 16) === new Date(later).toISOString().slice(0, 16)
    }, 'it is due later')

    await page.getByRole('button', { name: 'Отменить' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Да, отменить' }).click()
    await page.getByRole('heading', { name: 'Отменено до начала' }).waitFor()
    await until(() => page.evaluate('document.activeElement.localName === "h1"'), 'the focus is on the heading')
    expect((await fleet.api.history(key)).state).to.equal('cancelled')
    await page.getByRole('link', { name: 'Написать' }).click()
    await page.getByText('Осталось сегодня: 3 из 4').waitFor()
  })

  it('finds messages again by text and state, also after going back, and writes one once more', async () => {
    const { page } = teacher
    await page.getByRole('link', { name: 'Сообщения' }).click()
    const found = page.getByRole('article')
    await found.filter({ hasText: 'текст отменённого сообщения не хранится' }).nth(1).waitFor()
    expect(await found.count()).to.equal(3)
    await page.getByText('Показано 3 из 3').waitFor()
    for (const row of await found.all()) expect((await row.boundingBox())?.height).to.be.at.most(72)

    await page.getByLabel('Поиск').fill('такого нет')
    await page.getByText('Ничего не найдено.').waitFor()
    await page.getByLabel('Поиск').fill('робот')
    await page.getByText('Показано 1 из 1').waitFor()
    await found.getByRole('link', { name: 'Пары не будет' }).click()
    await page.locator('.standing').waitFor()
    await page.goBack()
    await page.getByText('Показано 1 из 1').waitFor()
    await page.reload()
    await page.getByText('Показано 1 из 1').waitFor()
    expect(await page.getByLabel('Поиск').inputValue()).to.equal('робот')

    await page.getByLabel('Поиск').fill('')
    await page.getByText('Показано 3 из 3').waitFor()
    const states = page.getByRole('navigation', { name: 'Какие сообщения' })
    await states.getByRole('link', { name: 'Отменены 2' }).click()
    await page.getByText('Показано 2 из 2').waitFor()
    await states.getByRole('link', { name: 'Все 3' }).click()
    await page.getByText('Показано 3 из 3').waitFor()
    // somebody has no contact: it has not reached everyone, and is not shown as if it had
    const row = found.filter({ hasText: 'Пары не будет' })
    await row.locator('[data-mark=some]').getByText('Не до всех').waitFor()
    await row.getByLabel('Что можно сделать: Пары не будет').press('Enter')
    await row.getByRole('button', { name: 'Написать ещё раз', exact: true }).click()
    await page.getByText('6 человек есть в нескольких группах; каждому отправим один раз').waitFor()
    expect(await page.getByLabel('Текст', { exact: true }).inputValue()).to.equal('Пары не будет')
  })

  it('decides what may reach her: STOP on one channel, and a code to link another', async () => {
    const { page } = teacher
    await page.getByRole('link', { name: 'Мои контакты' }).click()
    const sms = page.locator('[data-channel=sms]')
    await sms.getByRole('button', { name: 'Не писать сюда' }).click()
    await sms.getByText('вы просили не писать').waitFor()
    await sms.getByRole('button', { name: 'Разрешить писать сюда' }).click()
    await sms.getByText('привязан', { exact: true }).waitFor()
    const vk = page.locator('[data-channel=vk]')
    await vk.getByRole('button', { name: 'Привязать' }).click()
    expect(await vk.getByText('Напишите сообществу').innerText()).to.match(/КОД \d{8}/)
  })

  it('is answered in English when she asks for it, and signs out for good', async () => {
    const { page, context } = teacher
    const session = (await context.cookies()).find(({ name }) => name === 'fleet_session')
    await page.getByRole('button', { name: 'English' }).click()
    await page.getByRole('heading', { level: 1, name: 'My contacts and consent' }).waitFor()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
    const headers = { cookie: `${session?.name}=${session?.value}` }
    expect((await fetch(`${fleet.apiUrl}/v1/sessions/current`, { headers })).status).to.equal(401)
  })
})

/** as somebody in Moscow reads it */
const weekdayOf = (ms: number) =>
  new RegExp(new Intl.DateTimeFormat('ru', { timeZone: 'Europe/Moscow', weekday: 'long' }).format(ms))

/** as a date field of somebody in Moscow holds it */
const moscow = (ms: number) => new Date(ms + 3 * 3_600_000).toISOString().slice(0, 16)
