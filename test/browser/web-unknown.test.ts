/** Of whom it is not known whether they have a message: whoever has found out says so, or decides to send again. */
import type { HistoriesPage } from '@courier-fleet/api-types'
import { until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import type { Browser } from 'playwright-core'
import { type Fleet, startFleet } from '../e2e/fleet.ts'
import { launchChromium } from './chromium.ts'
import { expectEveryLook } from './looks.ts'
import { choose, expectNoComplaints, hurry, type Visit, visit } from './visit.ts'

describe('the web app and those who are unknown', () => {
  let fleet: Fleet
  let browser: Browser
  let teacher: Visit
  const people = ['Анна', 'Борис', 'Вера'].map((name, index) => ({
    id: `u-${index}`,
    name,
    address: `unknown-${index}@mail.example`,
  }))

  before(async () => {
    ;[fleet, browser] = await Promise.all([
      startFleet({ couriers: { telegram: 1, sms: 1, vk: 0, mail: 1 } }),
      launchChromium(),
    ])
    for (const { id, name, address } of people) {
      await fleet.api.call('PUT', `/v1/people/${id}`, { name, role: 'student', language: 'ru' })
      await fleet.api.call('PUT', `/v1/contacts/mail/${id}`, { address })
      await fleet.sandbox.fault({ channel: 'mail', addresses: [address], kind: 'reply-lost', count: 1 })
    }
    await fleet.api.call('PUT', '/v1/groups/unknown', { name: 'Неизвестные', owners: ['t-01'] })
    await fleet.api.call('POST', '/v1/groups/unknown/members', { people: people.map(({ id }) => id) })
    teacher = await visit(browser, fleet)
    await teacher.signIn('t-01')
  })
  after(async () => {
    await browser?.close()
    await fleet?.stop()
  })
  afterEach(function () {
    return expectNoComplaints.call(this, teacher)
  })

  const count = (name: string) => teacher.page.locator(`[data-class=${name}] strong`)
  const copies = async (address: string) =>
    (await fleet.sandbox.accepted()).filter((row) => row.address === address).length

  async function decide(name: string, choice: string, button: string) {
    const { page } = teacher
    await page.locator('[data-named=unknown]').getByRole('checkbox', { name }).check()
    await page.getByRole('button', { name: 'Решить: 1 человек…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Неизвестно, дошло ли: 1 человек' })
    await dialog.getByText(name, { exact: true }).waitFor()
    await dialog.getByRole('radio', { name: choice }).check()
    await dialog.getByRole('button', { name: button }).click()
    await dialog.waitFor({ state: 'detached' })
  }

  it('nobody is chosen and nothing is decided beforehand', async () => {
    const { page } = teacher
    await choose(page, /^Неизвестные/)
    await page.getByLabel('Текст', { exact: true }).fill('Дошло ли?')
    await page.getByText('Ещё: о чём').click()
    // mail has one, and what it would be without is shown
    const subject = page.getByLabel('Тема письма')
    await subject.waitFor()
    expect(await subject.getAttribute('placeholder')).to.equal('Дошло ли?')
    await subject.fill('Проверка связи')
    await page.getByRole('button', { name: /^Отправить: 3 / }).click()
    await hurry(page)
    await page.locator('[data-ending=unknown]').waitFor()
    const { histories } = await fleet.api.get<HistoriesPage>('/v1/histories?sender=t-01')
    expect(histories[0]).to.include({ text: 'Дошло ли?', subject: 'Проверка связи' })
    await count('unknown').getByText('3').waitFor()
    const button = page.getByRole('button', { name: 'Решить о выбранных…' })
    expect(await button.getAttribute('aria-disabled')).to.equal('true')
    await page.getByRole('button', { name: 'Выбрать всех' }).press('Enter')
    await page.getByRole('button', { name: 'Решить: 3 человека…' }).press('Enter')
    const dialog = page.getByRole('dialog')
    await dialog.waitFor()
    expect(await dialog.locator('input:checked').count()).to.equal(0)
    await expectEveryLook(page, 'deciding about those unknown')
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Выбрать всех' }).click()
    for (const { name } of people) await page.getByRole('checkbox', { name }).uncheck()
  })

  it('what somebody has found out is told as that', async () => {
    const { page } = teacher
    await decide('Анна', 'Выяснено: дошло', 'Сохранить')
    await count('delivered').getByText('1').waitFor()
    await page.getByText('Почта: выяснили, что дошло: 1 человек (t-01').waitFor()
    await decide('Борис', 'Выяснено: не дошло', 'Сохранить')
    await count('notDelivered').getByText('1').waitFor()
    const missed = page.locator('[data-named=notDelivered]').getByRole('listitem').filter({ hasText: 'Борис' })
    await missed.getByText('выяснили, что не дошло').waitFor()
    await count('unknown').getByText('1').waitFor()
  })

  it('who is sent to again gets it again, nobody else does, and the message says so', async () => {
    const { page } = teacher
    await decide('Вера', 'Отправить им ещё раз', 'Отправить ещё раз')
    await count('handedOver').getByText('1').waitFor()
    await page.locator('[data-ending=handed-over], [data-ending=some]').waitFor()
    const [anna, boris, vera] = people.map(({ address }) => address) as [string, string, string]
    await until(async () => (await copies(vera)) === 2, 'it came a second time')
    expect([await copies(anna), await copies(boris)]).to.deep.equal([1, 1])
    await page.getByText(/^Почта: отправлено ещё раз, .*: 1 человек \(t-01/).waitFor()
    expect(await count('unknown').count()).to.equal(0)
  })
})
