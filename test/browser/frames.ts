/**
 * `npm run measure -- frames`: how many frames a second the replay of a message to 100 000 people is shown with, and how long the page takes
 * to answer whoever moves its slider, from the key to the picture. The fleet and the page are real; what is replayed is made here, in the
 * bytes in which the API tells it, for everybody on three channels.
 */
import { type ReplayHead, receiptStates } from '@courier-fleet/api-types'
import type { CDPSession, Page } from 'playwright-core'
import { startFleet } from '../e2e/fleet.ts'
import { launchChromium } from './chromium.ts'
import { visit } from './visit.ts'

const people = 100_000
const lengthMs = 60_000
const leastPerSecond = 55
const longestMs = 100
const frameKeys = ['Home', 'End', 'PageDown', 'PageUp', 'ArrowRight', 'ArrowLeft', 'End', 'Home']

function replayBytes(): Buffer {
  const head: ReplayHead = {
    size: people,
    startedAt: new Date(0).toISOString(),
    channels: ['telegram', 'vk', 'sms'],
    states: receiptStates,
    block: 5000,
    marks: [],
  }
  const ends = ['sent', 'delivered', 'failed', 'unknown', 'no-contact'] as const
  const parts = [Buffer.from(`${JSON.stringify(head)}\n`)]
  for (let from = 0; from < people; from += head.block) {
    for (const [channel] of head.channels.entries()) {
      const places = Array.from({ length: head.block }, (_, index) => from + index)
      parts.push(
        Buffer.from(places.map((place) => receiptStates.indexOf(ends[(place + channel) % ends.length] as never))),
      )
      // as it is in life: a little out of order, and not the same on every channel
      parts.push(Buffer.from(places.flatMap((place) => sevenBits(1 + ((place * 7919 + channel * 997) % lengthMs)))))
    }
  }
  return Buffer.concat(parts)
}

const sevenBits = (value: number): number[] =>
  value > 127 ? [(value % 128) + 128, ...sevenBits(Math.floor(value / 128))] : [value]

/** from each picture to the next, ms, while it plays to its end */
const framesOf = (page: Page) =>
  page.evaluate(`new Promise((resolve) => {
    const slider = document.querySelector('.replay input')
    const frames = []
    let last
    const next = (now) => {
      if (last !== undefined) frames.push(now - last)
      last = now
      if (Number(slider.value) >= 1000) resolve(frames)
      else requestAnimationFrame(next)
    }
    document.querySelector('.replay .primary').click()
    requestAnimationFrame(next)
  })`) as Promise<number[]>

/** what the page's thread has worked, seconds of processor: the same on a machine that has other things to do */
async function workedOn(session: CDPSession): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics')
  return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0
}

/** from each key to the picture that answers it, ms, as the browser measures it: in steps of 8 */
async function answersOf(page: Page): Promise<number[]> {
  await page.evaluate(`globalThis.answers = []; new PerformanceObserver((list) => {
    for (const { name, duration } of list.getEntries()) if (name === 'keydown') answers.push(duration)
  }).observe({ type: 'event', durationThreshold: 16 })`)
  const slider = page.locator('.replay input')
  for (const key of frameKeys) {
    await slider.press(key)
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
  }
  // what is answered in less than 16 ms is not told of
  return (await page.evaluate('answers')) as number[]
}

const fleet = await startFleet()
const browser = await launchChromium()
try {
  const { page, signIn } = await visit(browser, fleet)
  await signIn('t-01')
  const own = await fleet.apiOf('t-01', 'trainer')
  const { history } = await own.deliver({ to: ['group:ivt-102'], text: 'Frames' })
  const body = replayBytes()
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable', { timeDomain: 'threadTicks' })
  await page.route('**/replay', (route) => route.fulfill({ body, contentType: 'application/octet-stream' }))
  let isWell = true
  for (const width of [1280, 360]) {
    await page.setViewportSize({ width, height: 800 })
    await page.emulateMedia({ reducedMotion: 'no-preference' })
    await page.goto(`${fleet.apiUrl}/messages/${history.key}?replay=0`)
    await page.locator('.replay canvas').waitFor()
    const answers = await answersOf(page)
    await page.locator('.replay input').press('Home')
    const before = await workedOn(session)
    const frames = (await framesOf(page)).sort((one, other) => one - other)
    const worked = (1000 * ((await workedOn(session)) - before)) / frames.length
    const perSecond = (1000 * frames.length) / frames.reduce((sum, each) => sum + each, 0)
    const slowest = Math.max(16, ...answers)
    console.log(
      `${width} px: ${perSecond.toFixed(1)} frames a second, 99 % within ${frames[Math.floor(frames.length * 0.99)]?.toFixed(0)} ms, ${worked.toFixed(1)} ms of processor each; ` +
        `the slowest of ${frameKeys.length} keys answered within ${slowest} ms`,
    )
    isWell &&= perSecond >= leastPerSecond && slowest <= longestMs
  }
  process.exitCode = isWell ? 0 : 1
} finally {
  await browser.close()
  await fleet.stop()
}
