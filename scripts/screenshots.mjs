/** `npm run screenshots`: takes the pictures of docs/web anew, in a real browser, of a fleet of its own. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findChromium } from './chromium.mjs'
import { dataDir } from './data-dir.mjs'
import { build, installDependencies } from './prepare.mjs'
import { findRedisServer } from './redis.mjs'
import { startRedis } from './redis-process.mjs'

const root = join(import.meta.dirname, '..')
const say = (text) => console.log(text)

installDependencies(say)
build(say)
const chromium = findChromium(say)
if (!chromium) process.exit(1)
const dir = mkdtempSync(join(tmpdir(), 'courier-fleet-screenshots-'))
const redis = await startRedis({ server: findRedisServer({ say, dataDir }), dir })
process.once('exit', () => {
  redis.process.end()
  rmSync(dir, { recursive: true, force: true })
})
let child
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child?.kill(signal))
for (const program of ['screenshots.ts', 'phones-pictures.ts']) {
  child = spawn(process.execPath, ['--import=tsx', '--conditions=source', join(root, 'test/browser', program)], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, TEST_REDIS_URL: redis.url, CHROMIUM: chromium },
  })
  const [code] = await once(child, 'exit')
  if (code !== 0) process.exit(code ?? 1)
}
say('Screenshots: in docs and docs/web')
process.exit(0)
