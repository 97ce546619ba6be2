import type { Redis } from 'ioredis'
import { keys } from './keys.ts'

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
  /** Unix ms */
  readonly startedAt: number
  readonly ready: boolean
  /** why a courier cannot send, and since when, Unix ms; absent when it can, and of other processes */
  readonly notReady?: { readonly since: number; readonly why: string }
  /** claims being worked on */
  readonly inFlight?: number
}

const ttlMs = 15_000
const everyMs = 5_000

/** Keeps `process:<name>` fresh until stopped; gone 15 s after the process. */
export function announceProcess(
  redis: Redis,
  identity: Pick<ProcessInfo, 'name' | 'role' | 'channel' | 'target' | 'account' | 'leaseMs'>,
  now: () => Pick<ProcessInfo, 'ready' | 'notReady' | 'inFlight'>,
): { refresh(): Promise<void>; stop(): Promise<void> } {
  const key = keys.process(identity.name)
  const startedAt = Date.now()
  let isStale = false
  let writing: Promise<unknown> | undefined

  async function write(): Promise<void> {
    while (isStale) {
      isStale = false
      const { ready, notReady, inFlight = 0 } = now()
      const state = {
        ready: ready ? 1 : 0,
        notReadySince: notReady?.since ?? '',
        notReadyWhy: notReady?.why ?? '',
        inFlight,
      }
      await Promise.all([
        redis.sadd(keys.processes, identity.name),
        redis.hset(key, { ...identity, pid: process.pid, startedAt, ...state }),
        redis.pexpire(key, ttlMs),
      ])
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
  const timer = setInterval(() => refresh().catch(() => {}), everyMs)
  return {
    refresh,
    async stop() {
      clearInterval(timer)
      await Promise.all([redis.srem(keys.processes, identity.name), redis.del(key)])
    },
  }
}

/** Every process that is alive, by name; names whose process is gone are dropped. */
export async function readProcesses(redis: Redis): Promise<ProcessInfo[]> {
  const names = (await redis.smembers(keys.processes)).sort()
  const found: ProcessInfo[] = []
  for (const [index, hash] of (await Promise.all(names.map((name) => redis.hgetall(keys.process(name))))).entries()) {
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
      startedAt: Number(hash.startedAt),
      ready: hash.ready === '1',
      ...(hash.notReadyWhy ? { notReady: { since: Number(hash.notReadySince), why: hash.notReadyWhy } } : {}),
      inFlight: Number(hash.inFlight ?? 0),
    })
  }
  return found
}
