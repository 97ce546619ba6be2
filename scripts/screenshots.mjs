/** `npm run screenshots`: takes the pictures of docs/web anew, in a real browser, of a fleet of its own. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findChromium } from './chromium.mjs'
import { dataDir } from './data-dir.mjs'
import { build, installDependencies } from './prepare.mjs'
import { findRedisServer, startRedis } from './redis.mjs'

const root = join(import.meta.dirname, '..')
const say = (text) => console.log(text)

installDependencies(say)
build(say)
const chromium = findChromium(say)
if (!chromium) process.exit(1)
const dir = mkdtempSync(join(tmpdir(), 'courier-fleet-screenshots-'))
const redis = await startRedis({ server: findRedisServer({ say, dataDir }), dir })
process.once('exit', () => {
  redis.child.kill('SIGKILL')
  rmSync(dir, { recursive: true, force: true })
})
const program = join(root, 'test/browser/screenshots.ts')
const child = spawn(process.execPath, ['--import=tsx', '--conditions=source', program], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, TEST_REDIS_URL: redis.url, CHROMIUM: chromium },
})
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal))
const [code] = await once(child, 'exit')
if (code === 0) say('Screenshots: in docs/web')
process.exit(code ?? 1)
