import type { MessageClass } from '@courier-fleet/api-types'
import { alignedInterval, fleetVersion } from '@courier-fleet/process'
import type { Redis } from './connection/client.ts'
import { keys } from './keys.ts'
import { knownShards } from './laying.ts'

/** What a process says of itself, in the hash `process:<name>`. */
export interface ProcessInfo {
  readonly name: string
  readonly role: string
  readonly channel?: string
  readonly target?: string
  /** the provider's account it sends from: names its pause */
  readonly account?: string
  /** how long its claims are its own unless renewed */
  readonly leaseMs?: number
  readonly pid: number
  /** of courier-fleet; absent of one that does not say it yet */
  readonly version?: string
  /** Unix ms */
  readonly startedAt: number
  readonly ready: boolean
  /** why a courier cannot send, and since when, Unix ms; absent when it can, and of other processes */
  readonly notReady?: { readonly since: number; readonly why: string }
  /** claims being worked on */
  readonly inFlight?: number
  /** into so many shards it looks; absent of one of a version that knows of no growth */
  readonly shards?: number
  /** the version of the settings that it uses */
  readonly settings?: number
  /** of a courier: how fast it works now, and what it was started with */
  readonly pace?: CourierPace
  readonly startedWith?: CourierPace
  /** of a courier: what its provider has answered of late */
  readonly lately?: CourierLately
  /** of a courier with several accounts */
  readonly accounts?: readonly AccountInfo[]
  /** what share of a core it has used since its heartbeat before */
  readonly busy?: number
  /** since its last sign of life */
  readonly silentMs?: number
}

/** One of several accounts behind a channel, as a process sees it; times in Unix ms. */
export interface AccountInfo {
  readonly name: string
  readonly account: string
  /** messages a second that it may send; absent: no limit on this side */
  readonly perSecond?: number
  /** beginnings of the addresses that go by it first; none: all that no other names */
  readonly prefixes: readonly string[]
  readonly state:
    | { readonly is: 'works' }
    | { readonly is: 'not-connected' | 'left-alone'; readonly since: number; readonly why: string }
  /** the latest time it was left alone that is over */
  readonly lastLeftAlone?: { readonly since: number; readonly until: number; readonly why: string }
}

export interface CourierLately {
  /** people a second whom the provider has taken, over the last seconds */
  readonly sentPerSecond: number
  /** people of each class whom the provider has taken in the last minute; absent when there were none */
  readonly lastMinute?: Readonly<Record<MessageClass, number>>
  /** from the hand-over until the answer, waiting for the allowed rate included; absent when nothing was sent in the last minute */
  readonly answerMs?: { readonly median: number; readonly p99: number }
  /** the provider asks to be sent less, Unix ms; absent when it does not */
  readonly slowDown?: { readonly since: number; readonly until: number; readonly why: string }
}

export type CourierPace = Readonly<Partial<Record<'batchSize' | 'concurrency' | 'window' | 'perSecond', number>>>

const ttlMs = 15_000
/** from one sign of life to the next */
export const heartbeatMs = 5_000
/** One that is late by so much has missed its heartbeat: it has ended, or hangs. */
const lateMs = 2_000
/** Who is listed stays so: only somebody who was not heard of for a while is taken off the list. */
const heartbeatsAListing = 6

/** Keeps `process:<name>` fresh until stopped; gone 15 s after the process. */
export function announceProcess(
  redis: Redis,
  identity: Pick<ProcessInfo, 'name' | 'role' | 'channel' | 'target' | 'account' | 'leaseMs' | 'startedWith'>,
  now: () => Pick<ProcessInfo, 'ready' | 'notReady' | 'inFlight' | 'settings' | 'pace' | 'lately' | 'accounts'>,
): { refresh(): Promise<void>; stop(): Promise<void> } {
  const key = keys.process(identity.name)
  const startedAt = Date.now()
  const { startedWith = {}, ...named } = identity
  const fixed = { ...named, version: fleetVersion(), startedWith: JSON.stringify(startedWith) }
  const measure = createBusyGauge()
  let heartbeats = 0
  let isStale = false
  let isStopped = false
  let writing: Promise<unknown> | undefined

  async function write(): Promise<void> {
    while (isStale && !isStopped) {
      isStale = false
      const { ready, notReady, inFlight = 0, settings = '', pace = {}, lately, accounts } = now()
      const state = {
        ready: ready ? 1 : 0,
        notReadySince: notReady?.since ?? '',
        notReadyWhy: notReady?.why ?? '',
        inFlight,
        settings,
        pace: JSON.stringify(pace),
        lately: lately ? JSON.stringify(lately) : '',
        accounts: accounts ? JSON.stringify(accounts) : '',
        busy: measure(),
        shards: knownShards() ?? '',
      }
      const isListed = heartbeats % heartbeatsAListing > 0
      const [added] = await Promise.all([
        redis.hset(key, { ...fixed, pid: process.pid, startedAt, ...state }),
        redis.pexpire(key, ttlMs),
        isListed || redis.sadd(keys.processes, identity.name),
      ])
      // the hash had lapsed, and whoever looked has taken the name off the list
      heartbeats = added > 0 && isListed ? 0 : heartbeats + 1
      if (heartbeats === 0) isStale = true
    }
  }
  /** What changes during a write is written after it. */
  const refresh = async () => {
    isStale = true
    writing ??= write().finally(() => {
      writing = undefined
    })
    await writing
  }
  const stopHeartbeat = alignedInterval(heartbeatMs, () => refresh().catch(() => {}))
  return {
    refresh,
    async stop() {
      stopHeartbeat()
      // what is being written comes before this, and nothing after it
      isStopped = true
      await Promise.all([redis.srem(keys.processes, identity.name), redis.del(key)])
    },
  }
}

async function readProcess(redis: Redis, key: string) {
  const [hash, leftMs] = await Promise.all([redis.hgetall(key), redis.pttl(key)])
  return { hash, leftMs }
}

/** Every process that is alive, or was until lately, by name; names whose process is gone are dropped. */
export async function readProcesses(redis: Redis): Promise<ProcessInfo[]> {
  const names = (await redis.smembers(keys.processes)).sort()
  const found: ProcessInfo[] = []
  const kept = await Promise.all(names.map((name) => readProcess(redis, keys.process(name))))
  for (const [index, { hash, leftMs }] of kept.entries()) {
    const name = names[index] as string
    if (!hash.pid) {
      await redis.srem(keys.processes, name).catch(() => {}) // only tidying: whoever asks next may do it
      continue
    }
    found.push({
      name,
      role: hash.role ?? '',
      ...(hash.channel ? { channel: hash.channel } : {}),
      ...(hash.target ? { target: hash.target } : {}),
      ...(hash.account ? { account: hash.account } : {}),
      ...(hash.leaseMs ? { leaseMs: Number(hash.leaseMs) } : {}),
      pid: Number(hash.pid),
      ...(hash.version ? { version: hash.version } : {}),
      startedAt: Number(hash.startedAt),
      ready: hash.ready === '1',
      ...(hash.notReadyWhy ? { notReady: { since: Number(hash.notReadySince), why: hash.notReadyWhy } } : {}),
      inFlight: Number(hash.inFlight ?? 0),
      ...(hash.shards ? { shards: Number(hash.shards) } : {}),
      ...(hash.settings ? { settings: Number(hash.settings) } : {}),
      ...(hash.busy ? { busy: Number(hash.busy) } : {}),
      ...(leftMs < 0 ? {} : { silentMs: Math.max(0, ttlMs - leftMs) }),
      ...paces(hash),
      ...(hash.lately ? { lately: JSON.parse(hash.lately) as CourierLately } : {}),
      ...(hash.accounts ? { accounts: JSON.parse(hash.accounts) as AccountInfo[] } : {}),
    })
  }
  return found
}

export const isSilent = ({ silentMs = 0 }: Pick<ProcessInfo, 'silentMs'>): boolean => silentMs > heartbeatMs + lateMs

/** Of a courier: who gives no sign of life sends nothing, whatever it said last. */
export const canSend = (process: Pick<ProcessInfo, 'ready' | 'silentMs'>): boolean =>
  process.ready && !isSilent(process)

/** When it was last heard of, Unix ms by the caller's clock; undefined while that is not known. */
export const lastSeenMs = ({ silentMs }: Pick<ProcessInfo, 'silentMs'>, nowMs: number): number | undefined =>
  silentMs === undefined ? undefined : nowMs - silentMs

/** Of a few milliseconds nothing can be said: then what was said before. */
function createBusyGauge(): () => number {
  let from = { cpu: process.cpuUsage(), at: performance.now() }
  let share = 0
  return () => {
    const ms = performance.now() - from.at
    if (ms < heartbeatMs / 2) return share
    const { user, system } = process.cpuUsage(from.cpu)
    share = Math.round((user + system) / ms / 10) / 100
    from = { cpu: process.cpuUsage(), at: performance.now() }
    return share
  }
}

/** Nothing of whoever does not work at a pace. */
function paces(hash: Readonly<Record<string, string>>): Pick<ProcessInfo, 'pace' | 'startedWith'> {
  if (hash.role !== 'courier') return {}
  const read = (text = '{}'): CourierPace => JSON.parse(text)
  return { pace: read(hash.pace), startedWith: read(hash.startedWith) }
}

/** What the accounts of these couriers may send a second: processes of one account share its rate. Undefined where one has none, or there is none. */
export function allowedPerSecond(couriers: readonly ProcessInfo[]): number | undefined {
  const rates = new Map(couriers.map(({ account, pace }) => [account, pace?.perSecond] as const))
  let sum = 0
  for (const rate of rates.values()) {
    if (rate === undefined) return undefined
    sum += rate
  }
  return sum > 0 ? sum : undefined
}
