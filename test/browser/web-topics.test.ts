/** Topics at the web app: made by the office, joined by a student at the keyboard, written to by their senders. */
import { until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import type { Browser, Locator } from 'playwright-core'
import { type Fleet, startFleet } from '../e2e/fleet.ts'
import { launchChromium } from './chromium.ts'
import { expectEveryLook } from './looks.ts'
import { expectNoComplaints, hurry, type Visit, visit } from './visit.ts'

describe('topics at the web app', () => {
  let fleet: Fleet
  let browser: Browser
  let office: Visit
  let student: Visit
  before(async () => {
    ;[fleet, browser] = await Promise.all([startFleet(), launchChromium()])
    await fleet.api.call('PUT', '/v1/people/boss', { name: 'Boss', role: 'operator', timeZone: 'UTC', language: 'en' })
    await fleet.api.call('PUT', '/v1/contacts/sms/boss', { address: '+79005554433' })
    office = await visit(browser, fleet, { language: 'en' })
    student = await visit(browser, fleet)
    await office.signIn('boss')
    await student.signIn('s-ivt-101-01')
  })
  after(async () => {
    await browser?.close()
    await fleet?.stop()
  })
  afterEach(async function () {
    await expectNoComplaints.call(this, office)
    await expectNoComplaints.call(this, student)
  })

  /** ticks are taken one after the other */
  const isRead = async (tick: Locator) => (await tick.getAttribute('aria-disabled')) === 'false'
  const members = async () => (await fleet.api.get<{ people: string[] }>('/v1/topics/choir-2026/members')).people

  it('are made by the office, which is told what is wrong', async () => {
    const { page } = office
    await page.getByRole('link', { name: 'Groups' }).click()
    await page.getByRole('button', { name: 'New topic' }).click()
    const dialog = page.getByRole('dialog', { name: 'New topic' })
    await dialog.getByLabel('Id').fill('choir-2026')
    await dialog.getByLabel('Name in Russian').fill('Хор года')
    await dialog.getByLabel('Name in English').fill('Choir of the year')
    await dialog.getByLabel('Who may write to it').fill('operator, nobody-at-all')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByText('There is no such person in the list.').waitFor()
    await expectEveryLook(page, 'a topic')
    await dialog.getByLabel('Who may write to it').fill('operator')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('listitem').filter({ hasText: 'Choir of the year' }).getByText('0 people').waitFor()
  })

  it('are joined and left by a student, with the keyboard, in their own language', async () => {
    const { page } = student
    await page.reload()
    const tick = page.getByRole('checkbox', { name: 'Хор года' })
    await tick.press('Space')
    await page.locator('[role=status]', { hasText: 'Вы подписаны на «Хор года».' }).waitFor()
    expect(await members()).to.deep.equal(['s-ivt-101-01'])
    await until(() => isRead(tick), 'the list is read again')
    expect(await tick.isChecked()).to.equal(true)
    await expectEveryLook(page, 'topics of a student')
    await tick.press('Space')
    await page.locator('[role=status]', { hasText: 'Вы больше не подписаны на «Хор года».' }).waitFor()
    expect(await members()).to.deep.equal([])
    await until(() => isRead(tick), 'the list is read again')
    expect(await tick.isChecked()).to.equal(false)
    await tick.press('Space')
    await until(async () => (await members()).length === 1, 'joined again')
    await until(() => isRead(tick), 'the list is read again')
  })

  it('are written to by their senders from where they stand', async () => {
    const { page } = office
    await page.reload()
    const row = page.getByRole('listitem').filter({ hasText: 'Choir of the year' })
    await row.getByText('1 person').waitFor()
    await row.getByRole('button', { name: 'Write to Choir of the year' }).click()
    await page.getByRole('list', { name: 'Chosen' }).getByText('Choir of the year').waitFor()
    await page.locator('#find').click()
    await page.getByRole('option', { name: 'Choir of the year', selected: true }).waitFor()
    await page.keyboard.press('Escape')
    await page.locator('textarea').fill('Rehearsal at 18:00')
    await page.locator('form button[type=submit]').click()
    await hurry(page)
    await until(async () => (await fleet.sandbox.accepted('Rehearsal at 18:00')).length > 0, 'it goes out')
    await page.getByText('Choir of the year').first().waitFor()
  })

  it('that were closed meanwhile say so, and are shown as they are', async () => {
    const { page } = student
    const tick = page.getByRole('checkbox', { name: 'Хор года' })
    await tick.press('Space')
    await until(async () => (await members()).length === 0, 'left')
    await until(() => isRead(tick), 'the list is read again')
    expect(await tick.isChecked()).to.equal(false)
    const { body } = await fleet.api.call<object>('PUT', '/v1/topics/choir-2026', {
      name: { ru: 'Хор года', en: 'Choir of the year' },
      senders: ['operator'],
      open: false,
    })
    expect(body).to.include({ outcome: 'updated' })
    await tick.press('Space')
    await page.getByText('В эту тему записывает деканат.').waitFor()
    expect(await members()).to.deep.equal([])
    expect(await tick.count()).to.equal(0)
  })

  it('are edited as they are now, and removed by the office', async () => {
    const { page } = office
    await page.getByRole('link', { name: 'Groups' }).click()
    const edit = page.getByRole('button', { name: 'Edit “Choir of the year”' })
    await edit.waitFor()
    const name = { ru: 'Хор года', en: 'Choir of the year' }
    await fleet.api.call('PUT', '/v1/topics/choir-2026', { name, senders: ['staff'], open: false })
    await edit.click()
    const dialog = page.getByRole('dialog')
    await dialog.waitFor()
    expect(await dialog.getByLabel('People may join by themselves').isChecked()).to.equal(false)
    expect(await dialog.getByLabel('Who may write to it').inputValue()).to.equal('staff')
    await dialog.getByRole('button', { name: 'Remove the topic' }).click()
    const asked = page.getByRole('dialog', { name: 'Remove the topic: Choir of the year' })
    await asked.getByText('0 people will be in it no more.').waitFor()
    await expectEveryLook(page, 'removing a topic')
    await asked.getByRole('button', { name: 'No, leave it' }).click()
    await dialog.waitFor({ state: 'hidden' })
    expect((await fleet.api.call('GET', '/v1/topics/choir-2026')).status, 'asked, and not removed').to.equal(200)
    await edit.click()
    await dialog.getByRole('button', { name: 'Remove the topic' }).click()
    await asked.getByRole('button', { name: 'Remove the topic' }).click()
    await until(
      async () => (await page.getByRole('listitem').filter({ hasText: 'Choir of the year' }).count()) === 0,
      'it is gone',
    )
  })
})
