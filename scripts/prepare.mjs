/**
 * Makes a bare clone ready to run: dependencies, then the build. Needs nothing but Node and npm, prints what it does, and
 * costs a fraction of a second when there is nothing to do.
 */
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { bundlePrograms } from './bundle.mjs'
import { buildWeb } from './web-build.mjs'

const root = join(import.meta.dirname, '..')

/**
 * @param {(text: string) => void} say
 * @param {string} [dir] of a package with a lock file of its own; the root's when absent
 * @throws Error with npm's output
 */
export async function installDependencies(say, dir = root) {
  const lockFile = join(dir, 'package-lock.json')
  const stamp = join(dir, 'node_modules/.courier-fleet')
  const lock = createHash('sha256').update(readFileSync(lockFile)).digest('hex')
  if (!installed({ dir, lock, lockFile, stamp })) {
    const started = Date.now()
    say('Dependencies: npm ci (the first time takes a minute)')
    const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm'
    await run(npm, ['ci', '--no-audit', '--no-fund', '--loglevel=error'], 'npm ci failed', dir)
    say(`Dependencies: installed in ${seconds(started)}`)
  }
  if (read(stamp) !== lock) writeFileSync(stamp, lock)
}

/** All there is to build: the types are checked, too, and tests import what tsc writes. Incremental. @throws Error with the output of whoever failed */
export async function build(say) {
  await timed(say, async () => {
    await compile()
    await bundle()
  })
}

/** What a fleet runs of, from the sources, with no type checked: `npm start` begins with it. Incremental. @throws as build() */
export async function buildPrograms(say) {
  await timed(say, () => Promise.all([compile(loadedByName), bundle()]))
}

/** A package of ours that gramjs, which is not bundled, finds by its name (bundle.mjs says why). */
const loadedByName = join(root, 'packages/aes')

const compile = (...projects) =>
  run(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-b', ...projects], 'The build failed')

const bundle = () => Promise.all([buildWeb(run), bundlePrograms()])

async function timed(say, work) {
  const started = Date.now()
  await work()
  if (Date.now() - started > 1000) say(`Build: ${seconds(started)}`)
}

/** Ours of the same lock file, or somebody's own `npm install` since the lock file changed. */
function installed({ dir, lock, lockFile, stamp }) {
  const installedAt = modified(join(dir, 'node_modules/.package-lock.json'))
  if (installedAt === undefined) return false
  const writtenTogetherMs = 2000
  return read(stamp) === lock || installedAt + writtenTogetherMs >= (modified(lockFile) ?? 0)
}

/** Ends with this process. */
async function run(command, args, failure, cwd = root) {
  const child = spawn(command, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] })
  const end = () => child.kill()
  process.once('exit', end)
  try {
    const output = Promise.all([text(child.stdout), text(child.stderr)])
    const [[status, signal], said] = await Promise.all([once(child, 'close'), output])
    if (signal) throw new Error(`${failure}: it was interrupted (${signal})`)
    if (status !== 0) throw new Error(`${failure}:\n${said.join('')}`.trimEnd())
  } catch (error) {
    throw error.syscall ? new Error(`${failure}: ${error.message}`) : error
  } finally {
    process.removeListener('exit', end)
  }
}

function modified(path) {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs
}

function read(path) {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

function seconds(started) {
  return `${((Date.now() - started) / 1000).toFixed(1)} s`
}
