/** `npm start -- --redis …`: a Redis of several processes, each of which may die, and which all start again with what they held. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import { readJson } from '../../scripts/fleet-lock.mjs'
import { redisKinds } from '../../scripts/fleet-redis.mjs'
import { freePort } from '../../scripts/free-port.mjs'

interface Fleet {
  apiUrl: string
  apiKey: string
  redisUrl: string
  processes: { name: string; pid: number }[]
}

for (const kind of redisKinds)
  describe(`npm start on a ${kind}`, function () {
    this.timeout(180_000)
    let dir: string
    let env: NodeJS.ProcessEnv
    let up: ChildProcess | undefined
    const fleet = () => readJson(join(dir, 'fleet.json')) as Fleet | undefined

    before(async () => {
      dir = mkdtempSync(join(tmpdir(), 'courier-fleet-up-'))
      env = {
        PATH: [dirname(process.env.REDIS_SERVER as string), process.env.PATH].join(delimiter),
        FLEET_DATA: dir,
        PORT: String(await freePort()),
        SANDBOX_PORT: String(await freePort()),
      }
    })
    after(async () => {
      await stop()
      rmSync(dir, { recursive: true })
    })

    async function start(): Promise<Fleet> {
      const child = spawn(process.execPath, ['scripts/up.mjs', '--redis', kind], {
        env,
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      up = child
      let output = ''
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (chunk) => {
          output += chunk
        })
      return until(
        () => {
          if (child.exitCode !== null) throw new Error(`npm start ended: ${output}`)
          return fleet()
        },
        'fleet.json is written',
        120_000,
      )
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
      const response = await until(
        async () => {
          const answer = await fetch(`${apiUrl}/v1/messages`, {
            method: 'POST',
            headers: {
              authorization: `Bearer ${apiKey}`,
              'content-type': 'application/json',
              'idempotency-key': `up-replicated-${text}`,
            },
            body: JSON.stringify({ to: ['group:chess-club'], channels: ['telegram'], text }),
          })
          return answer.status !== 503 && answer // Redis is away for a moment: the same call again
        },
        'the message is accepted',
        60_000,
      )
      expect(response.status).to.be.within(200, 299)
      const { key } = (await response.json()) as { key: string }
      return key
    }

    it('survives the kill of a master, and starts again as the same', async () => {
      const first = await start()
      expect(first.redisUrl).to.match(new RegExp(`^redis\\+${kind}://`))
      const keys = [await send(first, 'before')]
      const master = first.processes.find(({ name }) => name === 'redis-1')
      process.kill(master?.pid as number, 'SIGKILL')
      keys.push(await send(first, 'after'))
      for (const key of keys) await until(() => isSettled(first, key), 'everybody was sent to', 90_000)
      await stop()
      for (const { pid } of first.processes) expect(() => process.kill(pid, 0)).to.throw('ESRCH')

      const second = await start()
      expect(second.redisUrl).to.equal(first.redisUrl)
      expect(second.apiKey).to.equal(first.apiKey)
      for (const key of keys) expect(await isSettled(second, key)).to.equal(true)
    })
  })
