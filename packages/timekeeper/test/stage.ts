/** Timekeepers on a database of their own, and ears that hear which bells ring, in order. */

import { shardName } from '@courier-fleet/api-types'
import { type Clock, silentLog, systemClock } from '@courier-fleet/process'
import { connectRedis, dueHeadChannel, keys, tagOf } from '@courier-fleet/store'
import type { Redis } from 'ioredis'
import { createTimekeeper, type Timekeeper } from '../src/index.ts'

export const shards = 2

export interface Stage {
  readonly redis: Redis
  /** members of the due set whose bells rang, in order */
  readonly rung: string[]
  /** when each rang, Unix ms */
  readonly rungAt: number[]
  /** `through`: another way to the same database */
  run(clock?: Clock, through?: string): Promise<{ timekeeper: Timekeeper; redis: Redis; subscriber: Redis }>
  /** Puts a delivery as schedule.lua does, without its message; `tell` publishes it as the new head. */
  put(member: string, dueMs: number, tell?: boolean): Promise<void>
  /** Redis's clock, Unix ms */
  now(): Promise<number>
  stop(): Promise<void>
}

export async function setStage(url: string): Promise<Stage> {
  const connections: Redis[] = []
  const timekeepers: Timekeeper[] = []
  const connect = (name: string, through = url) => {
    const redis = connectRedis(through, { name })
    connections.push(redis)
    return redis
  }
  const redis = connect('stage')
  const ears = connect('ears')
  const rung: string[] = []
  const rungAt: number[] = []
  const prefix = `delivery:{${tagOf(shardName(1))}}:`
  ears.on('message', (_channel, key: string) => {
    if (!key.startsWith(prefix)) return
    rung.push(key.slice(prefix.length))
    rungAt.push(Date.now())
  })
  const database = new URL(url).pathname.slice(1) || '0'
  await ears.subscribe(`__keyevent@${database}__:expired`)

  return {
    redis,
    rung,
    rungAt,
    async run(clock = systemClock, through = url) {
      const own = connect('timekeeper', through)
      const subscriber = connect('timekeeper-events', through)
      const timekeeper = createTimekeeper({ redis: own, subscriber, shards, clock, log: silentLog })
      timekeepers.push(timekeeper)
      await timekeeper.start()
      return { timekeeper, redis: own, subscriber }
    },
    async put(member, dueMs, tell = true) {
      await Promise.all([
        redis.zadd(keys.due(shardName(1)), dueMs, member),
        redis.set(prefix + member, '', 'PXAT', dueMs),
        tell ? redis.publish(dueHeadChannel, `${tagOf(shardName(1))} ${dueMs}`) : 0,
      ])
    },
    async now() {
      const [seconds, microseconds] = await redis.time()
      return Number(seconds) * 1000 + Math.floor(Number(microseconds) / 1000)
    },
    async stop() {
      await Promise.all(timekeepers.map((timekeeper) => timekeeper.stop()))
      for (const connection of connections) connection.disconnect()
    },
  }
}
