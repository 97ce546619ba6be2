/**
 * Makes a bare clone ready to run: dependencies, then the build. Needs nothing but Node and npm, prints what it does, and
 * costs a fraction of a second when there is nothing to do.
 */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { bundlePrograms } from './bundle.mjs'
import { buildWeb } from './web-build.mjs'

const root = join(import.meta.dirname, '..')

/**
 * @param {(text: string) => void} say
 * @param {string} [dir] of a package with a lock file of its own; the root's when absent
 * @throws Error with npm's output
 */
export function installDependencies(say, dir = root) {
  const lockFile = join(dir, 'package-lock.json')
  const stamp = join(dir, 'node_modules/.courier-fleet')
  const lock = createHash('sha256').update(readFileSync(lockFile)).digest('hex')
  if (!installed({ dir, lock, lockFile, stamp })) {
    const started = Date.now()
    say('Dependencies: npm ci (the first time takes a minute)')
    const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm'
    run(npm, ['ci', '--no-audit', '--no-fund', '--loglevel=error'], 'npm ci failed', dir)
    say(`Dependencies: installed in ${seconds(started)}`)
  }
  if (read(stamp) !== lock) writeFileSync(stamp, lock)
}

/** Incremental. @throws Error with the output of whoever failed */
export async function build(say) {
  const started = Date.now()
  run(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-b'], 'The build failed')
  buildWeb(run)
  await bundlePrograms()
  if (Date.now() - started > 1000) say(`Build: ${seconds(started)}`)
}

/** Ours of the same lock file, or somebody's own `npm install` since the lock file changed. */
function installed({ dir, lock, lockFile, stamp }) {
  const installedAt = modified(join(dir, 'node_modules/.package-lock.json'))
  if (installedAt === undefined) return false
  const writtenTogetherMs = 2000
  return read(stamp) === lock || installedAt + writtenTogetherMs >= (modified(lockFile) ?? 0)
}

function run(command, args, failure, cwd = root) {
  const { status, signal, error, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8' })
  if (error) throw new Error(`${failure}: ${error.message}`)
  if (signal) throw new Error(`${failure}: it was interrupted (${signal})`)
  if (status !== 0) throw new Error(`${failure}:\n${stdout}${stderr}`.trimEnd())
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
