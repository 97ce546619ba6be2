/**
 * `npm run measure -- journeys`: how long it takes who has never done it: a newcomer from a clone to a message on three phones, a teacher to sign in
 * and send, a student to link a phone, an operator to find why VK is slow. By real clicks and keys in Chromium, no faster than people are.
 */
import { availableParallelism, loadavg } from 'node:os'
import type { Browser } from 'playwright-core'
import { type Fleet, startFleet } from '../e2e/fleet.ts'
import { startInbound } from '../e2e/inbound.ts'
import { launchChromium } from './chromium.ts'
import { journey, look, pace, press, type Step, type } from './human-pace.ts'
import { newcomerJourney } from './newcomer.ts'
import { type Visit, visit } from './visit.ts'

const student = { id: 's-new', sms: '+79007770001', telegram: '7990001' }

async function signIn(step: Step, fleet: Fleet, { page, codeSince }: Visit, id: string): Promise<void> {
  const button = page.locator('button[type=submit]')
  await step('opens the web app', async () => {
    await page.goto(fleet.apiUrl)
    await page.locator('#name').waitFor()
  })
  await step(`says who it is: ${id}`, async () => {
    await press(page.locator('#name'))
    await type(page, id)
  })
  await step('asks for a code, reads it on the phone and types it', async () => {
    const before = (await fleet.sandbox.accepted()).length
    await press(button)
    await page.locator('#code').waitFor()
    const code = await codeSince(before)
    await look()
    await type(page, code)
    await press(button)
    await page.locator('header .who').waitFor()
  })
}

async function teacherJourney(fleet: Fleet, visitor: Visit): Promise<boolean> {
  const { page } = visitor
  return await journey('A teacher new to it, until everybody has the message', 60, async (step) => {
    await signIn(step, fleet, visitor, 't-01')
    await step('chooses a group', async () => {
      await press(page.getByRole('combobox', { name: 'Кому' }))
      await type(page, 'ивт-102')
      await press(page.getByRole('option', { name: /^ИВТ-102/ }))
      await page.keyboard.press('Escape')
    })
    await step('writes', async () => {
      await press(page.getByLabel('Текст', { exact: true }))
      await type(page, 'Завтра первой пары не будет')
    })
    await step('reads whom it will reach, and sends', async () => {
      await page.getByText(/^Отправим \d+ из 27/).waitFor()
      await press(page.getByRole('button', { name: /^Отправить: / }))
      await page.getByRole('button', { name: 'Вернуть', exact: true }).waitFor()
    })
    await step('reads how it ended, the ten seconds to take it back included', async () => {
      await page.locator('[data-ending]').waitFor()
      await look()
    })
  })
}

/** Before it the group's teacher, or whoever runs the service, has entered the number. */
async function studentJourney(fleet: Fleet, visitor: Visit): Promise<boolean> {
  const { page } = visitor
  await fleet.api.call('PUT', `/v1/people/${student.id}`, { name: 'Новый студент', role: 'student', language: 'ru' })
  await fleet.api.call('PUT', `/v1/contacts/sms/${student.id}`, { address: student.sms })
  return await journey('A student, until Telegram is linked', 30, async (step) => {
    await signIn(step, fleet, visitor, student.id)
    const url = await step('asks for the link', async () => {
      await press(page.getByRole('button', { name: 'Привязать Telegram' }))
      const link = page.getByRole('link', { name: 'Открыть Telegram с этим кодом' })
      await link.waitFor()
      await look()
      return (await link.getAttribute('href')) as string
    })
    await step('follows it on the phone, until the page says that it is linked', async () => {
      await fleet.sandbox.follow('telegram', student.telegram, url)
      await page.getByText(/^Готово: Telegram/).waitFor()
      await look()
    })
  })
}

async function operatorJourney(fleet: Fleet, visitor: Visit): Promise<boolean> {
  const { page } = visitor
  await fleet.sandbox.fault({ channel: 'vk', kind: 'throttle', seconds: 60, count: 1000 })
  const text = 'Медленно'
  const isWell = await journey('An operator, until it is known why VK is slow', 60, async (step) => {
    await fleet.api.send({ to: ['group:ivt-101'], text, channels: ['vk'] })
    await signIn(step, fleet, visitor, 'o-01')
    await step('opens the page of the service', () => press(page.getByRole('link', { name: 'Служба' })))
    await step('reads what VK says, and who waits', async () => {
      await page
        .locator('.verdict')
        .getByText(/^ВКонтакте просит слать реже.*«VK says 9: Flood control»/)
        .waitFor()
      await look()
    })
  })
  await fleet.sandbox.clearFaults()
  return isWell
}

async function inBrowser(browser: Browser): Promise<boolean> {
  const fleet = await startFleet({ demoNames: true })
  const bot = await startInbound(fleet, 'bot')
  const are: boolean[] = []
  try {
    for (const go of [teacherJourney, studentJourney, operatorJourney]) {
      const visitor = await visit(browser, fleet, go === operatorJourney ? {} : { width: 360, height: 740 })
      are.push(await go(fleet, visitor))
      await visitor.close()
    }
  } finally {
    await bot.stop()
    await fleet.stop()
  }
  return are.every(Boolean)
}

console.log(`At ${pace}. The steps are known beforehand: these times are a lower bound of a person's.`)
console.log(`${availableParallelism()} cores, which had ${(loadavg()[0] ?? 0).toFixed(1)} tasks at a time before.`)
const browser = await launchChromium()
try {
  const areWell = [await inBrowser(browser), await newcomerJourney(browser)]
  process.exitCode = areWell.every(Boolean) ? 0 : 1
} finally {
  await browser.close()
}
