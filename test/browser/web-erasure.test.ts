/** An administrator saves all that is known of one person, and has them erased. */
import { readFileSync } from 'node:fs'
import type { ErasureList, PersonData } from '@courier-fleet/api-types'
import { expect } from 'chai'
import type { Browser } from 'playwright-core'
import { type Fleet, startFleet } from '../e2e/fleet.ts'
import { launchChromium } from './chromium.ts'
import { expectEveryLook } from './looks.ts'
import { expectNoComplaints, type Visit, visit } from './visit.ts'

describe('an administrator who is asked to erase somebody', () => {
  let fleet: Fleet
  let browser: Browser
  let admin: Visit
  const name = 'Стираемая Вера'

  before(async () => {
    ;[fleet, browser] = await Promise.all([startFleet(), launchChromium()])
    const put = (id: string, called: string, role: string) =>
      fleet.api.call('PUT', `/v1/people/${id}`, { name: called, role, timeZone: 'Europe/Moscow', language: 'ru' })
    await put('dekan', 'Декан', 'admin')
    await put('vera-st', name, 'student')
    await fleet.api.call('PUT', '/v1/contacts/sms/dekan', { address: '+79005554435' })
    await fleet.api.call('PUT', '/v1/contacts/sms/vera-st', { address: '+79005554436' })
    await fleet.api.deliver({ to: ['user:vera-st'], text: 'Зайдите в деканат' })
    admin = await visit(browser, fleet)
    await admin.signIn('dekan')
  })
  after(async () => {
    await browser?.close()
    await fleet?.stop()
  })
  afterEach(async function () {
    await expectNoComplaints.call(this, admin)
  })

  it('saves what is known, says why, and is told that it goes on by itself', async () => {
    const { page } = admin
    await page.getByRole('link', { name: 'Служба' }).click()
    await page.getByLabel('Чьи сообщения: имя или обозначение').fill('vera-st')
    await page.getByRole('button', { name, exact: true }).click()
    const found = page.getByRole('region', { name, exact: true })
    await found.getByText('Зайдите в деканат').waitFor()
    const saving = page.waitForEvent('download')
    await found.getByRole('button', { name: 'Сохранить всё, что о человеке известно' }).click()
    const file = await saving
    expect(file.suggestedFilename()).to.equal('vera-st.json')
    const data = JSON.parse(readFileSync(await file.path(), 'utf8')) as PersonData
    expect([data.person?.name, data.messages.map(({ text }) => text)]).to.deep.equal([name, ['Зайдите в деканат']])

    await found.getByRole('button', { name: 'Стереть…' }).click()
    const dialog = page.getByRole('dialog')
    await expectEveryLook(page, 'erasing')
    const yes = dialog.getByRole('button', { name: 'Стереть навсегда' })
    // without a reason nothing happens
    await yes.press('Enter')
    expect((await fleet.api.get<ErasureList>('/v1/erasures')).erasures).to.deep.equal([])
    await dialog.getByLabel('так просит сам человек').check()
    await yes.click()
    await found.getByText('Стираем.').waitFor()
    const { erasures } = await fleet.api.get<ErasureList>('/v1/erasures')
    expect(erasures.map(({ person, reason, by }) => [person, reason, by])).to.deep.equal([
      ['vera-st', 'own-request', 'dekan'],
    ])
  })
})
