/**
 * Takes the pictures of docs/web/fail-over-*.png: the page Service of an operator while a master is gone, while what took its place has no replica, and
 * when the former master is back. Each is taken when the page says so, and not at a time; a page that never does fails the program.
 */
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { connectRedis } from '@courier-fleet/store'
import { ownSentinel } from '@courier-fleet/testkit'
import { startFleet } from '../e2e/fleet.ts'
import { launchChromium } from './chromium.ts'
import { type Visit, visit } from './visit.ts'

const folder = join(import.meta.dirname, '../../docs/web')
/** the sentence, and where the channels begin below it */
const size = { width: 900, height: 450 }
const maxBytes = 60 * 1024
/** long enough for a picture before a replica takes over */
const downAfterMs = 15_000

const server = await ownSentinel({ replicas: 1, downAfterMs })
const connection = connectRedis(server.url, { name: 'pictures' })
const fleet = await startFleet({
  redis: { url: server.url, redis: () => connection },
  demoNames: true,
  queueEnv: { REDIS_TIMEOUT_MS: '2000' },
})
const browser = await launchChromium()
try {
  const operator = await visit(browser, fleet, size)
  await operator.signIn('o-01')
  await operator.page.getByRole('button', { name: 'English' }).click()
  await operator.page.getByRole('link', { name: 'Service' }).click()
  await says(operator, 'All channels work.')
  const master = await server.master()
  master.freeze()
  await says(operator, 'Redis, or a part of it, does not answer')
  await take(operator, 'away')
  await says(operator, 'Replicas of Redis do not confirm what is written')
  await take(operator, 'alone')
  master.thaw()
  await server.untilWhole()
  await says(operator, 'All channels work.')
  await take(operator, 'back')
} finally {
  await browser.close()
  await fleet.stop()
  connection.disconnect()
  await server.stop()
}

function says({ page }: Visit, sentence: string): Promise<void> {
  return page.getByText(sentence).first().waitFor()
}

async function take({ page }: Visit, name: string): Promise<void> {
  const path = join(folder, `fail-over-${name}.png`)
  await page.mouse.move(5, size.height - 5)
  await page.screenshot({ path })
  const { size: bytes } = statSync(path)
  if (bytes > maxBytes) throw new Error(`${path} has ${bytes} bytes, more than ${maxBytes}`)
  console.log(`docs/web/fail-over-${name}.png: ${Math.round(bytes / 1024)} KB`)
}
