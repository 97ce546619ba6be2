/**
 * `npm run properties -- --minutes 10`: the test files that use fast-check, again and again with new seeds until the time is up. Of each
 * round it says the seed, and what failed; the exit code is 1 when anything did. `PROPERTY_SEED=<seed> npm test -- <file>` is the same again.
 */
import { randomInt } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { dataDir } from './data-dir.mjs'
import { build, installDependencies } from './prepare.mjs'
import { findRedisServer } from './redis.mjs'
import { propertyTests } from './test-parts.mjs'
import { startTestRun } from './test-run.mjs'

const say = (text) => console.log(text)
const usage = 'usage: npm run properties -- [--minutes 10]'
const endsAt = Date.now() + readMinutes() * 60_000
const work = mkdtempSync(join(tmpdir(), 'courier-fleet-properties-'))
let running
let isStopped = false
const red = []

process.once('exit', () => {
  running?.end()
  rmSync(work, { recursive: true, force: true })
})
for (const signal of ['SIGINT', 'SIGTERM'])
  process.on(signal, () => {
    isStopped = true
    running?.stop()
  })

await installDependencies(say)
await build(say)
const server = findRedisServer({ say, dataDir })
const files = propertyTests()
let rounds = 0
do {
  const seed = randomInt(1, 1_000_000_000)
  const { passed, failed, failures } = await runWith(seed)
  if (isStopped) break
  rounds += 1
  if (failed > 0) red.push(seed)
  say(`PROPERTY_SEED=${seed}: ${passed} passed, ${failed} failed${failures ? `\n${failures}` : ''}`)
} while (Date.now() < endsAt)
say(`${rounds} seeds, ${files.length} files; ${red.length > 0 ? `red: ${red.join(', ')}` : 'none was red'}`)
process.exitCode = red.length > 0 ? 1 : 0

async function runWith(seed) {
  const dir = mkdtempSync(join(work, 'run-'))
  running = await startTestRun({ server, dir, args: files, env: { PROPERTY_SEED: String(seed) }, stdout: 'ignore' })
  if (isStopped) running.stop()
  return running.totals
}

function readMinutes() {
  try {
    const minutes = Number(parseArgs({ options: { minutes: { type: 'string', default: '10' } } }).values.minutes)
    if (minutes > 0) return minutes
    console.error(`--minutes must be a number above 0\n${usage}`)
  } catch (error) {
    console.error(`${error.message}\n${usage}`)
  }
  process.exit(2)
}
