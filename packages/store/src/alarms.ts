/** What operators have to know: alarms that hold, found by the timekeeper that watches and shown by every queue. */
import { parseInfo } from './connection/check.ts'
import type { Redis } from './connection/client.ts'
import { isCluster, mastersOf } from './connection/client.ts'
import { keys } from './keys.ts'

export interface Alarm {
  /** such as `stuck:sms`; stable, so that the same is told once */
  readonly name: string
  /** Unix ms */
  readonly since: number
  /** what is wrong, for a log */
  readonly detail: string
  /** operators have been told, and are to be told when it is over */
  readonly isTold: boolean
}

type Packed = [since: number, detail: string, told: 0 | 1]

/** Within this an alarm is told once, however often it comes and goes. */
const toldMs = 3_600_000

/** By name. */
export async function readAlarms(redis: Redis): Promise<Alarm[]> {
  const hash = await redis.hgetall(keys.alarms)
  return Object.entries(hash)
    .map(([name, packed]): Alarm => {
      const [since, detail, told] = JSON.parse(packed) as Packed
      return { name, since, detail, isTold: told === 1 }
    })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
}

const packed = ({ since, detail, isTold }: Alarm) => JSON.stringify([since, detail, isTold ? 1 : 0] satisfies Packed)

export async function writeAlarm(redis: Redis, alarm: Alarm): Promise<void> {
  await redis.hset(keys.alarms, alarm.name, packed(alarm))
}

/** @returns false where it holds already: of several processes that begin it, one says since when */
export async function beginAlarm(redis: Redis, alarm: Alarm): Promise<boolean> {
  return (await redis.hsetnx(keys.alarms, alarm.name, packed(alarm))) === 1
}

/** @returns false where it has ended before: of several processes that end it, one is told true */
export async function endAlarm(redis: Redis, name: string): Promise<boolean> {
  return (await redis.hdel(keys.alarms, name)) === 1
}

/** @returns whether it may be told now: once an hour, whichever process asks */
export async function mayTell(redis: Redis, name: string): Promise<boolean> {
  return (await redis.set(keys.told(name), '1', 'PX', toldMs, 'NX')) === 'OK'
}

/** @returns the same of an alarm; what began at that moment may be told again, by whoever finds that it was not told, or not all of it */
export async function mayTellAlarm(redis: Redis, { name, since }: Pick<Alarm, 'name' | 'since'>): Promise<boolean> {
  const isFirst = (await redis.set(keys.told(name), since, 'PX', toldMs, 'NX')) === 'OK'
  return isFirst || (await redis.get(keys.told(name))) === String(since)
}

export interface Memory {
  readonly usedBytes: number
  /** 0: no limit */
  readonly maxBytes: number
}

/** Of the fullest of those that take writes; one of several that is away now is not asked. */
export async function readMemory(redis: Redis): Promise<Memory> {
  const found = await Promise.all(
    mastersOf(redis).map(async (node) => {
      const text = await node?.info('memory').catch((error: Error) => {
        if (error.name === 'ReplyError' || !isCluster(redis)) throw error
      })
      const info = parseInfo(text ?? '')
      return { usedBytes: Number(info.get('used_memory') ?? 0), maxBytes: Number(info.get('maxmemory') ?? 0) }
    }),
  )
  const fullness = ({ usedBytes, maxBytes }: Memory) => (maxBytes > 0 ? 1 + usedBytes / maxBytes : 0)
  const more = (one: Memory, other: Memory) => fullness(one) - fullness(other) || one.usedBytes - other.usedBytes
  return found.reduce((most, each) => (more(each, most) > 0 ? each : most), { usedBytes: 0, maxBytes: 0 })
}
