/** A run of tests that is ended by a signal: nothing that they have started goes on without them. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { until } from '@courier-fleet/testkit'
import { expect } from 'chai'

const root = join(import.meta.dirname, '../..')

describe('a test run', () => {
  const dir = mkdtempSync(join(tmpdir(), 'courier-fleet-run-'))
  after(() => rmSync(dir, { recursive: true, force: true }))

  it('that is ended by SIGTERM takes with it what its tests have started', async () => {
    const started = join(dir, 'started')
    const file = join(dir, 'endless.test.ts')
    writeFileSync(
      file,
      `import { spawn } from 'node:child_process'
       import { renameSync, writeFileSync } from 'node:fs'
       it('goes on', async () => {
         const { ownRedis } = await import(${JSON.stringify(join(root, 'tools/testkit/src/index.ts'))})
         const redis = await ownRedis()
         const server = /process_id:(\\d+)/.exec(await redis.redis().info('server'))?.[1]
         const { pid } = spawn('sleep', ['600'])
         writeFileSync('${started}.new', JSON.stringify([Number(server), pid]))
         renameSync('${started}.new', '${started}')
         await new Promise(() => {})
       })`,
    )
    const program = `
      const { startTestRun } = await import(${JSON.stringify(join(root, 'scripts/test-run.mjs'))})
      const starting = startTestRun({ server: process.env.REDIS_SERVER, dir: '${dir}', args: ['${file}'], env: {} })
      process.on('SIGTERM', async () => (await starting).stop())
      await (await starting).totals`
    const child = spawn(process.execPath, ['--input-type=module', '-e', program], { cwd: root, stdio: 'ignore' })
    const ended = once(child, 'exit')
    try {
      await until(() => existsSync(started), 'its test has started a Redis and another process')
      const pids = JSON.parse(readFileSync(started, 'utf8')) as [number, number]
      expect(pids.map(isThere)).to.deep.equal([true, true])
      child.kill('SIGTERM')
      await ended
      await until(() => !pids.some(isThere), 'neither is there any more')
    } finally {
      child.kill('SIGTERM')
      await ended
    }
  })
})

function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
