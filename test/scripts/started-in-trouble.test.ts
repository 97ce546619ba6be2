/** Whatever starts while Redis is not there for a moment waits, and says so: also where that begins between two of its first steps. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { type FreshRedis, freePort, freshRedis, type RedisGate, redisGate, until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import {
  commandOf,
  courierProgram,
  notifierProgram,
  type Program,
  queueProgram,
  timekeeperProgram,
} from '../../scripts/programs.mjs'

const programs: Record<string, (redisUrl: string) => Promise<Program>> = {
  queue: async (redisUrl) => queueProgram({ redisUrl, port: await freePort() }),
  timekeeper: async (redisUrl) => timekeeperProgram({ redisUrl }),
  notifier: async (redisUrl) => notifierProgram({ redisUrl }),
  'a courier': async (redisUrl) =>
    courierProgram({
      redisUrl,
      name: 'courier-http-1',
      channel: 'http',
      env: {},
      endpoints: { http: { host: '127.0.0.1', port: await freePort(), dnsPort: await freePort() } },
      dataDir: tmpdir(),
    }),
}

/** Each step that waits, by what it sends; of all programs where none is named. */
const steps: Record<string, { readonly sends: string; readonly time?: number; readonly of?: string }> = {
  // what connects asks the first time
  'reads what Redis is': { sends: 'info', time: 2 },
  'joins the fleet': { sends: 'hmget' },
  'reads the settings': { sends: 'xrevrange' },
  'says that it is there': { sends: 'startedwith' },
  'makes the groups of its streams': { sends: 'xgroup', of: 'a courier' },
  'looks whether its channel is paused': { sends: 'channel-pause:http', of: 'a courier' },
  'looks at all subscriptions': { sends: 'hvals', of: 'notifier' },
}

describe('what starts while Redis is not there for a moment', () => {
  let redis: FreshRedis
  let gate: RedisGate
  let child: ChildProcess | undefined
  let said = ''
  beforeEach(async () => {
    redis = await freshRedis()
    gate = await redisGate(redis.url)
  })
  afterEach(async () => {
    child?.kill('SIGKILL')
    await gate.close()
    await redis.stop()
  })

  async function start(name: string): Promise<void> {
    const program = await (programs[name] as (redisUrl: string) => Promise<Program>)(gate.url)
    const { file, args } = commandOf(program)
    said = ''
    child = spawn(file, args, {
      env: { PATH: process.env.PATH, FLEET_SECRET: 'the secret of whatever starts in this test', ...program.env },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    })
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk: Buffer) => {
        said += chunk
      })
  }

  /** @returns its exit code where it has ended */
  const readyOrEnd = () =>
    Promise.race([
      once(child as ChildProcess, 'message').then(() => 'ready'),
      once(child as ChildProcess, 'close').then(([code]) => `ended with ${code}: ${said}`),
    ])

  for (const name of Object.keys(programs)) {
    for (const [step, { sends, time = 1, of = name }] of Object.entries(steps)) {
      if (of !== name) continue
      it(`${name}: the connection is cut as it ${step}`, async () => {
        let times = 0
        let isCut = false
        gate.arm({
          matches(sent) {
            if (sent.toString('latin1').toLowerCase().includes(`\r\n${sends}\r\n`)) times += 1
            return times === time
          },
          moment: 'before',
          spring() {
            isCut = true
            gate.cut()
            return 'drop'
          },
        })
        await start(name)
        expect(await readyOrEnd()).to.equal('ready')
        expect(isCut).to.equal(true)
        await until(() => said.includes('Redis is away'), 'it is said')
      })
    }

    it(`${name}: a master that has no replica yet takes no writes`, async () => {
      let refused = 0
      const refuse = (): void => {
        gate.arm({
          matches: (sent) => /\r\nhsetnx\r\n/i.test(sent.toString('latin1')),
          moment: 'before',
          spring() {
            refused += 1
            if (refused < 3) refuse()
            return Buffer.from('-NOREPLICAS Not enough good replicas to write.\r\n')
          },
        })
      }
      refuse()
      await start(name)
      expect(await readyOrEnd()).to.equal('ready')
      expect(refused).to.equal(3)
      await until(() => said.includes('does not serve while this process starts'), 'it is said')
    })
  }
})
