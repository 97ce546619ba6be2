/** A whole fleet for a test, with the demo: its roster is loaded through the public import, its phones into the sandbox. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CallerRole } from '@courier-fleet/api-types'
import type { ChannelName, Endpoints } from '@courier-fleet/channels'
import { createApiKeys } from '@courier-fleet/directory'
import {
  createProcesses,
  type Environment,
  type Fleet as Launched,
  launchFleet,
  type Processes,
  type Sandbox,
  troubleOf,
  type WallClock,
} from '@courier-fleet/launch'
import { systemClock } from '@courier-fleet/process'
import type { Redis } from '@courier-fleet/store'
import { freshRedis } from '@courier-fleet/testkit'
import { createCall, nameDemo } from '../../scripts/first-start.mjs'
import { phoneNames } from '../../scripts/phone-names.mjs'
import { type Api, connectApi } from './api.ts'
import { type Usage, usageOf } from './usage.ts'

const demo = join(import.meta.dirname, '../../demo')

export interface FleetOptions {
  /** processes of each channel, where it is not one of Telegram, VK and SMS each */
  readonly couriers?: Readonly<Partial<Record<ChannelName, number>>>
  /** processes that tell subscribers; none when absent */
  readonly notifiers?: number
  /** groups and cohorts are called as people call them, as with `npm start`; by their ids when absent */
  readonly demoNames?: true
  /** a server of its own to be troubled, or more than one; the caller stops it after the fleet */
  readonly redis?: GivenRedis
  /** told of everything that a process writes to its log */
  readonly onOutput?: (name: string, text: string) => void
  /** where a process finds Redis, when not at its URL */
  readonly redisUrlOf?: (name: string) => Promise<string>
  /** for every courier and notifier */
  readonly env?: Environment
  /** for the queue */
  readonly queueEnv?: Environment
  /** with the priorities that `npm start` gives; without any when absent */
  readonly withPriorities?: true
  /** of its people; the real one when absent */
  readonly wallClock?: WallClock
  /** for node, before each program of the fleet */
  readonly nodeArguments?: readonly string[]
  /** for one process; asked at every start */
  readonly envOf?: (name: string) => Environment
  /** for one courier, over all other settings; asked at every start */
  readonly settings?: (courier: Courier) => Environment | Promise<Environment>
}

export interface GivenRedis {
  readonly url: string
  /** a connection that the caller closes */
  redis(): Redis
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
  apiOf(owner: string, role: CallerRole): Promise<Api>
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

/** Resolves when all are ready. */
export async function startFleet(options: FleetOptions = {}): Promise<Fleet> {
  const dir = mkdtempSync(join(tmpdir(), 'courier-fleet-e2e-'))
  const redis = options.redis ? ofServer(options.redis) : await freshRedis()
  const ended: string[] = []
  const processes = createProcesses({
    onEnd: ({ name }) => ended.push(name),
    ...(options.onOutput ? { onOutput: options.onOutput } : {}),
  })

  async function stop(): Promise<void> {
    const others = processes.names.filter((name) => name !== 'sandbox')
    const ends = await Promise.all(others.map((name) => processes.member(name).stop()))
    ends.push(await processes.member('sandbox').stop())
    processes.end()
    await redis.stop()
    rmSync(dir, { recursive: true, force: true })
    const troubles = ends.flatMap((end) => (end ? (troubleOf(end) ?? []) : []))
    if (ended.length > 0) troubles.push(`ended without having been told to: ${ended.join(', ')}`)
    if (troubles.length > 0) throw new Error(troubles.join('\n'))
  }

  try {
    const launched = await launchFleet({
      processes,
      redis: { url: redis.url, connection: redis.redis },
      dir,
      ...(options.redisUrlOf ? { redisUrlOf: options.redisUrlOf } : {}),
      couriers: { telegram: 1, vk: 1, sms: 1, ...options.couriers },
      ...(options.notifiers === undefined ? {} : { notifiers: options.notifiers }),
      ...(options.withPriorities ? { withPriorities: true } : {}),
      nodeArguments: [...(options.wallClock?.nodeArguments ?? []), ...(options.nodeArguments ?? [])],
      env: async ({ name, folder, args = [] }, endpoints) => {
        const common = { ...options.wallClock?.env, ...options.envOf?.(name) }
        // a machine that stands still for two seconds is no Redis that is away
        if (folder === 'queue') return { ...common, REDIS_TIMEOUT_MS: '60000', ...options.queueEnv }
        if (folder === 'notifier') return { ...common, ...options.env }
        if (folder !== 'couriers' || !endpoints) return common
        const channel = args[0] as ChannelName
        return { ...common, ...options.env, ...(await options.settings?.({ name, channel, endpoints })) }
      },
    })
    return await withDemo(launched, { redis: redis.redis, processes, stop, named: options.demoNames ?? false })
  } catch (error) {
    await stop().catch(() => {})
    throw error
  }
}

async function withDemo(
  launched: Launched,
  { redis, processes, stop, named }: { redis: Redis; processes: Processes; stop: () => Promise<void>; named: boolean },
): Promise<Fleet> {
  const { apiUrl, sandbox, names } = launched
  const { member } = processes
  const rosterFile = join(demo, 'roster.csv')
  await sandbox.phones(JSON.parse(readFileSync(join(demo, 'sandbox-phones.json'), 'utf8')))
  await sandbox.phones(phoneNames(rosterFile))
  const apiKeys = createApiKeys({ redis, clock: systemClock })
  const keyOf = async (owner: string, role: CallerRole) => (await apiKeys.create({ owner, role, label: 'e2e' })).apiKey
  const apiKey = await keyOf('admin', 'admin')
  const api = connectApi(apiUrl, apiKey)
  if (named) await nameDemo({ call: createCall({ apiUrl, apiKey }), file: join(demo, 'names.json') })
  const { status } = await api.call('POST', '/v1/imports', readFileSync(rosterFile, 'utf8'))
  if (status !== 200) throw new Error(`the roster was answered ${status}`)
  return {
    sandbox,
    api,
    apiUrl,
    apiKey,
    apiOf: async (owner, role) => connectApi(apiUrl, await keyOf(owner, role)),
    names,
    kill: async (name, signal = 'SIGKILL') => (await member(name).stop(signal))?.code ?? null,
    signal: (name, signal) => member(name).signal(signal),
    usage: (name) => usageOf(member(name).pid as number),
    logged: (name) => member(name).lines,
    start: (...names) => launched.start(...names),
    stop,
  }
}

function ofServer(server: GivenRedis): { redis: Redis; url: string; stop: () => Promise<void> } {
  return { redis: server.redis(), url: server.url, stop: async () => {} }
}
