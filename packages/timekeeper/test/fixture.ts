/** Timekeepers on a database of their own, and a connection that is told which deliveries expire, in order. */

import { shardName } from '@courier-fleet/api-types'
import { silentLog, systemClock } from '@courier-fleet/process'
import { connectNode, connectSubscriber, hints, keys, type Subscriber, tagOf } from '@courier-fleet/store'
import { ownRedis } from '@courier-fleet/testkit'
import type { Redis } from 'ioredis'
import { createTimekeeper, type Timekeeper, type TimekeeperDeps } from '../src/index.ts'

export const shards = 2

/** A Redis in which nothing expires unless somebody touches it. */
export async function quietRedis() {
  const server = await ownRedis({ appendonly: false, config: { 'enable-debug-command': 'local' } })
  await server.redis().call('DEBUG', 'SET-ACTIVE-EXPIRE', '0')
  return server
}

interface RunOptions extends Partial<Pick<TimekeeperDeps, 'clock' | 'maxSleepMs'>> {
  /** another way to the same database */
  readonly through?: string
}

export interface Fixture {
  readonly redis: Redis
  /** members of the due set whose deliveries expired, in order */
  readonly expired: string[]
  /** when each expired, Unix ms */
  readonly expiredAt: number[]
  run(how?: RunOptions): Promise<{ timekeeper: Timekeeper; redis: Redis; subscriber: Subscriber }>
  /** Puts a delivery as schedule.lua does, without its message; `tell` publishes it as the new head. */
  put(member: string, dueMs: number, tell?: boolean): Promise<void>
  /** Redis's clock, Unix ms */
  now(): Promise<number>
  stop(): Promise<void>
}

export async function createFixture(url: string): Promise<Fixture> {
  const connections: { disconnect(): void }[] = []
  const timekeepers: Timekeeper[] = []
  const connect = (name: string, through = url) => {
    const redis = connectNode(through, { name })
    connections.push(redis)
    return redis
  }
  const redis = connect('fixture')
  const listener = connect('listener')
  const expired: string[] = []
  const expiredAt: number[] = []
  const prefix = `delivery:{${tagOf(shardName(1))}}:`
  listener.on('message', (_channel, key: string) => {
    if (!key.startsWith(prefix)) return
    expired.push(key.slice(prefix.length))
    expiredAt.push(Date.now())
  })
  const database = new URL(url).pathname.slice(1) || '0'
  await listener.subscribe(`__keyevent@${database}__:expired`)

  return {
    redis,
    expired,
    expiredAt,
    async run({ through = url, ...how } = {}) {
      const own = connect('timekeeper', through)
      const subscriber = connectSubscriber(through, { name: 'timekeeper-events' })
      connections.push(subscriber)
      const timekeeper = createTimekeeper({
        redis: own,
        subscriber,
        shards,
        clock: systemClock,
        log: silentLog,
        ...how,
      })
      timekeepers.push(timekeeper)
      await timekeeper.start()
      return { timekeeper, redis: own, subscriber }
    },
    async put(member, dueMs, tell = true) {
      await Promise.all([
        redis.zadd(keys.due(shardName(1)), dueMs, member),
        redis.set(prefix + member, '', 'PXAT', dueMs),
        tell ? redis.spublish(hints.dueHead(shardName(1)), String(dueMs)) : 0,
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
