/** Somebody who is not in the list applies from a phone, by the QR code of a group, and the office decides at the web app. */
import type { ApplicationList, PersonDetails } from '@courier-fleet/api-types'
import { until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import type { Browser, Locator } from 'playwright-core'
import decodeQR from 'qr/decode.js'
import { type Fleet, startFleet } from '../e2e/fleet.ts'
import { type Inbound, startInbound } from '../e2e/inbound.ts'
import { decode } from './apng.ts'
import { launchChromium } from './chromium.ts'
import { expectFine } from './looks.ts'
import { type Visit, visit } from './visit.ts'

const words = {
  ru: {
    show: 'Состав: Новички',
    link: 'Ссылка для заявок',
    make: 'Сделать ссылку',
    qr: 'QR-код ссылки для заявок',
    name: 'Фамилия, имя, отчество',
    next: 'Продолжить',
    open: /^Контакт подтверждён/,
    accept: 'Принять Новиков Пётр',
    answer: 'Почему отказ (это прочтёт заявитель)',
    refuse: 'Отклонить Новиков Пётр',
    accepted: /^Заявка принята/,
    refused: 'Деканат отклонил заявку: Вас нет в приказе.',
    told: /^Ваша заявка принята/,
  },
  en: {
    show: 'Members of Новички',
    link: 'Link to apply',
    make: 'Make the link',
    qr: 'QR code of the link to apply',
    name: 'Your full name',
    next: 'Continue',
    open: /^The contact is proved/,
    accept: 'Accept Новиков Пётр',
    answer: 'Why you refuse (the applicant reads it)',
    refuse: 'Refuse Новиков Пётр',
    accepted: /^The application was accepted/,
    refused: 'The office has refused the application: Вас нет в приказе.',
    told: /^Your application was accepted/,
  },
} as const

/** What the camera of a phone reads. */
async function readQr(picture: Locator): Promise<string> {
  const { width, height, pixels } = decode(await picture.screenshot())
  return decodeQR({ width, height, data: pixels }, { timeLimit: 10_000 })
}

describe('applying oneself', () => {
  let fleet: Fleet
  let bot: Inbound
  let browser: Browser
  before(async () => {
    ;[fleet, browser] = await Promise.all([startFleet(), launchChromium()])
    bot = await startInbound(fleet, 'bot')
    await fleet.api.call('PUT', '/v1/groups/novices', { name: 'Новички', owners: ['t-01'] })
    for (const language of ['ru', 'en']) {
      const office = `office-${language}`
      await fleet.api.call('PUT', `/v1/people/${office}`, { name: 'Деканат', role: 'admin', language })
      await fleet.api.call('PUT', `/v1/contacts/telegram/${office}`, {
        address: language === 'ru' ? '7991001' : '7991002',
      })
    }
  })
  after(async () => {
    await browser?.close()
    await bot?.stop()
    await fleet?.stop()
  })

  const waiting = async () => (await fleet.api.get<ApplicationList>('/v1/applications')).applications
  const narrow = async ({ page }: Visit) => {
    await expectFine(page, 'an application')
  }

  for (const [index, language] of (['ru', 'en'] as const).entries()) {
    it(`is a form, a code and an answer, in ${language}`, async () => {
      const said = words[language]
      const office = await visit(browser, fleet, { language, width: 360, height: 740 })
      await office.signIn(`office-${language}`)
      await office.page.goto(`${fleet.apiUrl}/groups`)
      await office.page.getByRole('button', { name: said.show, exact: true }).click()
      await office.page.getByText(said.link, { exact: true }).click()
      await office.page.getByRole('button', { name: said.make, exact: true }).click()
      const picture = office.page.getByRole('img', { name: said.qr })
      await picture.waitFor()
      await narrow(office)
      const url = await readQr(picture)

      const applicant = await visit(browser, fleet, { language, width: 360, height: 740 })
      const { page } = applicant
      /** @returns the way to the bot */
      async function fillIn(): Promise<string> {
        await page.goto(url)
        await narrow(applicant)
        await page.getByLabel(said.name).fill('Новиков Пётр')
        await page.getByLabel('Telegram', { exact: true }).check()
        await page.getByRole('button', { name: said.next, exact: true }).click()
        const qr = page.locator('.apply svg')
        await qr.waitFor()
        await narrow(applicant)
        expect(await waiting(), 'no contact is proved').to.deep.equal([])
        return readQr(qr)
      }
      const decide = async (button: string) => {
        await office.page.goto(`${fleet.apiUrl}/people`)
        const press = office.page.getByRole('button', { name: button, exact: true })
        await press.waitFor()
        await narrow(office)
        if (button === said.refuse) await office.page.getByLabel(said.answer).fill('Вас нет в приказе.')
        await press.click()
        await press.waitFor({ state: 'detached' })
      }

      await fleet.sandbox.follow('telegram', `799300${index}`, await fillIn())
      // the page updates by itself
      await page.getByText(said.open).waitFor()
      const own = page.url()
      await decide(said.refuse)
      await page.goto(own)
      await page.getByText(said.refused, { exact: true }).waitFor()

      await fleet.sandbox.follow('telegram', `799300${index}`, await fillIn())
      await page.getByText(said.open).waitFor()
      const [found] = await waiting()
      await decide(said.accept)
      await page.reload()
      await page.getByText(said.accepted).waitFor()
      await narrow(applicant)
      const person = await fleet.api.get<PersonDetails>(`/v1/people/a-${found?.id}`)
      expect(person).to.deep.include({ name: 'Новиков Пётр', groups: ['novices'], language })
      expect(person.contacts.telegram?.agreed).to.include({ by: 'application', wording: `application-1-${language}` })
      await until(async () => {
        const { messages } = await fleet.sandbox.chat('telegram', `799300${index}`)
        return messages.some(({ text }) => said.told.test(text))
      }, 'they are told on their channel')
      expect([...office.complaints, ...applicant.complaints]).to.deep.equal([])
      await applicant.close()
      await office.close()
    })
  }
})
