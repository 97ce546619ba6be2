/**
 * `npm test`: makes the clone ready, starts a throw-away Redis, runs mocha with whatever arguments it was given and stops
 * everything. The last line is `N passed, N failed`; the exit code is 0 only when nothing failed.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findChromium } from './chromium.mjs'
import { dataDir } from './data-dir.mjs'
import { build, installDependencies } from './prepare.mjs'
import { findRedisServer } from './redis.mjs'
import { startRedis } from './redis-process.mjs'

const root = join(import.meta.dirname, '..')
const say = (text) => console.log(text)

/** Without Chromium they are left out, and that is said; in CI it is a failure. */
const browserTests = 'test/browser/**'
const work = mkdtempSync(join(tmpdir(), 'courier-fleet-test-'))
let redis
let buildError

process.once('exit', () => {
  redis?.process.end()
  rmSync(work, { recursive: true, force: true })
})
// Ctrl-C reaches mocha and Redis by itself; this waits for them instead of leaving first
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => mocha?.kill(signal))

installDependencies(say)
try {
  build(say) // tests that spawn processes run the build
} catch (error) {
  buildError = error
  say('Build: failed, see the end; going on with the tests, which run from source')
}
const server = findRedisServer({ say, dataDir })
redis = await startRedis({ server, dir: join(work, 'redis'), settings: { databases: 512 } })

const totalsFile = join(work, 'totals.json')
const given = process.argv.slice(2)
const args = ['--reporter', join(import.meta.dirname, 'totals-reporter.mjs'), ...given]
const chosen = given.filter((arg) => /^(packages|tools|test)\/|\.test\.ts$/.test(arg))
if (chosen.length === 0) args.push('{packages,tools}/*/test/**/*.test.ts', 'test/**/*.test.ts')
const inBrowser =
  chosen.length === 0 ||
  chosen.some((arg) => !/^(packages|tools)\/|^test\/(e2e|scripts|security|structure)\//.test(arg))
const chromium = inBrowser ? findChromium(say) : undefined
if (!chromium) args.push('--ignore', browserTests)
const mocha = spawn(process.execPath, [join(root, 'node_modules/mocha/bin/mocha.js'), ...args], {
  cwd: root,
  stdio: 'inherit',
  env: {
    ...process.env,
    TEST_REDIS_URL: redis.url,
    REDIS_SERVER: server,
    ...(chromium ? { CHROMIUM: chromium } : {}),
    MOCHA_TOTALS: totalsFile,
    LOG_LEVEL: 'silent',
  },
})
const [code] = await once(mocha, 'exit')
await redis.stop()

const totals = readTotals()
if (!totals) console.error('mocha did not finish')
if (buildError) console.error(buildError.message)
const browserMissing = inBrowser && !chromium
if (browserMissing) console.error(`NOT RUN, for want of Chromium: ${browserTests}`)
const failed = (totals?.failed ?? 1) + (buildError ? 1 : 0) + (browserMissing && process.env.CI ? 1 : 0)
console.log(`${totals?.passed ?? 0} passed, ${failed} failed`)
process.exitCode = code || (failed ? 1 : 0)

function readTotals() {
  try {
    return JSON.parse(readFileSync(totalsFile, 'utf8'))
  } catch {
    return undefined
  }
}
