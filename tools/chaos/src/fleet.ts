/** A fleet of its own on a Redis of its own: every process behind links of its own to Redis and to its provider. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { ChannelName, Endpoints } from '@courier-fleet/channels'
import { createApiKeys } from '@courier-fleet/directory'
import {
  type Courier,
  type End,
  launchFleet,
  type Member,
  nextVersion,
  type Sandbox,
  troubleOf,
} from '@courier-fleet/launch'
import { systemClock } from '@courier-fleet/process'
import { joinFleet, tagsOfBuckets, tagsOfShards } from '@courier-fleet/store'
import { type Line, type Link, openLink } from '@courier-fleet/testkit/link'
import type { Channel } from './expectations.ts'
import { inboundNames, startInbound } from './inbound.ts'
import { createWatchedProcesses, type Watched } from './processes.ts'
import { type RedisKind, type RedisServer, startRedisServer } from './redis/index.ts'

/** of the programs, as far as what is in Redis is concerned */
export type Version = 'this' | 'next'

export interface Process {
  readonly name: string
  readonly role: 'queue' | 'timekeeper' | 'courier'
  readonly channel?: ChannelName
  readonly member: Member
  /** holds how far its clock is off, ms; read at the start and at SIGWINCH */
  readonly clockFile: string
  /** between it and Redis */
  readonly redis: Line
  /** a courier's */
  readonly provider?: Link
}

export interface Fleet {
  readonly apiUrl: string
  readonly apiKey: string
  readonly redis: RedisServer
  /** of its shards and of its buckets of people: what has one lies in one slot */
  readonly tags: readonly string[]
  readonly sandbox: Sandbox
  /** where the URLs are that are called */
  readonly callsUrl: string
  /** what was heard of the processes */
  readonly watched: Watched
  /** those that faults are aimed at, who writes messages before who reads them; Redis, the sandbox and those that people write to are not among them */
  readonly targets: readonly Process[]
  /** Starts a target that has ended as one of this version, which it is from then on. */
  startAs(name: string, version: Version): Promise<void>
  /** SIGKILL of the process that people write to; it is started again */
  killInbound(name: (typeof inboundNames)[number]): void
  /** Ends every process, the targets by SIGTERM; may be called twice. @returns what was wrong with their ends */
  stop(): Promise<string[]>
}

export interface FleetDeps {
  /** for the data and logs of the fleet */
  readonly dir: string
  /** the executable */
  readonly redisServer: string
  readonly redis: RedisKind
  /** how much later a replica hears what its master has done */
  readonly lagMs?: number
  /** how far apart the clocks of its nodes are */
  readonly skewMs?: number
  /** REDIS_DURABILITY of every process; as they decide themselves when absent */
  readonly durability?: string | undefined
  readonly couriers: Readonly<Record<Channel, number>>
  readonly leaseMs: number
  readonly smsWindow: number
}

/** before a process starts */
const loaded = ['./stepped-clock.mjs', './detoured-calls.mjs']
const nodeArguments = [
  ...loaded.flatMap((name) => ['--import', new URL(name, import.meta.url).href]),
  ...nextVersion.nodeArguments,
]
/** of the pauses between two tries of a call: 5 s are 50 ms, 2 h 72 s */
const retryScale = 0.01

/** Resolves when all are ready. */
export async function startFleet(deps: FleetDeps): Promise<Fleet> {
  const { dir, couriers } = deps
  mkdirSync(join(dir, 'logs'), { recursive: true })
  const { processes, watched } = createWatchedProcesses(join(dir, 'logs'))
  const { lagMs = 0, skewMs = 0, redisServer: executable } = deps
  const redis = await startRedisServer(deps.redis, { processes, executable, dir, lagMs, skewMs }).catch((error) => {
    processes.end()
    throw error
  })
  const links = createLinks()
  const versions = createVersions()
  const durability = deps.durability ? { REDIS_DURABILITY: deps.durability } : {}
  const clockFileOf = (name: string) => join(dir, `${name}.clock`)
  const ofCouriers = {
    LEASE_MS: String(deps.leaseMs),
    SMS_WINDOW: String(deps.smsWindow),
    HTTP_RETRY_SCALE: String(retryScale),
  }

  async function end(): Promise<void> {
    processes.end()
    await redis.close()
    await links.close()
  }

  const launched = await launchFleet({
    processes,
    redis: { url: redis.url, connection: redis.admin },
    dir,
    couriers,
    nodeArguments,
    redisUrlOf: redis.urlOf,
    endpointsOf: links.endpointsOf,
    env: ({ name, folder }, endpoints) => ({
      CLOCK_FILE: clockFileOf(name),
      ...links.detour(name, endpoints),
      ...durability,
      ...versions.envOf(name),
      ...(folder === 'couriers' ? ofCouriers : {}),
    }),
  }).catch(async (error) => {
    await end()
    throw error
  })
  await startInbound({ processes, redis: redis.admin, dir, ...launched })
  const targetOf = (name: string) => ({ name, member: processes.member(name), clockFile: clockFileOf(name) })
  const targets: Process[] = [
    ...(['queue', 'timekeeper'] as const).map((role) => ({ ...targetOf(role), role, redis: redis.lineOf(role) })),
    ...launched.couriers.map(({ name, channel }) => ({
      ...targetOf(name),
      role: 'courier' as const,
      channel,
      redis: redis.lineOf(name),
      provider: links.provider(name),
    })),
  ]
  const shards = await joinFleet(redis.admin) // faults write what is marked in buckets
  const apiKeys = createApiKeys({ redis: redis.admin, clock: systemClock })
  const { apiKey } = await apiKeys.create({ owner: 'chaos', role: 'admin', label: 'fault suite' })
  return {
    apiUrl: launched.apiUrl,
    apiKey,
    redis,
    tags: [...tagsOfShards(shards), ...tagsOfBuckets()],
    sandbox: launched.sandbox,
    callsUrl: `http://${launched.endpoints.http.host}:${launched.endpoints.http.port}`,
    watched,
    targets,
    startAs(name, version) {
      versions.set(name, version)
      return launched.run(name)
    },
    killInbound: (name) => processes.member(name).kill(),
    async stop() {
      const members = [...targets.map(({ member }) => member), ...inboundNames.map((name) => processes.member(name))]
      const ends = await Promise.all(members.map((member) => member.stop()))
      await end()
      return ends.flatMap((each) => (each && badEnd(each)) ?? [])
    },
  }
}

/** @returns what was wrong with the end of a process that was told to stop, whatever else befell it */
export function badEnd(end: End): string | undefined {
  // ended by the signal itself: it had not begun to listen, and had nothing to hand back
  return end.struck || end.signal === 'SIGTERM' ? undefined : troubleOf(end)
}

/** Which processes are of which version, by name: of this one until something else is said. */
function createVersions() {
  const next = new Set<string>()
  return {
    envOf: (name: string) => (next.has(name) ? nextVersion.env : {}),
    set(name: string, version: Version): void {
      if (version === 'next') next.add(name)
      else next.delete(name)
    },
  }
}

/** The links of couriers to their providers, by name: each is opened before its process starts, and stays. */
function createLinks() {
  const toProvider = new Map<string, Link>()
  const calling = new Set<string>()

  return {
    /** Those who call URLs are told of no endpoint: the URLs lead there. */
    detour(name: string, endpoints: Endpoints | undefined): Record<string, string> {
      const port = calling.has(name) && endpoints?.http.port
      return port ? { CALLS_DETOUR: `${port} ${this.provider(name).port}` } : {}
    },
    provider(name: string): Link {
      const link = toProvider.get(name)
      if (!link) throw new Error(`${name} has no link`)
      return link
    },
    async endpointsOf({ name, channel }: Courier, endpoints: Endpoints): Promise<Endpoints> {
      const link = toProvider.get(name) ?? (await openLink(endpoints[channel]))
      toProvider.set(name, link)
      if (channel === 'http') calling.add(name)
      const { port } = link
      return { ...endpoints, [channel]: { ...endpoints[channel], host: '127.0.0.1', port } }
    },
    async close() {
      await Promise.all([...toProvider.values()].map((link) => link.close()))
    },
  }
}
