/** `npm start -- --redis …`: a Redis of several processes, each of which may die, and which all start again with what they held. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { silentLog } from '@courier-fleet/process'
import { connectRedis, reachRedis } from '@courier-fleet/store'
import { until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import { createFleet } from '../../scripts/fleet.mjs'
import { readJson } from '../../scripts/fleet-lock.mjs'
import { redisKinds, runRedis } from '../../scripts/fleet-redis.mjs'
import { freePort } from '../../scripts/free-port.mjs'
import { createProcessLog } from '../../scripts/process-log.mjs'

const server = process.env.REDIS_SERVER as string
const redisFolder = dirname(server)
const inFolder = () => mkdtempSync(join(tmpdir(), 'courier-fleet-up-'))

for (const kind of redisKinds)
  describe(`the Redis of npm start, a ${kind}`, () => {
    let dataDir: string
    const ends: (() => Promise<unknown>)[] = []

    before(() => {
      dataDir = inFolder()
    })
    after(async () => {
      for (const end of ends.reverse()) await end()
      rmSync(dataDir, { recursive: true })
    })

    async function start() {
      const say = () => {}
      const log = createProcessLog({ dir: join(dataDir, 'logs'), print: say })
      const fleet = createFleet({ dataDir, lock: { update: say, release: say }, log, say })
      ends.push(() => log.close(), fleet.stop)
      const url = await runRedis({ server, kind, fleet, dataDir, log, say })
      const redis = connectRedis(url, { name: 'test' })
      ends.push(async () => redis.disconnect())
      await reachRedis(silentLog, redis)
      return { fleet, url, redis }
    }
    const names = Array.from({ length: 30 }, (_unused, index) => `spread:${index}`)

    it('survives the kill of a master, and starts again as the same', async () => {
      const { fleet, url, redis } = await start()
      expect(url).to.match(new RegExp(`^redis\\+${kind}://`))
      await Promise.all(names.map((name) => redis.set(name, 'before')))
      const pids = fleet.names().map((name) => fleet.pidOf(name) as number)
      process.kill(fleet.pidOf('redis-1') as number, 'SIGKILL')
      await Promise.all(names.map((name) => redis.set(name, 'after')))
      redis.disconnect()
      await fleet.stop()
      for (const pid of pids) expect(() => process.kill(pid, 0)).to.throw('ESRCH')

      const again = await start()
      expect(again.url).to.equal(url)
      expect(await Promise.all(names.map((name) => again.redis.get(name)))).to.deep.equal(names.map(() => 'after'))
    })
  })

interface Fleet {
  apiUrl: string
  apiKey: string
  redisUrl: string
  processes: { name: string; pid: number }[]
}

describe('npm start on a cluster', () => {
  let dir: string
  let env: NodeJS.ProcessEnv
  let up: ChildProcess | undefined
  const fleet = () => readJson(join(dir, 'fleet.json')) as Fleet | undefined

  before(async () => {
    dir = inFolder()
    env = {
      PATH: [redisFolder, process.env.PATH].join(delimiter),
      FLEET_DATA: dir,
      TEST_PORTS: process.env.TEST_PORTS,
      PORT: String(await freePort()),
      SANDBOX_PORT: String(await freePort()),
      // a busy machine is no Redis that is away
      REDIS_TIMEOUT_MS: '60000',
    }
  })
  after(async () => {
    await stop()
    rmSync(dir, { recursive: true })
  })

  async function start(): Promise<Fleet> {
    const child = spawn(process.execPath, ['scripts/up.mjs', '--redis', 'cluster'], {
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    up = child
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => {
        output += chunk
      })
    return until(() => {
      if (child.exitCode !== null) throw new Error(`npm start ended: ${output}`)
      return fleet()
    }, 'fleet.json is written')
  }

  async function stop(): Promise<void> {
    if (!up || up.exitCode !== null || up.signalCode !== null) return
    up.kill('SIGTERM')
    expect(await once(up, 'exit')).to.deep.equal([0, null])
  }

  /** @returns whether everybody it is for was sent to */
  async function isSettled({ apiUrl, apiKey }: Fleet, key: string): Promise<boolean> {
    const headers = { authorization: `Bearer ${apiKey}` }
    const response = await fetch(`${apiUrl}/v1/histories/${key}`, { headers })
    return response.ok && ((await response.json()) as { state: string }).state === 'settled'
  }

  async function send({ apiUrl, apiKey }: Fleet, text: string): Promise<string> {
    const response = await until(async () => {
      const answer = await fetch(`${apiUrl}/v1/messages`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${apiKey}`,
          'content-type': 'application/json',
          'idempotency-key': `up-replicated-${text}`,
        },
        body: JSON.stringify({ to: ['group:chess-club'], channels: ['telegram'], text }),
      })
      // Redis is away for a moment, or the call before has not ended: the same again
      return answer.status !== 503 && answer.status !== 409 && answer
    }, 'the message is accepted')
    expect(response.status).to.be.within(200, 299)
    const { key } = (await response.json()) as { key: string }
    return key
  }

  it('sends while one of its masters is killed', async () => {
    const running = await start()
    expect(running.redisUrl).to.match(/^redis\+cluster:/)
    const keys = [await send(running, 'before')]
    const master = running.processes.find(({ name }) => name === 'redis-1')
    process.kill(master?.pid as number, 'SIGKILL')
    keys.push(await send(running, 'after'))
    for (const key of keys) await until(() => isSettled(running, key), 'everybody was sent to')
    await stop()
    for (const { pid } of running.processes) expect(() => process.kill(pid, 0)).to.throw('ESRCH')
  })
})
