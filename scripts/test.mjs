/**
 * `npm test`: makes the clone ready and runs mocha with whatever arguments it was given, all its parts in four lanes side by side,
 * since tests mostly wait. Files and folders that are named are run instead of the whole suite. Two lanes take their parts from the
 * front, the others from the end, so that all end at about the same time and tests that start a whole fleet run beside those of a single
 * package while there are any: two cores are few for three fleets, and a package's tests leave them idle most of the time. The last line
 * is `N passed, N failed`; the exit code is 0 only when nothing failed.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findChromium } from './chromium.mjs'
import { dataDir } from './data-dir.mjs'
import { ownPorts } from './free-port.mjs'
import { build, installDependencies } from './prepare.mjs'
import { findRedisServer } from './redis.mjs'
import { allTests, askedFor, partsOf } from './test-parts.mjs'
import { startTestRun } from './test-run.mjs'

const say = (text) => console.log(text)

/** Without Chromium they are left out, and that is said; in CI, and where they were asked for, it is a failure. */
const browserTests = 'test/browser'
const asked = whatWasAsked()
const work = mkdtempSync(join(tmpdir(), 'courier-fleet-test-'))
const running = new Set()
/** Ctrl-C, say */
let stoppedBy
let buildError

process.once('exit', () => {
  for (const run of running) run.end()
  rmSync(work, { recursive: true, force: true })
})
// mocha is told to end, with all that tests have started, and is waited for
for (const signal of ['SIGINT', 'SIGTERM'])
  process.on(signal, () => {
    stoppedBy = signal
    for (const run of running) run.stop()
  })

await installDependencies(say)
try {
  await build(say) // tests that spawn processes run the build
} catch (error) {
  buildError = error
  say('Build: failed, see the end; going on with the tests, which run from source')
}
const server = findRedisServer({ say, dataDir })

const { options, files = allTests() } = asked
const inBrowser = files.some((path) => path.startsWith(browserTests))
const chromium = inBrowser ? findChromium(say) : undefined
const parts = partsOf(files.filter((path) => chromium || !path.startsWith(browserTests)))
if (asked.files) say(`Tests: ${files.length} files, in parts of ${parts.map(({ length }) => length).join(', ')}`)
const [fromFront, fromEnd] = [() => parts.shift(), () => parts.pop()]
const lanes = [fromFront, fromEnd, fromFront, fromEnd]
const ended = (await Promise.all(lanes.map((take, index) => runLane(take, portsOf(index))))).flat()

for (const { failures } of ended) if (failures) console.log(failures)
if (buildError) console.error(buildError.message)
const browserMissing = inBrowser && !chromium
if (browserMissing) console.error(`NOT RUN, for want of Chromium: ${browserTests}`)
if (stoppedBy) console.error(`Stopped by ${stoppedBy}: not everything was run`)
const sum = (name) => ended.reduce((total, totals) => total + totals[name], 0)
const failed =
  sum('failed') +
  (buildError ? 1 : 0) +
  (stoppedBy ? 1 : 0) +
  (browserMissing && (process.env.CI || asked.files) ? 1 : 0)
console.log(`${sum('passed')} passed, ${failed} failed`)
process.exitCode = failed > 0 ? 1 : 0

/** Before anything is built: a folder without tests is a mistake, and so are ports that are no range. */
function whatWasAsked() {
  try {
    ownPorts()
    return askedFor(process.argv.slice(2))
  } catch (error) {
    console.error(`Tests: ${error.message}`)
    process.exit(1)
  }
}

/** Of the ports that tests draw from, as many for each lane. */
function portsOf(lane) {
  const { from, until } = ownPorts()
  const share = Math.floor((until - from) / lanes.length)
  return `${from + lane * share}-${from + (lane + 1) * share}`
}

/** Runs what it takes, one after the other, until nothing is left. */
async function runLane(take, ports) {
  const totals = []
  for (let files = take(); files && !stoppedBy; files = take()) {
    const dir = mkdtempSync(join(work, 'run-'))
    const env = { TEST_PORTS: ports, ...(chromium && { CHROMIUM: chromium }) }
    const run = await startTestRun({ server, dir, args: [...options, ...files], env })
    running.add(run)
    if (stoppedBy) run.stop()
    totals.push(await run.totals)
    running.delete(run)
  }
  return totals
}
