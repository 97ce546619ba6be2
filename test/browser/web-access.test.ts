/** The web app for everyone: nothing that axe finds in any look, and by keyboard alone. */
import { until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import type { Browser, Page } from 'playwright-core'
import { type Fleet, startFleet } from '../e2e/fleet.ts'
import { launchChromium } from './chromium.ts'
import { expectEveryLook } from './looks.ts'
import { choose, expectNoComplaints, type Visit, visit } from './visit.ts'

describe('the web app, for everyone', () => {
  let fleet: Fleet
  let browser: Browser
  let visitor: Visit
  before(async () => {
    ;[fleet, browser] = await Promise.all([startFleet(), launchChromium()])
    await fleet.api.call('PUT', '/v1/people/boss', { name: 'Босс', role: 'admin', timeZone: 'UTC', language: 'ru' })
    await fleet.api.call('PUT', '/v1/contacts/sms/boss', { address: '+79005554433' })
    visitor = await visit(browser, fleet)
  })
  after(async () => {
    await browser?.close()
    await fleet?.stop()
  })
  afterEach(function () {
    return expectNoComplaints.call(this, visitor)
  })

  it('when signing in, also when the code was wrong', async () => {
    const { page } = visitor
    await page.getByRole('heading', { level: 1 }).waitFor()
    await expectEveryLook(page, 'signing in')
    const before = (await fleet.sandbox.accepted()).length
    await page.locator('#name').fill('boss')
    await page.locator('button[type=submit]').click()
    await page.locator('#code').fill('1234')
    await page.locator('button[type=submit]').click()
    await page.locator('#code-error').waitFor()
    await expectEveryLook(page, 'a wrong code')
    // or it would be taken for the code of the next sign-in
    await visitor.codeSince(before)
    await page.reload()
  })

  it('when writing, with an audience, a long text, errors and a time', async () => {
    const { page } = visitor
    await visitor.signIn('boss')
    await page.getByRole('button', { name: 'Отправить' }).click()
    await page.getByText('Выберите, кому.').waitFor()
    await expectEveryLook(page, 'an empty form')
    await choose(page, /^ivt-102/, /^Все преподаватели/)
    await page.locator('#find').fill('каза')
    await page.getByRole('option', { name: /Казакова Ксения/ }).waitFor()
    await expectEveryLook(page, 'the list of whom to choose')
    await page.getByRole('option', { name: /Казакова Ксения/ }).click()
    await page.getByLabel('Текст', { exact: true }).fill('Пары не будет. '.repeat(400))
    await page.getByLabel('В назначенное время').check()
    await page.getByText(/^Отправим \d/).waitFor()
    await expectEveryLook(page, 'a form filled in')
  })

  it('when looking at a message, at dialogs, and at what has become of it', async () => {
    const { page } = visitor
    await page
      .getByLabel('Дата и время')
      .fill(`${new Date(Date.now() + 300 * 86_400_000).toISOString().slice(0, 10)}T10:00`)
    await page.getByRole('button', { name: /^Запланировать/ }).click()
    await page.getByRole('heading', { level: 1, name: /^Запланировано: / }).waitFor()
    await expectEveryLook(page, 'a scheduled message')
    await page.getByRole('button', { name: 'Отменить' }).click()
    await page.getByRole('dialog').waitFor()
    await expectEveryLook(page, 'cancelling')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Перенести' }).click()
    await expectEveryLook(page, 'rescheduling')
    await page.getByRole('dialog').getByRole('button', { name: 'Отправить сейчас' }).click()
    await page.locator('[data-ending]').waitFor()
    await page.getByRole('listitem').filter({ hasText: '✓' }).first().waitFor()
    await expectEveryLook(page, 'a settled message')
  })

  it('when looking at messages, people, groups, one person, an import and own contacts', async () => {
    const { page } = visitor
    const views = [
      ['Сообщения', page.getByRole('article')],
      ['Группы', page.getByText('all-students')],
      ['Загрузка списка', page.getByLabel('Файл CSV')],
      ['Мои контакты', page.getByText('не привязан')],
      ['Люди', page.getByRole('button', { name: 'Костина Камила' })],
    ] as const
    for (const [name, sign] of views) {
      await page.getByRole('link', { name }).click()
      await sign.first().waitFor()
      await expectEveryLook(page, name)
    }
    await page.getByRole('button', { name: 'Костина Камила' }).click()
    await page.getByRole('button', { name: 'Выдать код SMS' }).click()
    await page.getByText('Ваш код').waitFor()
    await expectEveryLook(page, 'one person')
    await page.keyboard.press('Escape')
  })

  it('by keyboard alone, from signing in to what has become of the message, the focus always to be seen', async () => {
    const other = await visit(browser, fleet)
    const { page } = other
    const { keyboard } = page
    await page.locator('h1:focus', { hasText: 'Вход' }).waitFor()
    await tabTo(page, 'Личный номер')
    const before = (await fleet.sandbox.accepted()).length
    await keyboard.type('t-01')
    await keyboard.press('Enter')
    await page.locator('#code:focus').waitFor()
    const code = await other.codeSince(before)
    await keyboard.type(code)
    await keyboard.press('Enter')
    // from the heading, where the focus is
    await page.locator('h1:focus', { hasText: 'Новое сообщение' }).waitFor()
    await keyboard.press('Tab')
    await page.locator('#find:focus').waitFor()
    await keyboard.type('101')
    await page.getByRole('option', { name: /^ivt-101/ }).waitFor()
    await keyboard.press('Enter')
    await keyboard.press('Tab')
    await page.locator('#text:focus').waitFor()
    await keyboard.type('С клавиатуры')
    await page.getByText(/^Отправим \d/).waitFor()
    await tabTo(page, 'Отправить')
    await keyboard.press('Enter')
    await page.locator('[data-ending]').waitFor()
    const list = page.getByRole('region', { name: 'По каждому человеку' })
    await list.getByRole('listitem').first().getByRole('button').waitFor()
    await tabTo(page, 'По каждому человеку')
    const first = await list.getByRole('listitem').first().innerText()
    await keyboard.press('End')
    await until(async () => Number(await page.evaluate('document.activeElement.scrollTop')) > 0, 'it scrolls')
    await list
      .getByRole('listitem')
      .filter({ hasText: first.split('\n')[1] as string })
      .waitFor({ state: 'detached' })
    await other.close()
  })

  it('lets a dialog be closed by keyboard, and gives the focus back', async () => {
    const { page } = visitor
    await page.getByRole('link', { name: 'Люди' }).focus()
    await page.keyboard.press('Enter')
    const person = page.getByRole('button', { name: 'Костина Камила' })
    await person.focus()
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: 'Костина Камила' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(await page.locator('button:focus').innerText()).to.equal('Костина Камила')
  })
})

/** Tabs on until the focus is at what has this name. @throws Error when it does not get there, or is nowhere to be seen */
async function tabTo(page: Page, name: string): Promise<void> {
  const most = 60
  const stops: string[] = []
  for (let i = 0; i < most; i++) {
    await page.keyboard.press('Tab')
    const { label, seen } = (await page.evaluate(focused)) as { label: string; seen: boolean }
    if (!seen) throw new Error(`the focus cannot be seen at "${label}"`)
    if (label.startsWith(name)) return
    stops.push(label.slice(0, 30))
  }
  throw new Error(`no way to "${name}" by Tab: ${stops.join(' → ')}`)
}

/** What has the focus, and whether an outline shows it. */
const focused = `(() => {
  const element = document.activeElement
  const named = element.getAttribute('aria-label') ?? [...(element.labels ?? [])].map((each) => each.innerText).join(' ')
  const { outlineStyle, outlineWidth } = getComputedStyle(element)
  const atPage = element === document.body
  return { label: named || element.innerText || '', seen: atPage || (outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2) }
})()`
