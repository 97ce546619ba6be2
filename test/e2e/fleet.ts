/**
 * A whole fleet for a test: the built programs as processes of their own, the real client libraries, real sockets, a Redis
 * database or server of its own, and the sandbox in place of the providers, its limits lifted. It is set up as `npm start`
 * sets one up, by the same modules.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Role } from '@courier-fleet/api-types'
import { type ChannelName, channelNames, channelOf, type Endpoints } from '@courier-fleet/channels'
import { createApiKeys } from '@courier-fleet/directory'
import { systemClock } from '@courier-fleet/process'
import { noLimits } from '@courier-fleet/sandbox/limits'
import { keys } from '@courier-fleet/store'
import { freshRedis, type OwnRedis } from '@courier-fleet/testkit'
import type { Redis } from 'ioredis'
import { courierSettings } from '../../scripts/courier-settings.mjs'
import { untilReady } from '../../scripts/readiness.mjs'
import { freePort } from '../../scripts/redis.mjs'
import { linkSandbox } from '../../scripts/sandbox-link.mjs'
import { type Api, connectApi } from './api.ts'
import { createChildren, type Environment } from './children.ts'
import { connectSandbox, type Sandbox } from './sandbox.ts'
import { type Usage, usageOf } from './usage.ts'

const demo = join(import.meta.dirname, '../../demo')
const startMs = 15_000

export interface FleetOptions {
  /** processes of each channel; one of each unless said otherwise */
  readonly couriers?: Readonly<Partial<Record<ChannelName, number>>>
  /** a server of its own to be troubled; the caller stops it after the fleet */
  readonly redis?: OwnRedis
  /** for every courier */
  readonly env?: Environment
  /** for one courier, over all other settings */
  readonly settings?: (courier: Courier) => Environment | Promise<Environment>
}

export interface Courier {
  readonly name: string
  readonly channel: ChannelName
  readonly endpoints: Endpoints
}

export interface Fleet {
  readonly sandbox: Sandbox
  /** of an administrator */
  readonly api: Api
  readonly apiUrl: string
  readonly apiKey: string
  /** another sender */
  apiOf(owner: string, role: Role): Promise<Api>
  /** names of all processes but the sandbox */
  readonly names: readonly string[]
  /** Resolves when the process is gone; the others go on. @returns its exit code; null when the signal ended it */
  kill(name: string, signal?: NodeJS.Signals): Promise<number | null>
  /** Sends a signal and waits for nothing. */
  signal(name: string, signal: NodeJS.Signals): void
  usage(name: string): Promise<Usage>
  /** lines it has logged so far */
  logged(name: string): number
  /** Starts a process that was killed; resolves when it is ready. */
  start(...names: string[]): Promise<void>
  /** Ends every process. @throws Error when one ended before, did not stop in time or stopped with an error */
  stop(): Promise<void>
}

/** The demo roster is loaded through the public import, the demo phones into the sandbox. Resolves when all are ready. */
export async function startFleet(options: FleetOptions = {}): Promise<Fleet> {
  const { couriers = {}, env = {} } = options
  const dataDir = mkdtempSync(join(tmpdir(), 'courier-fleet-e2e-'))
  mkdirSync(join(dataDir, 'sessions'))
  const { redis, url: redisUrl, stop: stopRedis } = options.redis ? ofServer(options.redis) : await freshRedis()
  const [apiPort, sandboxPort] = await Promise.all([freePort(), freePort()])
  const apiUrl = `http://127.0.0.1:${apiPort}`
  const sandboxUrl = `http://127.0.0.1:${sandboxPort}`
  const sandbox = connectSandbox(sandboxUrl)
  const ended: string[] = []
  const children = createChildren((name) => ended.push(name))
  const names = channelNames.flatMap((channel) =>
    Array.from({ length: couriers[channel] ?? 1 }, (_, index) => ({
      channel,
      name: `courier-${channel}-${index + 1}`,
    })),
  )
  const everyone = ['queue', 'timekeeper', ...names.map(({ name }) => name)]
  let endpoints: Endpoints

  function pidOf(name: string): number {
    const pid = children.pidOf(name)
    if (pid === undefined) throw new Error(`${name} does not run: ${children.output(name)}`)
    return pid
  }

  async function run(name: string): Promise<void> {
    if (name === 'queue')
      children.start({
        name,
        folder: name,
        env: { REDIS_URL: redisUrl, PORT: String(apiPort), PHONES_PAGE_URL: sandboxUrl },
      })
    else if (name === 'timekeeper') children.start({ name, folder: name, env: { REDIS_URL: redisUrl } })
    else await runCourier(name)
  }

  async function runCourier(name: string): Promise<void> {
    const { channel } = names.find((each) => each.name === name) as Omit<Courier, 'endpoints'>
    children.start({
      name,
      folder: 'couriers',
      args: [channel],
      env: {
        REDIS_URL: redisUrl,
        [channelOf(channel).settings.rate]: 'off',
        ...env,
        ...courierSettings({ channel, name, env: {}, endpoints, dataDir }),
        ...(await options.settings?.({ name, channel, endpoints })),
      },
    })
  }

  async function ready(waitedFor: readonly string[]): Promise<void> {
    const giveUp = new AbortController()
    const timer = setTimeout(() => giveUp.abort(), startMs)
    const { pidOf } = children
    const died = setInterval(() => waitedFor.some((name) => !pidOf(name)) && giveUp.abort(), 50)
    await untilReady({
      redis,
      apiUrl,
      names: [...waitedFor],
      pidOf,
      keyOf: keys.process,
      say() {},
      signal: giveUp.signal,
    })
    clearTimeout(timer)
    clearInterval(died)
    if (!giveUp.signal.aborted) return
    throw new Error(waitedFor.map((name) => `not ready: ${name} ${children.output(name)}`).join('\n'))
  }

  async function stop(): Promise<void> {
    try {
      await children.stop(everyone)
    } finally {
      await children.stop(['sandbox']).finally(stopRedis)
      rmSync(dataDir, { recursive: true, force: true })
    }
    if (ended.length > 0) throw new Error(`ended without having been told to: ${ended.join(', ')}`)
  }

  try {
    children.start({ name: 'sandbox', folder: 'sandbox', env: { SANDBOX_PORT: String(sandboxPort) } })
    await Promise.all([run('queue'), run('timekeeper')])
    const found = await linkSandbox({
      url: sandboxUrl,
      phonesFile: join(demo, 'sandbox-phones.json'),
      rosterFile: join(demo, 'roster.csv'),
      isAlive: () => children.pidOf('sandbox') !== undefined,
    })
    if (!found) throw new Error(`the sandbox did not start: ${children.output('sandbox')}`)
    endpoints = found
    await Promise.all([...names.map(({ name }) => run(name)), sandbox.limits(noLimits())])
    await ready(everyone)

    const apiKeys = createApiKeys({ redis, clock: systemClock })
    const keyOf = async (owner: string, role: Role) => (await apiKeys.create({ owner, role, label: 'e2e' })).apiKey
    const apiKey = await keyOf('admin', 'admin')
    const api = connectApi(apiUrl, apiKey)
    const { status } = await api.call('POST', '/v1/imports', readFileSync(join(demo, 'roster.csv'), 'utf8'))
    if (status !== 200) throw new Error(`the roster was answered ${status}`)
    return {
      sandbox,
      api,
      apiUrl,
      apiKey,
      apiOf: async (owner, role) => connectApi(apiUrl, await keyOf(owner, role)),
      names: everyone,
      kill: (name, signal = 'SIGKILL') => children.kill(name, signal),
      signal(name, signal) {
        process.kill(pidOf(name), signal)
      },
      usage: (name) => usageOf(pidOf(name)),
      logged: (name) => children.lines(name),
      async start(...names) {
        await Promise.all(names.map(run))
        await ready(names)
      },
      stop,
    }
  } catch (error) {
    await stop().catch(() => {})
    throw error
  }
}

function ofServer(server: OwnRedis): { redis: Redis; url: string; stop: () => Promise<void> } {
  return { redis: server.redis(), url: server.url, stop: async () => {} }
}
