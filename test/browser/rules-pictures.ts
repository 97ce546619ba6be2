/** Takes the pictures of docs/rules: what a sender reads of whoever has to wait, before a message is sent, meanwhile and in the end. */
import { join } from 'node:path'
import type { ChannelList } from '@courier-fleet/api-types'
import { until } from '@courier-fleet/testkit'
import { startFleet } from '../e2e/fleet.ts'
import { launchChromium } from './chromium.ts'
import { choose, hurry, visit } from './visit.ts'

const folder = join(import.meta.dirname, '../../docs/rules')
const size = { width: 1280, height: 800 }
const minuteMs = 60_000
/** of all people of the demo who live there, it is quiet so long yet; in other zones it is another hour */
const quietForMs = 3 * minuteMs
const inMoscow = new Intl.DateTimeFormat('en-GB', { timeZone: 'Europe/Moscow', hour: '2-digit', minute: '2-digit' })
const moscowTime = (aheadMs: number) => inMoscow.format(Date.now() + aheadMs)

const fleet = await startFleet({ demoNames: true })
const browser = await launchChromium()
try {
  const { page, signIn } = await visit(browser, fleet)
  const shoot = async (name: string) => {
    await page.setViewportSize(size)
    const height = await page.evaluate<number>('document.documentElement.scrollHeight')
    // the whole page is in view: what sticks to the lower edge covers nothing
    await page.setViewportSize({ ...size, height })
    await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true })
  }
  await signIn('d-03')
  const quiet = { from: moscowTime(-30 * minuteMs), to: moscowTime(quietForMs) }
  const { status } = await fetch(`${fleet.apiUrl}/v1/settings`, {
    method: 'PATCH',
    headers: { authorization: `Bearer ${fleet.apiKey}`, 'content-type': 'application/json', 'if-match': '"0"' },
    body: JSON.stringify({ quiet, quietJitterSeconds: 0 }),
  })
  if (status !== 200) throw new Error(`the settings were answered with ${status}`)
  await until(async () => {
    const { settings } = await fleet.api.get<ChannelList>('/v1/channels')
    return settings.using === settings.of
  }, 'all processes know')

  await choose(page, /^Все студенты \d+ групп/)
  await page.getByLabel('Текст', { exact: true }).fill('Экзамен по физике 12 января, аудитория 204')
  await page.getByText(/сейчас — \d+; .* никогда — \d+/).waitFor()
  await shoot('compose')
  const send = page.getByRole('button', { name: /^Отправить: \d+/ })
  await send.click()
  await page.getByRole('heading', { name: 'Проверьте перед отправкой' }).waitFor()
  await send.click()
  await hurry(page)
  await page.getByRole('button', { name: /^Отправить сейчас/ }).waitFor()
  const key = page.url().split('/').at(-1) as string
  const isRestHeld = async () => {
    const { waiting = [], channels } = await fleet.api.history(key)
    const pending = Object.values(channels).reduce((sum, each) => sum + each.pending, 0)
    return pending > 0 && waiting.reduce((sum, { people }) => sum + people, 0) === pending
  }
  await until(isRestHeld, 'everybody else has it')
  await page.reload()
  await page.getByRole('button', { name: /^Отправить сейчас/ }).waitFor()
  await shoot('watch')
  await page.locator('[data-ending]').waitFor({ timeout: 2 * quietForMs })
  await shoot('outcome')
} finally {
  await browser.close()
  await fleet.stop()
}
