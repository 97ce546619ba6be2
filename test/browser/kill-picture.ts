/**
 * Takes docs/killed-live.png, which moves: the wall of phones while everybody is sent a message and a courier is killed by the wall's own
 * button. The fleet is that of `npm start`. There is no picture unless everybody has it once.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@courier-fleet/client'
import { connectSandbox } from '@courier-fleet/launch'
import { freshRedis } from '@courier-fleet/testkit'
import type { Page } from 'playwright-core'
import { freePort } from '../../scripts/free-port.mjs'
import { npmStart } from '../scripts/npm-start.ts'
import { animate, type Frame } from './apng.ts'
import { launchChromium } from './chromium.ts'

const root = join(import.meta.dirname, '../..')
const to = ['cohort:all-students']
const text = 'Экзамен переносится на 12 января'
const size = { width: 880, height: 740 }
/** between two frames, which are shown faster than it went, and fastest while nothing arrives */
const frameMs = 450
const maxFrames = 60
const maxBytes = 1.5 * 1024 * 1024
/** by then the courier is in the middle of it */
const killedAfter = 60

const dir = mkdtempSync(join(tmpdir(), 'courier-fleet-picture-'))
const redis = await freshRedis()
const ports = { PORT: String(await freePort()), SANDBOX_PORT: String(await freePort()) }
const started = await npmStart({
  folder: root,
  dataDir: dir,
  env: { PATH: process.env.PATH, FLEET_DATA: dir, REDIS_URL: redis.url, ...ports },
})
const browser = await launchChromium()
try {
  const { apiUrl, apiKey, sandboxUrl } = started.fleet()
  const client = createClient({ apiUrl, apiKey })
  const taken = () => connectSandbox(sandboxUrl).accepted(text, 'telegram')
  const page = await (await browser.newContext({ viewport: size, locale: 'en' })).newPage()
  const frames: Frame[] = []
  const shoot = async (shownMs: number) => void frames.push({ png: await page.screenshot(), shownMs })

  await page.goto(sandboxUrl)
  await page.locator('#trouble summary').click()
  await page.getByText('ready; nobody is waiting').first().waitFor()
  await shoot(1500)
  const { key } = await client.send({ to, text })
  const killing = page.getByRole('button', { name: 'Kill the courier of Telegram' })
  let isKilled = false
  let isOver = false
  let before = 0
  for (let i = 0; i < maxFrames && !isOver; i++) {
    isOver = (await client.history(key)).state === 'settled'
    const next = new Promise((resolve) => setTimeout(resolve, frameMs))
    const { length: now } = await taken()
    if (!isKilled && now > killedAfter) {
      isKilled = true
      await killing.click()
      await shoot(1200)
    } else await shoot(now > before ? 220 : 90)
    before = now
    await next
  }
  if (!isKilled || !isOver) throw new Error(`killed: ${isKilled}, settled: ${isOver}`)
  const addresses = (await taken()).map(({ address }) => address)
  if (new Set(addresses).size < addresses.length) throw new Error('somebody has it twice')
  await restingAt(page)
  await shoot(4000)
  const picture = animate(frames)
  if (picture.length > maxBytes) throw new Error(`the picture has ${picture.length} bytes, too many for a README`)
  writeFileSync(join(root, 'docs/killed-live.png'), picture)
  console.log(`docs/killed-live.png: ${frames.length} frames, ${Math.round(picture.length / 1024)} KB`)
} finally {
  await browser.close()
  await started.stop()
  await redis.stop()
  rmSync(dir, { recursive: true })
}

/** Leaves the button alone, and waits until the wall says that nobody waits. */
async function restingAt(page: Page): Promise<void> {
  await page.mouse.move(5, 5)
  await page.locator('.fault[data-channel=telegram]').getByText('ready; nobody is waiting').waitFor()
}
