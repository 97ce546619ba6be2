/**
 * `npm run measure -- frames`, its second part: how soon the web app answers whoever opens a message that a real fleet has sent to 100 000 people, goes
 * to the end of their list, looks for some of them, and writes to as many. Of each click or key: until the next picture, as the browser measures it; the
 * longest that the page was busy without a break until all was there; and until all was there, with what the API took.
 */
import type { HistoryView } from '@courier-fleet/api-types'
import { noLimits } from '@courier-fleet/sandbox/limits'
import { generatedAddress } from '@courier-fleet/testkit'
import type { Locator, Page } from 'playwright-core'
import { type Fleet, startFleet } from '../e2e/fleet.ts'
import { importPeople, trackLong } from '../e2e/sent-once.ts'
import { launchChromium } from './chromium.ts'
import { visit } from './visit.ts'

const people = 100_000
/** some have an address that somebody of the demo has: they are refused */
const spare = 500
const channels = ['telegram', 'vk'] as const
/** nobody reaches every two-thousandth */
const blockedEvery = 2_000
const longestMs = 100
const text = 'Расписание на завтра'
const widths = [1280, 360]

/** what the browser says of itself, from the first script of a page on; shorter pictures than 16 ms it does not tell of */
const watching = `(() => {
  globalThis.seen = { picture: 16, busy: 0 }
  const watch = (options, told) => new PerformanceObserver((list) => list.getEntries().forEach(told)).observe(options)
  watch({ type: 'event', durationThreshold: 16 }, ({ interactionId, duration }) => {
    if (interactionId > 0) seen.picture = Math.max(seen.picture, duration)
  })
  watch({ type: 'longtask' }, ({ duration }) => (seen.busy = Math.max(seen.busy, duration)))
})()`

const painted = (page: Page) =>
  page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))))')

type Measure = (what: string, act: () => Promise<unknown>, isThere: Locator) => Promise<void>

function createMeasure(page: Page): { readonly measure: Measure; isWell(): boolean } {
  let isWell = true
  return {
    isWell: () => isWell,
    async measure(what, act, isThere) {
      // what was done before is over, and was told of
      await painted(page)
      await page.evaluate('seen.picture = 16, seen.busy = 0')
      const startedAt = performance.now()
      await act()
      await isThere.waitFor()
      await painted(page)
      const allMs = performance.now() - startedAt
      const { picture, busy } = (await page.evaluate('seen')) as { picture: number; busy: number }
      const isSlow = Math.max(picture, busy) > longestMs
      isWell &&= !isSlow
      const busyFor = busy > 0 ? `${busy.toFixed(0)} ms` : 'less than 50 ms'
      console.log(
        `  ${what}: a picture within ${picture.toFixed(0)} ms, busy for ${busyFor} at most, all there after ${allMs.toFixed(0)} ms${isSlow ? ', MISSED' : ''}`,
      )
    },
  }
}

/** @returns what has become of it, and the last of its people */
async function sendToEveryone(fleet: Fleet): Promise<{ history: HistoryView; last: string }> {
  await fleet.sandbox.limits(noLimits())
  const imported = await importPeople(fleet, people + spare)
  const blocked = imported.filter((index) => index % blockedEvery === 0)
  await fleet.sandbox.phones(
    blocked.flatMap((index) =>
      channels.map((channel) => ({ channel, address: generatedAddress[channel](index), state: 'blocked' as const })),
    ),
  )
  const own = await fleet.apiOf('o-01', 'operator')
  const key = await own.send({ to: ['cohort:everyone'], text, channels: [...channels] })
  const { history } = await trackLong(fleet, key)
  console.log(`Sent to ${imported.length} people: ${JSON.stringify(history.people)}`)
  return { history, last: `Студент ${imported.at(-1)}` }
}

/** JavaScript, gzipped, that the browser has loaded when the heading of a page is there. */
async function firstBytes(page: Page, url: string): Promise<number> {
  await page.goto(url)
  await page.locator('h1').first().waitFor()
  return (await page.evaluate(
    `performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('.js')).reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)`,
  )) as number
}

interface Sent {
  readonly size: number
  readonly last: string
}

async function measureMessage(page: Page, { size, last: whom }: Sent, measure: Measure): Promise<void> {
  const list = page.getByRole('region', { name: 'По каждому человеку' }).last()
  await page.getByRole('link', { name: 'Сообщения' }).click()
  const link = page.getByRole('link', { name: text })
  await link.waitFor()
  const named = page.locator('[data-named=notDelivered] li.row button.link').first()
  await measure('opens the message, until those whom it has not reached are named', () => link.click(), named)
  await list.locator('li.row button.link').first().waitFor()
  await list.focus()
  const last = list.locator(`li.row[aria-posinset="${size}"] button.link`)
  await measure('goes to the end of the list', () => page.keyboard.press('End'), last)
  await measure(
    'goes back to its beginning',
    () => page.keyboard.press('Home'),
    list.locator('li.row[aria-posinset="1"] button.link'),
  )
  const state = page.locator('#class-shown')
  await state.focus()
  const options = await page.evaluate(`[...document.querySelectorAll('#class-shown option')].map(({ value }) => value)`)
  for (const name of (options as string[]).slice(1)) {
    const found = list.locator(`li.row .mark.${name}`).first()
    await measure(`chooses those of a state, ${name}`, () => page.keyboard.press('ArrowDown'), found)
  }
  await measure(
    'chooses everyone again',
    () => page.keyboard.press('Home'),
    list.locator(`li.row[aria-setsize="${size}"] button.link`).first(),
  )
  await page.locator('#name-shown').focus()
  const one = list.getByRole('button', { name: whom, exact: true })
  await measure(`types a name, ${whom.length} keys, until that one is found`, () => page.keyboard.type(whom), one)
  await measure('opens what is known of that one', () => one.click(), page.getByRole('dialog'))
  await page.keyboard.press('Escape')
}

async function measureWriting(page: Page, measure: Measure): Promise<void> {
  const write = page.getByRole('link', { name: 'Написать' })
  const field = page.getByRole('combobox', { name: 'Кому' })
  await measure('opens the page to write', () => write.click(), field)
  await field.click()
  const everyone = page.getByRole('option', { name: /^everyone/ })
  await measure('looks for a cohort', () => page.keyboard.type('everyone'), everyone)
  const reach = page.getByText(/^Отправим \d/)
  await measure(`chooses it, until its people are counted`, () => everyone.click(), reach)
  await field.press('Escape')
  await page.getByLabel('Текст', { exact: true }).click()
  const written = page.locator('[data-phone] .bubble', { hasText: text }).first()
  await measure(`types a text, ${text.length} keys`, () => page.keyboard.type(text), written)
  // what is written stays until it is sent
  await page.getByRole('button', { name: 'Убрать: everyone' }).click()
  await page.getByLabel('Текст', { exact: true }).fill('')
}

const fleet = await startFleet({
  couriers: { telegram: 2, vk: 2 },
  env: { TELEGRAM_RATE_PER_SECOND: '2000', VK_CALLS_PER_SECOND: '50' },
})
const browser = await launchChromium()
try {
  const { history, last } = await sendToEveryone(fleet)
  const { page, context, signIn } = await visit(browser, fleet)
  await context.addInitScript(watching)
  await signIn('o-01')
  const { measure, isWell } = createMeasure(page)
  for (const width of widths) {
    await page.setViewportSize({ width, height: 800 })
    for (const [name, path] of [
      ['to write', ''],
      ['of the message', `/messages/${history.key}`],
    ])
      console.log(
        `${width} px, the page ${name}: ${((await firstBytes(page, `${fleet.apiUrl}${path}`)) / 1024).toFixed(1)} KB of JavaScript, gzipped, at first`,
      )
    await measureMessage(page, { size: history.audience?.size ?? 0, last }, measure)
    await measureWriting(page, measure)
  }
  process.exitCode = isWell() ? 0 : 1
} finally {
  await browser.close()
  await fleet.stop()
}
