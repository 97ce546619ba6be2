/**
 * `npm test`: makes the clone ready and runs mocha with whatever arguments it was given, the whole suite in two lanes side by side,
 * since tests mostly wait. The last line is `N passed, N failed`; the exit code is 0 only when nothing failed.
 */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findChromium } from './chromium.mjs'
import { dataDir } from './data-dir.mjs'
import { build, installDependencies } from './prepare.mjs'
import { findRedisServer } from './redis.mjs'
import { startLane } from './test-lane.mjs'

const root = join(import.meta.dirname, '..')
/** Tests that start a whole fleet one after the other, those of a single package beside them: two fleets at once have too few cores. */
const lanesOfFolders = [['packages', 'tools'], ['test']]
const say = (text) => console.log(text)

/** Without Chromium they are left out, and that is said; in CI it is a failure. */
const browserTests = 'test/browser'
const work = mkdtempSync(join(tmpdir(), 'courier-fleet-test-'))
let lanes = []
let buildError

process.once('exit', () => {
  for (const lane of lanes) lane.end()
  rmSync(work, { recursive: true, force: true })
})
// Ctrl-C reaches mocha and Redis by itself; this waits for them instead of leaving first
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => lanes.map((lane) => lane.pass(signal)))

installDependencies(say)
try {
  build(say) // tests that spawn processes run the build
} catch (error) {
  buildError = error
  say('Build: failed, see the end; going on with the tests, which run from source')
}
const server = findRedisServer({ say, dataDir })

const given = process.argv.slice(2)
const chosen = given.filter((arg) => /^(packages|tools|test)\/|\.test\.ts$/.test(arg))
const inBrowser =
  chosen.length === 0 ||
  chosen.some((arg) => !/^(packages|tools)\/|^test\/(cluster|e2e|entrances|scripts|security|structure)\//.test(arg))
const chromium = inBrowser ? findChromium(say) : undefined
const ignored = chromium ? [] : ['--ignore', `${browserTests}/**`]
lanes = await Promise.all(
  filesOfLanes().map((files, index) =>
    startLane({
      server,
      dir: join(work, `lane-${index}`),
      args: [...given, ...ignored, ...files],
      env: chromium ? { CHROMIUM: chromium } : {},
    }),
  ),
)
const ended = await Promise.all(lanes.map(({ totals }) => totals))

for (const { failures } of ended) if (failures) console.log(failures)
if (buildError) console.error(buildError.message)
const browserMissing = inBrowser && !chromium
if (browserMissing) console.error(`NOT RUN, for want of Chromium: ${browserTests}`)
const sum = (name) => ended.reduce((total, totals) => total + totals[name], 0)
const failed = sum('failed') + (buildError ? 1 : 0) + (browserMissing && process.env.CI ? 1 : 0)
console.log(`${sum('passed')} passed, ${failed} failed`)
process.exitCode = failed > 0 ? 1 : 0

/** One lane for what was chosen. */
function filesOfLanes() {
  return chosen.length > 0 ? [[]] : lanesOfFolders.map((folders) => folders.flatMap(testsIn))
}

function testsIn(folder) {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .map((entry) => `${entry.parentPath.slice(root.length + 1)}/${entry.name}`)
    .filter((path) => /\.test\.ts$/.test(path) && !/\/(node_modules|dist)\//.test(path))
    .filter((path) => chromium || !path.startsWith(browserTests))
    .sort()
}
