/** A fleet of its own on free ports: every process behind links of its own to Redis and to its provider. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type ChannelName, channelOf, type Endpoints } from '@courier-fleet/channels'
import { createApiKeys } from '@courier-fleet/directory'
import { systemClock } from '@courier-fleet/process'
import { freePort } from '@courier-fleet/testkit/free-port'
import { type Link, openLink } from '@courier-fleet/testkit/link'
import { channels } from './book.ts'
import { createProcesses, type Environment, type Member, type Processes } from './processes.ts'
import { type RedisServer, startRedisServer } from './redis-server.ts'
import { connectSandbox, type Sandbox } from './sandbox.ts'

export interface Process {
  readonly name: string
  readonly role: 'queue' | 'timekeeper' | 'courier'
  readonly channel?: ChannelName
  readonly member: Member
  /** holds how far its clock is off, ms; read at the start and at SIGWINCH */
  readonly clockFile: string
  readonly redis: Link
  /** a courier's */
  readonly provider?: Link
}

export interface Fleet {
  readonly apiUrl: string
  readonly apiKey: string
  readonly redis: RedisServer
  readonly sandbox: Sandbox
  readonly processes: Processes
  /** those that faults are aimed at; Redis and the sandbox are not among them */
  readonly targets: readonly Process[]
  /** Resolves when the API says so of itself and of every courier. @throws Error when that takes too long */
  ready(): Promise<void>
  /** Ends every process, the couriers by SIGTERM. @returns what was wrong with their ends */
  stop(): Promise<string[]>
}

/** a setting up of a courier as whoever runs the fleet does it: the provider's endpoints become environment variables */
export type CourierSettings = (options: {
  readonly channel: ChannelName
  readonly name: string
  readonly env: Environment
  readonly endpoints: Endpoints
  readonly dataDir: string
}) => Environment

export interface FleetDeps {
  /** holds packages/ and tools/ */
  readonly root: string
  readonly dir: string
  readonly redisServer: string
  readonly courierSettings: CourierSettings
  readonly couriers: Readonly<Record<ChannelName, number>>
  readonly leaseMs: number
  readonly smsWindow: number
}

const readyMs = 60_000
const pollMs = 100

export async function startFleet(deps: FleetDeps): Promise<Fleet> {
  const { root, dir } = deps
  mkdirSync(join(dir, 'sessions'), { recursive: true })
  mkdirSync(join(dir, 'logs'))
  const processes = createProcesses({ logDir: join(dir, 'logs') })
  const [redisPort, apiPort, sandboxPort] = await Promise.all([freePort(), freePort(), freePort()])
  const apiUrl = `http://127.0.0.1:${apiPort}`
  const targets: Process[] = []
  const links: Link[] = []

  const clockFileOf = (name: string) => join(dir, `${name}.clock`)

  const program = (name: string, folder: string, args: readonly string[], env: Environment) => ({
    name,
    file: process.execPath,
    args: [
      '--enable-source-maps',
      '--import',
      join(root, 'tools/chaos/dist/stepped-clock.js'),
      join(root, `packages/${folder}/dist/main.js`),
      ...args,
    ],
    env: { PROCESS_NAME: name, LOG_LEVEL: 'info', CLOCK_FILE: clockFileOf(name), ...env },
  })

  async function link(host: string, port: number): Promise<Link> {
    const opened = await openLink({ host, port })
    links.push(opened)
    return opened
  }

  async function run(name: string, role: 'queue' | 'timekeeper', env: Environment): Promise<void> {
    const redis = await link('127.0.0.1', redisPort)
    const member = processes.run(program(name, role, [], { REDIS_URL: urlOf(redis), ...env }))
    targets.push({ name, role, member, clockFile: clockFileOf(name), redis })
  }

  async function runCourier(channel: ChannelName, name: string, endpoints: Endpoints): Promise<void> {
    const redis = await link('127.0.0.1', redisPort)
    const real = endpoints[channel]
    const provider = await link(real.host, real.port)
    const overLink = { ...endpoints, [channel]: { ...real, host: '127.0.0.1', port: provider.port } }
    const env = {
      REDIS_URL: urlOf(redis),
      LEASE_MS: String(deps.leaseMs),
      SMS_WINDOW: String(deps.smsWindow),
      [channelOf(channel).settings.rate]: 'off',
      ...deps.courierSettings({ channel, name, env: {}, endpoints: overLink, dataDir: dir }),
    }
    const member = processes.run(program(name, 'couriers', [channel], env))
    targets.push({ name, role: 'courier', channel, member, clockFile: clockFileOf(name), redis, provider })
  }

  const redis = await startRedisServer({ processes, executable: deps.redisServer, dir, port: redisPort })

  async function end(): Promise<void> {
    for (const member of processes.members) member.end()
    redis.admin.disconnect()
    await Promise.all(links.map((each) => each.close()))
  }

  async function runAll(): Promise<Pick<Fleet, 'sandbox' | 'apiKey'>> {
    processes.run(program('sandbox', 'sandbox', [], { SANDBOX_PORT: String(sandboxPort) }))
    const sandbox = await connectSandbox(`http://127.0.0.1:${sandboxPort}`)
    await run('queue', 'queue', { PORT: String(apiPort) })
    await run('timekeeper', 'timekeeper', {})
    for (const channel of channels) {
      for (let number = 1; number <= deps.couriers[channel]; number += 1) {
        await runCourier(channel, `courier-${channel}-${number}`, sandbox.endpoints)
      }
    }
    const apiKeys = createApiKeys({ redis: redis.admin, clock: systemClock })
    const { apiKey } = await apiKeys.create({ owner: 'chaos', role: 'admin', label: 'fault suite' })
    return { sandbox, apiKey }
  }

  const { sandbox, apiKey } = await runAll().catch(async (error) => {
    await end()
    throw error
  })

  async function isReady(): Promise<boolean> {
    const couriers = targets.filter(({ role }) => role === 'courier')
    try {
      const headers = { authorization: `Bearer ${apiKey}` }
      const response = await fetch(`${apiUrl}/v1/channels`, { headers, signal: AbortSignal.timeout(2000) })
      if (!response.ok) return false
      const { channels } = (await response.json()) as { channels: { couriers: { pid: number; ready: boolean }[] }[] }
      const pids = new Set(channels.flatMap((each) => each.couriers.filter(({ ready }) => ready).map(({ pid }) => pid)))
      return couriers.every(({ member }) => member.pid !== undefined && pids.has(member.pid))
    } catch {
      return false
    }
  }

  return {
    apiUrl,
    apiKey,
    redis,
    sandbox,
    processes,
    targets,
    async ready() {
      for (const giveUpAt = Date.now() + readyMs; !(await isReady()); ) {
        if (Date.now() > giveUpAt) throw new Error(`the fleet was not ready within ${readyMs / 1000} s`)
        await sleep(pollMs)
      }
    },
    async stop() {
      const ends = await Promise.all(targets.map(({ member }) => member.stop()))
      await end()
      return ends.filter((end) => end !== undefined)
    },
  }
}

const urlOf = (link: Link) => `redis://127.0.0.1:${link.port}`
