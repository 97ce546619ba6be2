/** Takes the pictures of docs/web: every view of the web app, wide and narrow, light and dark, of a fleet of its own. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { startFleet } from '../e2e/fleet.ts'
import { launchChromium } from './chromium.ts'
import { choose, hurry, visit } from './visit.ts'

const folder = join(import.meta.dirname, '../../docs/web')
const sizes = [
  [1280, 800],
  [360, 740],
] as const
const schemes = ['light', 'dark'] as const

mkdirSync(folder, { recursive: true })
const fleet = await startFleet({ demoNames: true })
const browser = await launchChromium()
try {
  const { page, signIn } = await visit(browser, fleet)

  await page.locator('#name').fill('t-01')
  await shoot(page, 'sign-in')
  await signIn('t-01')

  await choose(page, /^ИВТ-102/, /^Кружок роботов/)
  await page.getByLabel('Текст', { exact: true }).fill('Завтра первой пары не будет, встречаемся в 10:15 в ауд. 204.')
  await page.getByText(/^Отправим \d/).waitFor()
  await shoot(page, 'compose')

  // long enough for all four pictures
  await fleet.sandbox.fault({ channel: 'telegram', kind: 'throttle', seconds: 20, count: 1 })
  await page.getByRole('button', { name: /^Отправить/ }).click()
  await hurry(page)
  await page
    .locator('.standing')
    .getByText(/Telegram: продолжим/)
    .waitFor()
  await page.getByRole('listitem').filter({ hasText: '✓' }).first().waitFor()
  await shoot(page, 'watch')
  await page.locator('[data-ending]').waitFor({ timeout: 40_000 })
  await shoot(page, 'outcome')
  await page.getByRole('button', { name: 'Показать, как отправляли' }).click()
  await page.getByRole('slider').press('End')
  await shoot(page, 'replay')

  await page.getByRole('link', { name: 'Написать' }).click()
  await choose(page, /^ИВТ-101/)
  await page.getByLabel('Текст', { exact: true }).fill('Напоминание: завтра сдаём лабораторные.')
  await page.getByLabel('В назначенное время').check()
  await page
    .getByLabel('Дата и время')
    .fill(`${new Date(Date.now() + 7 * 86_400_000).toISOString().slice(0, 10)}T08:30`)
  await page.getByRole('button', { name: /^Запланировать/ }).click()
  await page.getByRole('button', { name: 'Перенести' }).click()
  await page.getByRole('dialog').waitFor()
  await shoot(page, 'reschedule')
  await page.keyboard.press('Escape')

  await page.getByRole('link', { name: 'Сообщения' }).click()
  await page.getByRole('article').nth(1).waitFor()
  await shoot(page, 'messages')
  await page.getByRole('link', { name: 'Мои контакты' }).click()
  await page.locator('[data-channel=vk]').getByRole('button').click()
  await page.getByText('Ваш код').waitFor()
  await shoot(page, 'contacts')
  await page.getByRole('link', { name: 'Группы' }).click()
  await page.getByText('Кружок роботов').first().waitFor()
  await shoot(page, 'groups')

  const operator = await visit(browser, fleet)
  await operator.signIn('o-01')
  await operator.page.getByRole('link', { name: 'Служба' }).click()
  await operator.page.locator('.verdict').waitFor()
  await operator.page.getByRole('heading', { name: 'ВКонтакте' }).waitFor()
  await shoot(operator.page, 'service')
  await operator.page.getByRole('link', { name: 'Правила' }).click()
  await operator.page.getByRole('heading', { level: 2 }).first().waitFor()
  await shoot(operator.page, 'rules')
} finally {
  await browser.close()
  await fleet.stop()
}

async function shoot(page: Page, name: string): Promise<void> {
  for (const [width, height] of sizes) {
    for (const colorScheme of schemes) {
      await page.setViewportSize({ width, height })
      await page.emulateMedia({ colorScheme })
      await page.evaluate('scrollTo(0, 0)')
      // a dialog is in the middle of the window, not of the page; what stands at its lower edge is at the end of a picture
      const whole = (await page.getByRole('dialog').count()) === 0
      if (whole) await page.setViewportSize({ width, height: Math.max(height, await heightOf(page)) })
      await page.screenshot({ path: join(folder, `${name}-${width}-${colorScheme}.png`) })
    }
  }
}

function heightOf(page: Page): Promise<number> {
  return page.evaluate('document.documentElement.scrollHeight')
}
