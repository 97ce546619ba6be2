/** Takes the pictures of docs/web: every view of the web app, wide and narrow, light and dark, some in English, of a fleet of its own. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { type Fleet, startFleet } from '../e2e/fleet.ts'
import { launchChromium } from './chromium.ts'
import { choose, hurry, visit } from './visit.ts'

const folder = join(import.meta.dirname, '../../docs/web')
const sizes = [
  [1280, 800],
  [360, 740],
] as const
const schemes = ['light', 'dark'] as const
type Scheme = (typeof schemes)[number]

mkdirSync(folder, { recursive: true })
const fleet = await startFleet({ demoNames: true })
const browser = await launchChromium()
try {
  await ofTeacher(browser, fleet)
  await ofStudent(browser, fleet)
  await ofStaff(browser, fleet)
  await ofOperator(browser, fleet)
} finally {
  await browser.close()
  await fleet.stop()
}

async function ofTeacher(browser: Browser, fleet: Fleet): Promise<void> {
  const { page, signIn } = await visit(browser, fleet)
  await page.locator('#name').fill('t-01')
  await shoot(page, 'sign-in')
  await signIn('t-01')

  await choose(page, /^ИВТ-102/, /^Кружок роботов/)
  await page.getByLabel('Текст', { exact: true }).fill('Завтра первой пары не будет, встречаемся в 10:15 в ауд. 204.')
  await page.getByText(/^Отправим \d/).waitFor()
  await shoot(page, 'compose')
  await shootInEnglish(page, 'compose')

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
  await shootInEnglish(page, 'outcome')
  await page.getByRole('button', { name: 'Исправить текст' }).click()
  await page.getByRole('dialog').waitFor()
  await shoot(page, 'correct')
  await page.keyboard.press('Escape')
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
  await shootInEnglish(page, 'messages')
  await page.getByRole('link', { name: 'Мои контакты' }).click()
  await page.locator('[data-channel=vk]').getByRole('button').click()
  await page.getByText('Ваш код').waitFor()
  await shoot(page, 'contacts')
  await page.getByRole('link', { name: 'Группы' }).click()
  await page.getByText('Кружок роботов').first().waitFor()
  await shoot(page, 'groups')
  await page.getByRole('link', { name: 'Интеграции' }).click()
  await page.getByText('Пока никакой системе ни о чём не сообщают.').waitFor()
  await shoot(page, 'integrations')
}

async function ofStudent(browser: Browser, fleet: Fleet): Promise<void> {
  const { page, signIn } = await visit(browser, fleet)
  await signIn('s-ivt-102-06')
  await page.getByRole('region', { name: 'Что вам приходило' }).getByText('первой пары не будет').waitFor()
  await shoot(page, 'student')
}

async function ofStaff(browser: Browser, fleet: Fleet): Promise<void> {
  await fleet.api.call('PUT', '/v1/templates/exam-room', {
    name: { ru: 'Аудитория экзамена', en: 'Exam room' },
    text: { ru: '{{name}}, экзамен в ауд. {{room}}.', en: '{{name}}, your exam is in room {{room}}.' },
    language: 'ru',
    fields: [{ name: 'room', label: { ru: 'Аудитория', en: 'Room' }, example: '204' }],
  })
  const { page, signIn } = await visit(browser, fleet)
  await signIn('d-01')
  await page.getByRole('link', { name: 'Шаблоны' }).click()
  await page.getByRole('link', { name: 'Аудитория экзамена' }).click()
  await page.getByText(/^Так прочтёт /).waitFor()
  await shoot(page, 'template')
}

async function ofOperator(browser: Browser, fleet: Fleet): Promise<void> {
  const { page, signIn } = await visit(browser, fleet)
  await signIn('o-01')
  // a role has that name, and a cohort
  await page.locator('#find').click()
  await page
    .getByRole('option', { name: /^Все студенты/ })
    .first()
    .click()
  await page.keyboard.press('Escape')
  await page.getByLabel('Текст', { exact: true }).fill('Столовая в корпусе Б сегодня закрыта.')
  await page.getByText(/^Отправим \d/).waitFor()
  await page.getByRole('button', { name: /^Отправить/ }).click()
  await page.getByRole('heading', { level: 1, name: 'Проверьте перед отправкой' }).waitFor()
  await shoot(page, 'check')
  await shootInEnglish(page, 'check')

  await page.getByRole('link', { name: 'Люди' }).click()
  await page.getByRole('region', { name: 'Люди' }).getByRole('listitem').first().waitFor()
  await shoot(page, 'people')
  await page.getByLabel('Поиск по имени или номеру').fill('гусева алёна')
  await page.getByRole('button', { name: 'Гусева Алёна' }).first().click()
  await page.getByRole('dialog').getByText('Группы').waitFor()
  await shoot(page, 'person')
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: 'Служба' }).click()
  await page.locator('.verdict').waitFor()
  await page.getByRole('heading', { name: 'ВКонтакте' }).waitFor()
  await shoot(page, 'service')
  await page.getByRole('link', { name: 'Правила' }).click()
  // the last of what is loaded by itself
  await page.getByRole('button', { name: 'Показать, что изменится' }).waitFor()
  await shoot(page, 'rules')
}

async function shootInEnglish(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'English' }).click()
  await page.locator('html[lang=en]').waitFor()
  await shoot(page, `${name}-en`, ['light'])
  await page.getByRole('button', { name: 'Русский' }).click()
  await page.locator('html[lang=ru]').waitFor()
}

async function shoot(page: Page, name: string, inSchemes: readonly Scheme[] = schemes): Promise<void> {
  for (const [width, height] of sizes) {
    for (const colorScheme of inSchemes) {
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
