/** Takes the pictures of the wall of phones: docs/phones.png, and docs/phones-live.png, which moves. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { startFleet } from '../e2e/fleet.ts'
import { startInbound } from '../e2e/inbound.ts'
import { animate, type Frame } from './apng.ts'
import { launchChromium } from './chromium.ts'

const docs = join(import.meta.dirname, '../../docs')
/** of t-01, a teacher of the demo */
const teacher = '70001213'
const text = 'Завтра первой пары не будет, встречаемся в 10:15.'
const size = { width: 1060, height: 748 }

const fleet = await startFleet({ demoNames: true })
const [bot, browser] = await Promise.all([startInbound(fleet, 'bot'), launchChromium()])
try {
  const page = await (await browser.newContext({ viewport: size, locale: 'en', timezoneId: 'Europe/Moscow' })).newPage()
  await fleet.sandbox.say('telegram', teacher, '/start')
  await page.goto(fleet.sandbox.url)
  await page.locator(`.tile[data-address="${teacher}"]`).click()
  const frames: Frame[] = []
  const shoot = async (shownMs: number) => void frames.push({ png: await page.screenshot(), shownMs })
  const phone = page.locator(`.phone[data-address="${teacher}"]`)
  await phone.locator('li.client').last().waitFor()
  await phone.locator('.screen').evaluate('(node) => node.scrollTo(0, 1e6)')
  await page.locator('.row').nth(7).waitFor()
  await settled(page)
  await shoot(1200)

  await phone.getByRole('textbox').click()
  for (const words of text.match(/.{1,12}/gu) ?? []) {
    await page.keyboard.type(words)
    await shoot(160)
  }
  await page.keyboard.press('Enter')
  await press(/ИВТ-101/)
  await press(/^Дальше \(1\)/)
  await press(/^Отправить сейчас/)
  await rest(page)
  for (let i = 0; i < 9; i++) await shoot(220)
  await phone.getByText(/^(Дошло|Из )/).waitFor()
  await settled(page)
  await phone.locator('.screen').evaluate('(node) => node.scrollTo(0, 0)')
  await shoot(2500)
  const student = await open('vk')
  await student.getByRole('textbox').fill('Спасибо!')
  await shoot(500)
  await page.keyboard.press('Enter')
  await student.locator('li.person').waitFor()
  await settled(page)
  await shoot(900)
  const off = await open('sms')
  await off.getByRole('button', { name: 'Switched on' }).click()
  await off.getByText('Switched off').waitFor()
  const blocking = await open('telegram')
  await blocking.getByRole('button', { name: 'Block the bot' }).click()
  await blocking.getByText('The bot is blocked').waitFor()
  await rest(page)
  await page.evaluate('scrollTo(0, 0)')
  await settled(page)
  await shoot(3000)
  writeFileSync(join(docs, 'phones-live.png'), animate(frames))
  writeFileSync(join(docs, 'phones.png'), (frames.at(-1) as Frame).png)

  /** Opens the first phone of the channel on which something has arrived, the teacher's own excepted. */
  async function open(channel: string): Promise<Locator> {
    const arrived = page.locator(`.tile[data-channel=${channel}]:not([data-address="${teacher}"])`)
    const tile = arrived.filter({ hasText: text }).first()
    const address = await tile.getAttribute('data-address')
    await tile.click()
    await settled(page)
    return page.locator(`.phone[data-channel=${channel}][data-address="${address}"]`)
  }

  async function press(label: RegExp): Promise<void> {
    const button = phone.getByRole('button', { name: label }).last()
    await button.waitFor()
    await settled(page)
    await shoot(700)
    await button.hover()
    await button.focus()
    await shoot(400)
    await button.click()
  }
} finally {
  await browser.close()
  await bot.stop()
  await fleet.stop()
}

/** Leaves the wall alone: only then do others come to the front. */
async function rest(page: Page): Promise<void> {
  await page.evaluate('document.activeElement.blur()')
  await page.mouse.move(5, 5)
}

/** Resolves when nothing moves any more. */
async function settled(page: Page): Promise<void> {
  await page.evaluate('Promise.all(document.getAnimations().map((animation) => animation.finished.catch(() => {})))')
  await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))')
}
