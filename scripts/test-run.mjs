/** One run of mocha with a throw-away Redis of its own, beside which others may run. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { startRedis } from './redis-process.mjs'

const root = join(import.meta.dirname, '..')

/**
 * @param {{ server: string, dir: string, args: string[], env: Record<string, string>, stdout?: 'inherit' | 'ignore' }} run
 * `server`: path of redis-server; `dir`: its own
 * @returns {Promise<{ stop(): void, end(): void, totals: Promise<{ passed: number, failed: number, failures: string }> }>}
 * `stop` tells mocha to end, `end` ends Redis at once; `totals` resolves when both are gone
 */
export async function startTestRun({ server, dir, args, env, stdout = 'inherit' }) {
  const redis = await startRedis({ server, dir, settings: { databases: 512 } })
  const totalsFile = join(dir, 'totals.json')
  const reporter = ['--reporter', join(import.meta.dirname, 'lane-reporter.mjs')]
  const mocha = spawn(process.execPath, [join(root, 'node_modules/mocha/bin/mocha.js'), ...reporter, ...args], {
    cwd: root,
    stdio: ['inherit', stdout, 'inherit'],
    // a group of its own, which ends with it
    detached: true,
    env: {
      ...process.env,
      ...env,
      TEST_REDIS_URL: redis.url,
      REDIS_SERVER: server,
      MOCHA_TOTALS: totalsFile,
      LOG_LEVEL: 'silent',
    },
  })
  const finish = async () => {
    const [code] = await once(mocha, 'exit')
    endGroup(mocha.pid)
    await redis.stop()
    return totalsOf(totalsFile, code)
  }
  return {
    // of all signals this is the one that mocha hands on to the process with the tests
    stop: () => mocha.kill('SIGINT'),
    end: () => {
      if (mocha.exitCode === null && mocha.signalCode === null) endGroup(mocha.pid)
      redis.process.end()
    },
    totals: finish(),
  }
}

/** What tests have started in their own process group, and have not ended. */
function endGroup(pid) {
  try {
    process.kill(-pid, 'SIGTERM')
  } catch (error) {
    if (error.code !== 'ESRCH') throw error // nobody is left
  }
}

function totalsOf(file, code) {
  const totals = read(file) ?? { passed: 0, failed: 1, failures: 'mocha did not finish\n' }
  if (code === 0 || totals.failed > 0) return totals
  return { ...totals, failed: 1, failures: `mocha ended with ${code}\n` }
}

function read(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return undefined
  }
}
