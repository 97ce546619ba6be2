/** A student links Telegram, VK and a phone number from a page as wide as a phone: by the QR code of the page, which another phone reads. */
import { sms, vk } from '@courier-fleet/channels'
import { until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import type { Browser, Locator } from 'playwright-core'
import decodeQR from 'qr/decode.js'
import { type Fleet, startFleet } from '../e2e/fleet.ts'
import { type Inbound, startInbound } from '../e2e/inbound.ts'
import { decode } from './apng.ts'
import { launchChromium } from './chromium.ts'
import { expectEveryLook, expectFine } from './looks.ts'
import { visit } from './visit.ts'

const words = {
  ru: { link: 'Привязать', qr: /^QR-код/, another: /^Другой код/, lapsed: /больше не действует/, done: /^Готово/ },
  en: { link: 'Link', qr: /^QR code/, another: /^Another code/, lapsed: /has expired/, done: /^Done/ },
} as const

/** What the camera of another phone reads. */
async function readQr(picture: Locator): Promise<string> {
  const { width, height, pixels } = decode(await picture.screenshot())
  return decodeQR({ width, height, data: pixels }, { timeLimit: 10_000 })
}

const ways = [
  { channel: vk, way: /^https:\/\/vk\.me\/\w+\?ref=\d{8}$/, phone: '79900', own: 'sms' },
  { channel: sms, way: /^sms:\d+\?body=%D0%9A%D0%9E%D0%94%20\d{8}$/, phone: '+7900778900', own: 'vk' },
] as const

/** In the page, before its own scripts: how often somebody has pressed or typed there since it was loaded. */
const countActions = `
  window.actions = 0
  for (const kind of ['pointerdown', 'keydown']) addEventListener(kind, () => (window.actions += 1), true)
`

describe('enrolment by QR code', () => {
  let fleet: Fleet
  let bot: Inbound
  let others: Inbound[] = []
  let browser: Browser
  before(async () => {
    ;[fleet, browser] = await Promise.all([startFleet(), launchChromium()])
    bot = await startInbound(fleet, 'bot')
    others = [await startInbound(fleet, 'vk-inbound'), await startInbound(fleet, 'sms-inbound')]
  })
  after(async () => {
    await browser?.close()
    await bot?.stop()
    for (const each of others) await each.stop()
    await fleet?.stop()
  })

  for (const [index, language] of (['ru', 'en'] as const).entries()) {
    it(`links Telegram and says so by itself, in ${language}`, async () => {
      const said = words[language]
      const id = `s-new-${language}`
      await fleet.api.call('PUT', `/v1/people/${id}`, { name: `New ${language}`, role: 'student', language })
      await fleet.api.call('PUT', `/v1/contacts/sms/${id}`, { address: `+7900777000${index}` })
      const visitor = await visit(browser, fleet, { language, width: 360, height: 740 })
      const { page } = visitor
      await page.clock.install()
      await visitor.signIn(id)
      const link = page.getByRole('button', { name: `${said.link} Telegram` })
      const picture = page.getByRole('img', { name: said.qr })
      await link.click()
      await picture.waitFor()
      await expectEveryLook(page, 'a code to link Telegram')

      // the first code is not used in time
      const first = await readQr(picture)
      await page.clock.fastForward(600_000)
      await page.getByText(said.lapsed).waitFor()
      await page.getByRole('button', { name: said.another }).click()
      await picture.waitFor()
      const url = await readQr(picture)
      expect(url)
        .to.match(/^https:\/\/t\.me\/\w+\?start=\d{8}$/)
        .and.not.equal(first)
      expect(await page.locator(`a[href="${url}"]`).count()).to.equal(1)

      const address = String(7_990_001 + index)
      await fleet.sandbox.follow('telegram', address, url)
      await page.getByText(said.done).waitFor()
      const { contacts } = await fleet.api.get<{ contacts: Record<string, { address: string }> }>(`/v1/people/${id}`)
      expect(contacts.telegram?.address).to.equal(address)
      expect(await picture.count(), 'the code is gone').to.equal(0)
      await expectFine(page, 'linked')
      expect(visitor.complaints).to.deep.equal([])
      await visitor.close()
    })
  }

  for (const { channel, way, phone, own } of ways) {
    for (const [index, language] of (['ru', 'en'] as const).entries()) {
      it(`links ${channel.name} by one press and what a phone sends, and the page says so by itself, in ${language}`, async () => {
        const said = words[language]
        const { name } = channel.words[language]
        const id = `s-${channel.name}-${language}`
        const address = `${phone}${index}`
        await fleet.api.call('PUT', `/v1/people/${id}`, { name: `New ${id}`, role: 'student', language })
        const signsIn = own === 'sms' ? `+7900779000${index}` : `798000${index}`
        await fleet.api.call('PUT', `/v1/contacts/${own}/${id}`, { address: signsIn })
        const visitor = await visit(browser, fleet, { language, width: 360, height: 740 })
        const { page } = visitor
        await visitor.signIn(id)
        await page.addInitScript({ content: countActions })
        await page.reload()
        await page.getByRole('button', { name: `${said.link} ${name}`, exact: true }).click()
        const picture = page.getByRole('img', { name: said.qr })
        await picture.waitFor()
        await expectFine(page, 'a code by one press')
        const url = await readQr(picture)
        expect(url).to.match(way)
        await fleet.sandbox.follow(channel.name, address, url)
        await page.getByText(said.done).waitFor()
        // counted since the page was loaded, so it was not loaded again, either
        expect(await page.evaluate('window.actions'), 'steps on the page').to.equal(1)
        const { contacts } = await fleet.api.get<{ contacts: Record<string, { address: string }> }>(`/v1/people/${id}`)
        expect(contacts[channel.name]?.address).to.equal(address)
        await expectFine(page, 'linked by one press')
        expect(visitor.complaints).to.deep.equal([])
        await visitor.close()
      })
    }
  }

  it('of a whole group goes by a sheet that a trainer prints: a strip is scanned, and its person is linked', async () => {
    await fleet.api.call('PUT', '/v1/people/paper', { name: 'Бумажный Пётр', role: 'student', language: 'ru' })
    await fleet.api.call('PUT', '/v1/groups/paper', { name: 'Бумажная группа', owners: ['t-01'] })
    await fleet.api.call('POST', '/v1/groups/paper/members', { people: ['paper'] })
    const visitor = await visit(browser, fleet, { width: 360, height: 740 })
    const { page } = visitor
    await visitor.signIn('t-01')
    await page.goto(`${fleet.apiUrl}/groups`)
    await page.getByRole('button', { name: 'Состав: Бумажная группа', exact: true }).click()
    await page.getByText('Коды для привязки', { exact: true }).click()
    expect(await page.getByRole('checkbox').count(), 'replacing contacts is for operators').to.equal(0)
    await expectEveryLook(page, 'codes for a group')
    await page.getByRole('button', { name: 'Сделать новые коды', exact: true }).click()
    const opening = page.waitForEvent('popup')
    await page.getByRole('link', { name: 'Открыть лист для печати', exact: true }).click()
    const sheet = await opening
    await sheet.waitForLoadState()
    await expectFine(sheet, 'the sheet')
    const strip = sheet.locator('.strip', { hasText: 'Бумажный Пётр' })
    expect(await sheet.evaluate("getComputedStyle(document.querySelector('.strip')).breakInside")).to.equal('avoid')
    await sheet.emulateMedia({ media: 'print' })
    expect(await sheet.locator('.not-printed').first().isVisible()).to.equal(false)
    const url = await readQr(strip.locator('svg'))
    expect(url).to.match(/^https:\/\/t\.me\/\w+\?start=\d{12}$/)
    await fleet.sandbox.follow('telegram', '7990077', url)
    const linked = () => fleet.api.get<{ contacts: Record<string, { address: string }> }>('/v1/people/paper')
    await until(async () => (await linked()).contacts.telegram?.address === '7990077', 'the contact is linked')
    expect(visitor.complaints).to.deep.equal([])
    await visitor.close()
  })
})
