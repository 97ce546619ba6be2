/** Runs programs of test/, each with a fleet of its own, on a Redis that is thrown away. All is installed and built. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { dataDir } from './data-dir.mjs'
import { findRedisServer } from './redis.mjs'
import { startRedis } from './redis-process.mjs'

const root = join(import.meta.dirname, '..')

/**
 * One after the other, until one fails.
 * @param args of each
 * @returns its exit code, 0 when all is well
 */
export async function runTestPrograms(programs, env, say, args = []) {
  const dir = mkdtempSync(join(tmpdir(), 'courier-fleet-programs-'))
  const server = findRedisServer({ say, dataDir })
  const redis = await startRedis({ server, dir })
  process.once('exit', () => {
    redis.process.end()
    rmSync(dir, { recursive: true, force: true })
  })
  let child
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child?.kill(signal))
  for (const program of programs) {
    child = spawn(process.execPath, ['--import=tsx', '--conditions=source', join(root, 'test', program), ...args], {
      cwd: root,
      stdio: 'inherit',
      env: { ...process.env, ...env, TEST_REDIS_URL: redis.url, REDIS_SERVER: server },
    })
    const [code] = await once(child, 'exit')
    if (code !== 0) return code ?? 1
  }
  return 0
}
