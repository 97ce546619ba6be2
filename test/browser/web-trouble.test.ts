/** The web app when things go wrong: impatient clicks, lost answers, a service that goes away, a provider that slows down. */
import { expect } from 'chai'
import type { Browser } from 'playwright-core'
import { type Fleet, startFleet } from '../e2e/fleet.ts'
import { membersOf } from '../e2e/roster.ts'
import { launchChromium } from './chromium.ts'
import { expectEveryLook } from './looks.ts'
import { choose, expectNoComplaints, hurry, type Visit, visit } from './visit.ts'

describe('the web app in trouble', () => {
  let fleet: Fleet
  let browser: Browser
  let visitor: Visit
  before(async () => {
    ;[fleet, browser] = await Promise.all([startFleet(), launchChromium()])
    visitor = await visit(browser, fleet)
    // staff: sixteen messages a day
    await visitor.signIn('d-03')
  })
  after(async () => {
    await browser?.close()
    await fleet?.stop()
  })
  afterEach(function () {
    return expectNoComplaints.call(this, visitor)
  })

  async function write(text: string, group = 'ivt-101') {
    const { page } = visitor
    await page.getByRole('link', { name: 'Написать' }).click()
    await choose(page, new RegExp(`^${group}`))
    await page.getByLabel('Текст', { exact: true }).fill(text)
    await page.getByText(/^Отправим \d/).waitFor()
  }
  const sendButton = () => visitor.page.getByRole('button', { name: /^Отправить/ })

  /** Telegram asks to wait as it is given the next message to somebody of the group; a sign-in code may be on its way to others. */
  async function slowDown(seconds: number, group: string) {
    const addresses = membersOf(group).flatMap(({ contacts }) => contacts.telegram ?? [])
    await fleet.sandbox.fault({ channel: 'telegram', kind: 'throttle', seconds, count: 1, addresses })
  }

  async function sentWith(text: string) {
    const rows = await fleet.sandbox.accepted(text)
    const addresses = rows.map(({ channel, address }) => `${channel} ${address}`)
    return { addresses: addresses.length, different: new Set(addresses).size }
  }

  it('sends once however often one clicks', async () => {
    const { page } = visitor
    await write('Двойной щелчок')
    const keys: (string | undefined)[] = []
    page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().endsWith('/v1/messages'))
        keys.push(request.headers()['idempotency-key'])
    })
    await sendButton().click({ clickCount: 3, delay: 0 })
    await hurry(page)
    await page.locator('[data-ending]').waitFor()
    expect(new Set(keys).size).to.equal(1)
    const { addresses, different } = await sentWith('Двойной щелчок')
    expect(addresses).to.be.above(0)
    expect(addresses).to.equal(different)
  })

  it('sends once when the answer was lost, and the page was reloaded before trying again', async () => {
    const { page } = visitor
    await write('Ответ потерялся')
    await page.route('**/v1/messages', async (route) => {
      await route.fetch()
      await route.abort('connectionreset')
    })
    await sendButton().click()
    await page.getByText('дважды оно не уйдёт').waitFor()
    await page.unroute('**/v1/messages')
    await page.reload()
    expect(await page.getByLabel('Текст', { exact: true }).inputValue()).to.equal('Ответ потерялся')
    await page.getByText('дважды оно не уйдёт').waitFor()
    await sendButton().click()
    await hurry(page)
    await page.locator('[data-ending]').waitFor()
    const { addresses, different } = await sentWith('Ответ потерялся')
    expect(addresses).to.equal(different)
    await page.getByRole('link', { name: 'Написать' }).click()
    expect(await page.getByLabel('Текст', { exact: true }).inputValue()).to.equal('')
  })

  it('sends once when the answer was lost, and the tries after it were turned away', async () => {
    const { page } = visitor
    await write('Ответ потерялся дважды')
    const keys: (string | undefined)[] = []
    page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().endsWith('/v1/messages'))
        keys.push(request.headers()['idempotency-key'])
    })
    await page.route('**/v1/messages', async (route) => {
      await route.fetch()
      await route.abort('connectionreset')
    })
    await sendButton().click()
    const note = page.getByText('дважды оно не уйдёт')
    await note.waitFor()
    await page.unroute('**/v1/messages')
    for (const [status, code] of [
      [429, 'too-many-calls'],
      [408, 'too-slow'],
    ] as const) {
      const problem = { type: 'about:blank', title: 'x', status, code, detail: 'x' }
      await page.route('**/v1/messages', (route) =>
        route.fulfill({ status, contentType: 'application/problem+json', body: JSON.stringify(problem) }),
      )
      const answered = page.waitForResponse('**/v1/messages')
      await sendButton().click()
      await answered
      await page.unroute('**/v1/messages')
      await note.waitFor()
      // it may have been done by the first try
      expect(await page.getByText('Ничего не сделано').count(), code).to.equal(0)
    }
    await sendButton().click()
    await hurry(page)
    await page.locator('[data-ending]').waitFor()
    expect(keys).to.have.length(4)
    expect(new Set(keys).size).to.equal(1)
    const { addresses, different } = await sentWith('Ответ потерялся дважды')
    expect(addresses).to.be.above(0)
    expect(addresses).to.equal(different)
  })

  it('has what was written again where a message was taken back and the answer lost', async () => {
    const { page } = visitor
    await write('Ответ об отмене потерялся')
    // a busy machine may take longer than ten seconds to press a button
    await page.route('**/v1/messages', (route) =>
      route.continue({ postData: JSON.stringify({ ...route.request().postDataJSON(), in: 600 }) }),
    )
    await sendButton().click()
    const takeBack = page.getByRole('button', { name: 'Вернуть' })
    await takeBack.waitFor()
    await page.unroute('**/v1/messages')
    const ofMessage = /\/v1\/histories\/[^/?]+\?/
    await page.route(ofMessage, async (route) => {
      expect(route.request().method()).to.equal('DELETE')
      await route.fetch()
      await route.abort('connectionreset')
    })
    await takeBack.click()
    await page.getByRole('heading', { level: 1, name: 'Отменено до начала' }).waitFor()
    await page.unroute(ofMessage)
    await page.getByRole('button', { name: 'Написать ещё раз' }).click()
    await page.getByText(/^Отправим \d/).waitFor()
    expect(await page.getByLabel('Текст', { exact: true }).inputValue()).to.equal('Ответ об отмене потерялся')
    expect(await fleet.sandbox.accepted('Ответ об отмене потерялся')).to.deep.equal([])
    await page.getByRole('button', { name: /^Убрать: ivt-101/ }).click()
  })

  it('says at its field what the service refuses, and that the audience has changed', async () => {
    const { page } = visitor
    await write('Не тем')
    await fleet.api.call('PUT', '/v1/people/new', { name: 'Новый', role: 'student' })
    await fleet.api.call('POST', '/v1/groups/ivt-101/members', { people: ['new'] })
    await sendButton().click()
    const error = page.locator('#find-error')
    await error.getByText('Состав групп тем временем изменился').waitFor()
    await page.getByText('Отправим 28 из 29').waitFor()
    await page.getByLabel('В назначенное время').check()
    await page.getByLabel('Дата и время').fill('2020-01-01T10:00')
    await page.getByRole('button', { name: /^Запланировать/ }).click()
    await page.locator('#at-error').getByText('Это время уже прошло').waitFor()
    expect(await page.getByLabel('Дата и время').getAttribute('aria-invalid')).to.equal('true')
    await page.getByLabel('Сейчас').check()
    expect(await page.locator('.error').count()).to.equal(0)
    await sendButton().click()
    await hurry(page)
    await page.locator('[data-ending]').waitFor()
  })

  it('explains in words that a provider asks to slow down, and goes on by itself', async () => {
    const { page } = visitor
    await slowDown(20, 'ivt-102')
    await write('Помедленнее', 'ivt-102')
    await sendButton().click()
    await hurry(page)
    await page
      .locator('.standing')
      .getByText(/Telegram: продолжим/)
      .waitFor()
    await page.locator('[data-ending=some]').waitFor({ timeout: 60_000 })
    const { addresses, different } = await sentWith('Помедленнее')
    expect(addresses).to.equal(different)
  })

  it('goes on watching when the service was killed and is back', async () => {
    const { page } = visitor
    const pause = (method: string) => fleet.api.call(method, '/v1/channels/telegram/pause')
    expect((await pause('PUT')).status).to.be.below(300)
    await write('Связь прервётся')
    await sendButton().click()
    await hurry(page)
    await page.getByText('Страница обновляется сама').waitFor()
    await expectEveryLook(page, 'a message that is being sent')
    await fleet.kill('queue')
    await page.getByText('Связь прервалась').waitFor()
    await fleet.start('queue')
    await page.getByText('Связь прервалась').waitFor({ state: 'detached' })
    expect((await pause('DELETE')).status).to.be.below(300)
    await page.locator('[data-ending]').waitFor()
    expect((await fleet.api.recount(page.url().split('/').at(-1) as string)).balanced).to.equal(true)
  })

  it('keeps what was being written when the session has ended', async () => {
    const { page, context } = visitor
    await write('Недописанное')
    const session = (await context.cookies()).find(({ name }) => name === 'fleet_session')
    const csrf = await page.evaluate(`fetch('/v1/sessions/current').then((answer) => answer.json())`)
    await fetch(`${fleet.apiUrl}/v1/sessions/current`, {
      method: 'DELETE',
      headers: {
        cookie: `${session?.name}=${session?.value}`,
        'x-csrf-token': (csrf as { csrfToken: string }).csrfToken,
      },
    })
    await sendButton().click()
    await page.getByText('Сеанс закончился').waitFor()
    await visitor.signIn('d-03')
    expect(await page.getByLabel('Текст', { exact: true }).inputValue()).to.equal('Недописанное')
    expect(await fleet.sandbox.accepted('Недописанное')).to.deep.equal([])
    await sendButton().click()
    await hurry(page)
    await page.locator('[data-ending]').waitFor()
  })

  // the last one: its provider keeps everyone waiting for a while
  it('stops what is under way: who has it keeps it, the others do not get it', async () => {
    const { page } = visitor
    await slowDown(120, 'pmi-101')
    await write('Остановите', 'pmi-101')
    await sendButton().click()
    await hurry(page)
    await page
      .locator('.standing')
      .getByText(/Telegram: продолжим/)
      .waitFor()
    await page.getByRole('button', { name: 'Остановить' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Да, остановить' }).click()
    await page.locator('[data-ending]').waitFor()
    await page
      .locator('[data-channel=telegram]')
      .getByText(/отменено: \d/)
      .waitFor()
    expect((await fleet.api.recount(page.url().split('/').at(-1) as string)).balanced).to.equal(true)
  })
})
