/**
 * `npm run screenshots -- exam-pictures`: docs/exam, a notice of an exam to everybody by Telegram and VK, by SMS some time later to those only who have not
 * confirmed it, and corrected once. What the page says was counted in this run, by the logs of the stand-ins and by the history.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { HistoryView } from '@courier-fleet/api-types'
import { createClient } from '@courier-fleet/client'
import { until } from '@courier-fleet/testkit'
import type { Page } from 'playwright-core'
import { startFleet } from '../e2e/fleet.ts'
import { startInbound } from '../e2e/inbound.ts'
import { studentsOf } from '../e2e/roster.ts'
import { launchChromium } from './chromium.ts'
import { countExam, type Press } from './exam-counts.ts'
import { examPage } from './exam-page.ts'
import { visit } from './visit.ts'

const folder = join(import.meta.dirname, '../../docs/exam')
const { values } = parseArgs({ options: { after: { type: 'string', default: '120' } } })
const afterSeconds = Number(values.after)
const sizes = [
  [1280, 900],
  [360, 740],
] as const
const margin = 24
/** millionths of a rouble */
const perPart = 2_150_000
const ceiling = { millionths: 1_200_000_000, currency: 'RUB' }
const first = 'Экзамен по физике 12 января в 10:00, аудитория 204.'
const corrected = 'Экзамен по физике 12 января в 10:00, аудитория 305.'
const students = studentsOf('all-students')
/** of ten who have a chat: who confirms the first text, and who the corrected one */
const confirmFirst: readonly number[] = [0, 1, 2, 3]
const confirmCorrected: readonly number[] = [0, 1, 2, 4, 5, 6, 7]

/** of the notice, once it is accepted */
let key = ''
const history = () => fleet.api.get<HistoryView>(`/v1/histories/${key}`)

mkdirSync(folder, { recursive: true })
const fleet = await startFleet({ demoNames: true })
const [bot, vk, browser] = await Promise.all([
  startInbound(fleet, 'bot'),
  startInbound(fleet, 'vk-inbound'),
  launchChromium(),
])
try {
  await setPrices()
  const office = await fleet.apiOf('d-03', 'staff')
  const web = await visit(browser, fleet)
  await web.signIn('d-03')
  const wall = await (
    await browser.newContext({ locale: 'ru', timezoneId: 'Europe/Moscow', reducedMotion: 'reduce' })
  ).newPage()
  await wall.goto(fleet.sandbox.url)

  key = await office.send({
    to: ['cohort:all-students'],
    text: first,
    confirm: true,
    steps: [{ channels: ['telegram', 'vk'] }, { channels: ['sms'], after: `PT${afterSeconds}S`, unless: 'confirmed' }],
    ceiling,
  })
  const isSent = async () => {
    const { channels } = await history()
    return ['telegram', 'vk'].every((channel) => channels[channel]?.state === 'settled')
  }
  await until(isSent, 'Telegram and VK are done')
  const presses = await pressAll(confirmFirst, first, 1)
  await web.page.goto(`${fleet.apiUrl}/messages/${key}`)
  await web.page.getByText(/^SMS, позже на/).waitFor()
  await shoot(web.page, 'watch')

  const { status } = await office.call('POST', `/v1/histories/${key}/corrections`, { text: corrected })
  if (status !== 202) throw new Error(`the correction was answered with ${status}`)
  const isCorrected = async () => {
    const counts = (await history()).versions?.at(-1)?.corrected ?? {}
    return ['telegram', 'vk'].every((channel) => counts[channel]?.pending === 0)
  }
  await until(isCorrected, 'Telegram and VK are corrected')
  presses.push(...(await pressAll(confirmCorrected, corrected, 2)))
  await openPhone(wall)
  await shoot(wall, 'wall')

  const { settled } = await fleet.api.track(key, afterSeconds + 120)
  if (!settled) throw new Error('it has not settled')
  await web.page.reload()
  await web.page.locator('[data-ending]').waitFor()
  await web.page.getByText('Загрузка…').waitFor({ state: 'detached' })
  await shoot(web.page, 'outcome')
  const counts = await countExam(fleet, { key, students, presses, corrected, perPart })
  writeFileSync(join(folder, 'README.md'), examPage(counts, { afterSeconds, ceiling, first, corrected }))
  console.log(JSON.stringify(counts, null, 2))
  if (counts.wrong.length > 0) throw new Error(counts.wrong.join('\n'))
} finally {
  await browser.close()
  await Promise.all([bot.stop(), vk.stop()])
  await fleet.stop()
}

async function setPrices(): Promise<void> {
  const client = createClient({ apiUrl: fleet.apiUrl, apiKey: fleet.apiKey })
  const tariffs = { currency: 'RUB', prices: [{ prefix: '+7', perPart }] }
  const { version } = await client.changeSettings((await client.settings()).version, { tariffs })
  await until(async () => {
    const { settings } = await client.channels()
    return settings.version === version && settings.using === settings.of
  }, 'all processes know the prices')
}

/** By Telegram where they have it, else in VK: whoever of ten has one of these places, and has been reached there. Resolves when all are noted. */
async function pressAll(places: readonly number[], text: string, version: number): Promise<Press[]> {
  const pressed = students.map(async ({ id, contacts }, index): Promise<Omit<Press, 'notedMs'>[]> => {
    if (!places.includes(index % 10)) return []
    for (const channel of ['telegram', 'vk'] as const) {
      const address = contacts[channel]
      const shown = address && (await fleet.sandbox.chat(channel, address)).messages
      const message = shown ? shown.findLast((each) => each.text.includes(text) && each.buttons) : undefined
      const label = message?.buttons?.flat()[0]
      if (!address || !message || !label) continue
      await fleet.sandbox.press(channel, address, { message: message.id, label })
      return [{ person: id, channel, version }]
    }
    return []
  })
  const presses = (await Promise.all(pressed)).flat()
  await until(async () => (await history()).confirmed?.yes === presses.length, `text ${version} is confirmed`)
  const notedMs = Date.now()
  return presses.map((press) => ({ ...press, notedMs }))
}

/** Of somebody who has the corrected text and has not confirmed it: the button is pressed there, as they would. */
async function openPhone(page: Page): Promise<void> {
  const index = students.findIndex(({ contacts }, at) => at % 10 === 8 && contacts.telegram)
  const { name, contacts } = students[index] as (typeof students)[number]
  const address = contacts.telegram as string
  await page.getByRole('searchbox').fill(name)
  await page.locator(`.tile[data-address="${address}"]`).click()
  const phone = page.locator(`.phone[data-address="${address}"]`)
  await phone.getByText('аудитория 305').last().waitFor()
}

/** Of the message what stands above its people; of the wall what is in sight. */
async function shoot(page: Page, name: string): Promise<void> {
  for (const [width, height] of sizes) {
    await page.setViewportSize({ width, height })
    await page.evaluate('scrollTo(0, 0)')
    const facts = name === 'wall' ? null : await page.locator('dl').first().boundingBox()
    if (facts) await page.setViewportSize({ width, height: Math.ceil(facts.y + facts.height) + margin })
    await page.screenshot({ path: join(folder, `${name}-${width}.png`) })
  }
}
