/** Roles at the web app: an administrator makes a dean, changes the quota, takes it back, and gives somebody the role. */
import type { AuditPage, LimitsView, PersonDetails, RoleList, TypeList } from '@courier-fleet/api-types'
import { expect } from 'chai'
import type { Browser } from 'playwright-core'
import { type Fleet, startFleet } from '../e2e/fleet.ts'
import { launchChromium } from './chromium.ts'
import { expectEveryLook, expectFine } from './looks.ts'
import { choose, expectNoComplaints, type Visit, visit } from './visit.ts'

describe('the web app and roles', () => {
  let fleet: Fleet
  let browser: Browser
  let boss: Visit
  before(async () => {
    ;[fleet, browser] = await Promise.all([startFleet(), launchChromium()])
    const person = { role: 'admin', timeZone: 'UTC' }
    await fleet.api.call('PUT', '/v1/people/boss', { ...person, name: 'Boss', language: 'en' })
    await fleet.api.call('PUT', '/v1/contacts/sms/boss', { address: '+79005554433' })
    await fleet.api.call('PUT', '/v1/people/chief', { ...person, name: 'Chief', language: 'ru' })
    await fleet.api.call('PUT', '/v1/contacts/sms/chief', { address: '+79005554435' })
    boss = await visit(browser, fleet, { language: 'en' })
    await boss.page.setViewportSize({ width: 360, height: 740 })
    await boss.signIn('boss')
  })
  after(async () => {
    await browser?.close()
    await fleet?.stop()
  })
  afterEach(function () {
    return expectNoComplaints.call(this, boss)
  })

  const dean = async () => (await fleet.api.get<RoleList>('/v1/roles')).roles.find(({ id }) => id === 'dean')
  async function expectFits({ page }: Visit) {
    await expectFine(page, 'roles')
  }

  it('makes a role with the rights of one that is there and a quota of its own', async () => {
    const { page } = boss
    await page.goto(`${fleet.apiUrl}/rules`)
    const section = page.getByRole('region', { name: 'Roles' })
    await section.getByText('trainer, rights of trainer, 4 messages a day').waitFor()
    await section.getByRole('button', { name: 'A new role' }).click()
    const dialog = page.getByRole('dialog', { name: 'A new role' })
    await dialog.getByLabel('Id').fill('dean')
    await dialog.getByLabel('Name in Russian').fill('Декан')
    await dialog.getByLabel('Name in English').fill('Dean')
    await dialog.getByLabel('Rights of').selectOption('staff')
    await dialog.getByLabel('Messages a day').fill('three')
    await dialog.getByText('Write a whole number, 0 or more, or nothing.').waitFor()
    await expectFits(boss)
    await dialog.getByLabel('Messages a day').fill('3')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await section.getByText('dean, rights of staff, 3 messages a day, 0 people').waitFor()
    expect(await dean()).to.deep.include({ rights: 'staff', quota: 3, name: { ru: 'Декан', en: 'Dean' } })
    await expectFits(boss)
  })

  it('has a type of message for this role alone, and does not remove the role while it has', async () => {
    const { page } = boss
    await page.getByRole('button', { name: 'A new type' }).click()
    const dialog = page.getByRole('dialog', { name: 'A new type' })
    await dialog.getByLabel('Id').fill('orders')
    await dialog.getByLabel('Name in Russian').fill('Приказы')
    await dialog.getByLabel('Name in English').fill('Orders')
    await dialog.getByRole('group', { name: 'Who may send it' }).getByLabel('Dean').check()
    await expectEveryLook(page, 'a type for a role')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'detached' })
    const { types } = await fleet.api.get<TypeList>('/v1/types')
    expect(types.find(({ id }) => id === 'orders')?.senders).to.deep.equal(['dean'])
    await page.getByText('type "Orders": importance 3; sent only by: Dean', { exact: false }).waitFor()
    const removal = await fleet.api.call<{ detail: string }>('DELETE', '/v1/roles/dean')
    expect(removal.body.detail).to.include('orders')
    await fleet.api.call('DELETE', '/v1/types/orders')
  })

  it('gives somebody the role once it was shown whom that concerns, and takes that back', async () => {
    const at = new Date(Date.now() + 86_400_000).toISOString()
    const teacher = await fleet.apiOf('t-01', 'trainer')
    await teacher.call('POST', '/v1/messages', { to: ['group:ivt-101'], text: 'Tomorrow', at })
    const { page } = boss
    await page.goto(`${fleet.apiUrl}/people`)
    await page.getByLabel('Search by name or id').fill('t-01')
    const { name } = await fleet.api.get<PersonDetails>('/v1/people/t-01')
    await page.getByRole('button', { name }).click()
    const dialog = page.getByRole('dialog', { name })
    await dialog.getByLabel('Role').selectOption('Dean')
    await dialog.getByRole('button', { name: 'Change the role' }).click()
    await dialog.getByText('The role would be Dean instead of trainer.').waitFor()
    await dialog.getByText(/^1 message of theirs is scheduled\./).waitFor()
    expect((await fleet.api.get<PersonDetails>('/v1/people/t-01')).role).to.equal('trainer')
    await expectFits(boss)
    await dialog.getByRole('button', { name: 'Yes, change the role' }).click()
    await dialog.getByText('The role is Dean now.').waitFor()
    await dialog.getByText('t-01, Dean, Europe/Moscow').waitFor()
    expect(await teacher.get<LimitsView>('/v1/limits')).to.include({ limit: 3 })
    await dialog.getByRole('button', { name: 'Undo' }).click()
    await dialog.getByText('The role is trainer now.').waitFor()
    expect(await teacher.get<LimitsView>('/v1/limits')).to.include({ limit: 4 })
    await dialog.getByLabel('Role').selectOption('Dean')
    await dialog.getByRole('button', { name: 'Change the role' }).click()
    await dialog.getByRole('button', { name: 'Yes, change the role' }).click()
    await dialog.getByText('The role is Dean now.').waitFor()
    const { lines } = await fleet.api.get<AuditPage>('/v1/audit')
    const told = lines.filter(({ action, person }) => action === 'person.role' && person === 't-01')
    expect(told.map(({ by }) => by)).to.deep.equal(['boss', 'boss', 'boss'])
    await page.keyboard.press('Escape')
  })

  it('shows in Russian what is another, who has the role and what they have scheduled, before it is saved; and undoes it', async () => {
    const chief = await visit(browser, fleet, { language: 'ru' })
    await chief.page.setViewportSize({ width: 360, height: 740 })
    await chief.signIn('chief')
    const { page } = chief
    await page.goto(`${fleet.apiUrl}/rules`)
    const section = page.getByRole('region', { name: 'Роли' })
    await section.getByRole('button', { name: 'Декан' }).click()
    const dialog = page.getByRole('dialog', { name: 'Роль «Декан»' })
    await dialog.getByLabel('Сообщений в день').fill('')
    await dialog.getByText('До сих пор: 3.').waitFor()
    await dialog.getByRole('button', { name: 'Сохранить' }).click()
    await dialog.getByText('Эта роль — у 1 человека. Ещё не начата отправка: 1 сообщение.').waitFor()
    await expectFits(chief)
    expect((await dean())?.quota).to.equal(3)
    await dialog.getByRole('button', { name: 'Да, сохранить' }).click()
    await section.getByText('dean, права — сотрудник, сообщений в день без предела, 1 человек').waitFor()
    await section.getByRole('button', { name: 'Вернуть как было' }).click()
    await section.getByText('dean, права — сотрудник, сообщений в день 3, 1 человек').waitFor()
    await expectFits(chief)
    await section.getByRole('button', { name: 'Декан' }).click()
    await dialog.getByRole('button', { name: 'Удалить роль' }).click()
    await dialog.getByText('У кого-то есть эта роль').waitFor()
    expect((await dean())?.people).to.equal(1)
    expect(chief.complaints.filter((line) => !/409/.test(line))).to.deep.equal([])
    await chief.close()
  })

  it('offers the role by its name to whoever writes, and says how many have it', async () => {
    const { page } = boss
    await page.goto(fleet.apiUrl)
    await choose(page, /^Dean.*1 person/)
    await page.getByRole('list', { name: 'Chosen' }).getByText('Dean').waitFor()
  })
})
