/** The dean's office at the web app: a roster imported, thousands of people listed, contacts linked for others. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { HistoriesPage } from '@courier-fleet/api-types'
import { until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import type { Browser } from 'playwright-core'
import { type Fleet, startFleet } from '../e2e/fleet.ts'
import { launchChromium } from './chromium.ts'
import { expectEveryLook, expectFine } from './looks.ts'
import { expectNoComplaints, type Visit, visit } from './visit.ts'

const large = 5000
const roster = readFileSync(join(import.meta.dirname, '../../demo/roster.csv'), 'utf8')
/** without the heading */
const inDemo = roster.trim().split('\n').length - 1

describe("the dean's office at the web app", () => {
  let fleet: Fleet
  let browser: Browser
  let boss: Visit
  before(async () => {
    ;[fleet, browser] = await Promise.all([startFleet(), launchChromium()])
    await fleet.api.call('PUT', '/v1/people/boss', { name: 'Boss', role: 'admin', timeZone: 'UTC', language: 'en' })
    await fleet.api.call('PUT', '/v1/contacts/sms/boss', { address: '+79005554433' })
    boss = await visit(browser, fleet, { language: 'en' })
    await boss.signIn('boss')
  })
  after(async () => {
    await browser?.close()
    await fleet?.stop()
  })
  afterEach(function () {
    return expectNoComplaints.call(this, boss)
  })

  it('looks at a roster, with each mistake in its cell, and loads what was looked at', async () => {
    const { page } = boss
    await page.getByRole('link', { name: 'Import' }).click()
    await page.getByRole('button', { name: 'Check' }).click()
    await page.getByText('Choose a file.').waitFor()
    const lines = Array.from({ length: large }, (_, index) => {
      const number = String(index).padStart(5, '0')
      return `x-${number},Person ${number},student,Europe/Moscow,ru,,,,large`
    })
    const header = 'id,name,role,timezone,language,telegram,vk,phone,groups'
    const csv = [header, ...lines, '№,Bad id,king,Europe/Moscow,ru,,,,large'].join('\n')
    await page
      .getByLabel('CSV file')
      .setInputFiles({ name: 'roster.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) })
    await page.getByRole('button', { name: 'Check' }).click()
    const outcome = page.getByRole('region', { name: 'What would change' })
    await outcome.getByText('created: 5,000').waitFor()
    await outcome.getByText('rejected: 1').waitFor()
    const row = outcome.getByRole('row').filter({ hasText: String(large + 2) })
    await row.locator('td.mistaken').nth(1).waitFor()
    expect(await row.locator('td.mistaken').allInnerTexts()).to.deep.equal([
      '№\nThis is not what can stand in this column. Letters and digits.',
      'king\nThis is not what can stand in this column. The id of a role, such as student or trainer. The page of the rules lists them.',
    ])
    await expectEveryLook(page, 'mistakes in their cells')
    const size = page.viewportSize()
    await page.setViewportSize({ width: 360, height: 740 })
    // several words a line, however narrow the column is
    for (const error of await row.locator('.error').all())
      expect((await error.boundingBox())?.width).to.be.at.least(200)
    if (size) await page.setViewportSize(size)
    const people = await fleet.api.call<{ people: unknown[] }>('GET', '/v1/people:search?name=Person%2000000')
    expect(people.body.people, 'nothing is saved by looking').to.deep.equal([])
    await outcome.getByRole('button', { name: 'Load' }).click()
    await page.getByRole('region', { name: 'What has changed' }).getByText('created: 5,000').waitFor()
  })

  it('scrolls through thousands of people, of whom only those in sight are in the page', async () => {
    const { page } = boss
    await page.getByRole('link', { name: 'People' }).click()
    const list = page.getByRole('region', { name: 'People' })
    await list.getByRole('listitem').first().waitFor()
    const last = list.getByRole('listitem').filter({ hasText: `Person 0${large - 1}` })
    await until(async () => {
      await page.evaluate(`document.querySelector('.windowed').scrollTo(0, 1e9)`)
      return (await last.count()) === 1
    }, 'the last one is in sight')
    expect(await list.getByRole('listitem').count()).to.be.below(40)
    expect(await last.getAttribute('aria-setsize')).to.equal(String(large + inDemo + 1))
  })

  it('finds somebody by name and issues a code for them', async () => {
    const { page } = boss
    await page.getByLabel('Search by name or id').fill('казакова ксения')
    await page.getByRole('button', { name: 'Казакова Ксения' }).click()
    const dialog = page.getByRole('dialog', { name: 'Казакова Ксения' })
    await dialog.getByText('ivt-101', { exact: true }).waitFor()
    await dialog.getByRole('button', { name: 'Issue a code VK' }).click()
    const code = /КОД (\d{8})/.exec(await dialog.getByText('Write КОД').innerText())?.[1] as string
    const { body } = await fleet.api.call<{ apiKey: string }>('POST', '/v1/api-keys', {
      owner: 'vk-inbound',
      role: 'inbound',
      label: 'test',
    })
    const redeemed = await fetch(`${fleet.apiUrl}/v1/enrolments:redeem`, {
      method: 'POST',
      headers: { authorization: `Bearer ${body.apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ channel: 'vk', address: '5009999', code }),
    })
    expect(await redeemed.json()).to.include({ person: 's-ivt-101-01', channel: 'vk' })
    await page.keyboard.press('Escape')
  })

  it('sees where she is signed in and ends what is not hers; an operator does so for others', async () => {
    const { page } = boss
    const other = await visit(browser, fleet, { language: 'en' })
    const teacher = await visit(browser, fleet, { language: 'en' })
    await other.signIn('boss')
    await teacher.signIn('t-01')
    await page.getByRole('link', { name: 'My contacts' }).click()
    const own = page.getByRole('region', { name: 'Where you are signed in' })
    await own.getByText('this browser').waitFor()
    expect(await own.getByRole('listitem').count()).to.equal(2)
    await expectFine(page, 'sessions')
    await own.getByRole('button', { name: /^End the session of/ }).press('Enter')
    await until(async () => (await own.getByRole('listitem').count()) === 1, 'the other one has ended')
    await page.locator('[role=status]', { hasText: '1 session ended.' }).waitFor()
    await other.page.reload()
    await other.page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()

    await page.getByRole('link', { name: 'People' }).click()
    await page.getByLabel('Search by name or id').fill('t-01')
    const { body } = await fleet.api.call<{ name: string }>('GET', '/v1/people/t-01')
    await page.getByRole('button', { name: body.name }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: /^End the session of/ }).click()
    await dialog.getByText('Nowhere.').waitFor()
    await page.keyboard.press('Escape')
    await teacher.page.reload()
    await teacher.page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
    for (const visitor of [other, teacher]) {
      await visitor.close()
      expect(visitor.complaints).to.deep.equal([])
    }
  })

  it('looks into a group and writes to it', async () => {
    const { page } = boss
    await page.getByRole('link', { name: 'Groups' }).click()
    await page.getByLabel('Search by name or id').fill('large')
    await page.getByRole('button', { name: 'Members of large' }).click()
    const dialog = page.getByRole('dialog', { name: 'large' })
    await dialog.getByText('Person 00000').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Write to large' }).click()
    await page.getByText('There is nobody to send it to: none of 5,000 people will get it').waitFor()
    await page.getByText('Choose other people or channels. To link contacts, give people their codes').waitFor()
    await page.getByText('No way to reach 5,000 people').waitFor()
    await page.getByText('The first 1,000 are named.').waitFor()
    await page.getByLabel('Text', { exact: true }).fill('To very many')
    // it promises nothing, and leads to why
    const nobody = page.getByRole('button', { name: 'Nobody to send it to', exact: true })
    expect(await nobody.getAttribute('aria-disabled')).to.equal('true')
    await nobody.click({ force: true })
    await until(() => page.evaluate(`document.activeElement?.id === 'reach'`), 'what is wrong is focused')
    await expectEveryLook(page, 'nobody to send it to')

    await fleet.api.call('PUT', '/v1/contacts/telegram/x-00000', { address: '79990001' })
    await page.getByRole('link', { name: 'Groups' }).click()
    await page.getByLabel('Search by name or id').fill('large')
    await page.getByRole('button', { name: 'Write to large' }).click()
    await page.getByText('We will send it to 1 of 5,000 people · 4,999 people will not get it').waitFor()
    const send = page.getByRole('button', { name: 'Send to 1 person', exact: true })
    await send.click()
    await page.getByRole('heading', { level: 1, name: 'Check before sending' }).waitFor()
    await expectEveryLook(page, 'the check page')
    await page.getByRole('button', { name: 'Change it' }).click()
    await page.getByRole('heading', { level: 1, name: 'Write a message' }).waitFor()
    const ofBoss = () => fleet.api.get<HistoriesPage>('/v1/histories?sender=boss')
    expect((await ofBoss()).histories).to.deep.equal([])
    await send.click()
    await page.getByRole('heading', { level: 1, name: 'Check before sending' }).waitFor()
    // a busy machine may take longer than ten seconds to show it
    await page.route('**/v1/messages', (route) =>
      route.continue({ postData: JSON.stringify({ ...route.request().postDataJSON(), in: 600 }) }),
    )
    await send.click()
    await page.getByText(/^Nothing is sent yet\./).waitFor()
    await page.unroute('**/v1/messages')
    expect((await ofBoss()).histories.map(({ text }) => text)).to.deep.equal(['To very many'])
  })

  it('is shown nothing by a name with markup in it', async () => {
    const { page } = boss
    const name = '<img src=x onerror="window.hurt=1">'
    await fleet.api.call('PUT', '/v1/people/evil', { name, role: 'student' })
    await page.getByRole('link', { name: 'People' }).click()
    await page.getByLabel('Search by name or id').fill('evil')
    await page.getByRole('button', { name }).waitFor()
    expect(await page.evaluate('window.hurt')).to.equal(undefined)
  })

  it('takes a list back, shown on a phone what that does and whom it leaves', async () => {
    const { page } = boss
    await page.setViewportSize({ width: 360, height: 740 })
    await page.goto(`${fleet.apiUrl}/import`)
    const csv = 'name,role,groups\nWrong One,student,Wrong\nWrong Two,student,Wrong\n'
    await page
      .getByLabel('CSV file')
      .setInputFiles({ name: 'wrong.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) })
    await page.getByRole('button', { name: 'Check' }).click()
    await page.getByRole('button', { name: 'Load', exact: true }).click()
    await page.getByRole('region', { name: 'What has changed' }).getByText('created: 2').waitFor()
    await fleet.api.call('PUT', '/v1/people/wrong-two', { name: 'Right Two', role: 'student' })
    const lists = page.getByRole('region', { name: 'Lists of the last week' })
    await lists.getByRole('listitem').filter({ hasText: 'created: 2' }).getByRole('button').click()
    const looked = lists.getByRole('region', { name: 'What would be taken back' })
    await looked.getByText('removed again: 1').waitFor()
    await looked.getByText('Wrong Two (wrong-two): has been changed since').waitFor()
    await expectEveryLook(page, 'what would be taken back')
    let seen = () => {}
    const isSeen = new Promise<void>((resolve) => (seen = resolve))
    await page.route(/\/take-back$/, async (route) => {
      await isSeen
      await route.continue()
    })
    await looked.getByRole('button', { name: 'Take back', exact: true }).click()
    await looked.getByText('0 of 2 so far', { exact: true }).waitFor()
    await expectFine(page, 'while it is taken back')
    seen()
    await lists
      .getByRole('region', { name: 'What was taken back' })
      .getByText('left as they are: 1', { exact: true })
      .waitFor()
    const left = await fleet.api.call<{ people: string[] }>('GET', '/v1/groups/Wrong/members')
    expect(left.body.people).to.deep.equal(['wrong-two'])
  })

  it('lets a student in to their own contacts and to nothing else', async () => {
    const text = 'Пара перенесена в 215'
    await fleet.api.deliver({ to: ['user:s-ivt-101-03'], text, confirm: true })
    await fleet.api.send({ to: ['user:s-ivt-101-03'], text: 'Ещё не пора', in: 3600 })
    const student = await visit(browser, fleet, { width: 360 })
    await student.page.locator('#name').fill('s-ivt-101-03')
    const seq = (await fleet.sandbox.accepted()).length
    await student.page.locator('button[type=submit]').click()
    await student.page.locator('#code').fill(await student.codeSince(seq))
    await student.page.locator('button[type=submit]').click()
    await student.page.getByRole('heading', { level: 1, name: 'Мои контакты и согласие' }).waitFor()
    const received = student.page.getByRole('region', { name: 'Что вам приходило' })
    await received.getByText(text).waitFor()
    await received.getByText('Вас просят подтвердить').waitFor()
    expect(await received.getByText('Ещё не пора').count()).to.equal(0)
    await expectEveryLook(student.page, "a student's page")
    await student.page.goto(`${fleet.apiUrl}/people`)
    await student.page.getByText('Шубина Ирина (s-ivt-101-03)').waitFor()
    expect(await student.page.locator('nav').count()).to.equal(0)
    expect(student.complaints).to.deep.equal([])
    await student.close()
  })
})
