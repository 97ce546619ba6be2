/** Before Redis is full nothing new is accepted, so that what was accepted can go on: a full Redis takes no receipts, either. */
import { Problem } from '@courier-fleet/api-types'
import { type Redis, readMemory } from '@courier-fleet/store'
import { cached } from '../http/cached.ts'
import type { Rules } from './rules.ts'

const lookEveryMs = 1_000
const retryAfterSeconds = 30
/** of `maxmemory`, where no setting says how much */
const fullShare = 0.9

export interface RedisRoom {
  /** @throws Problem 503 `redis-nearly-full` */
  require(): Promise<void>
}

export function createRedisRoom({ redis, rules }: { redis: Redis; rules: Rules }): RedisRoom {
  const { redisFull } = rules
  const look = cached(lookEveryMs, async (): Promise<Problem | undefined> => {
    const { usedBytes: used, maxBytes } = await readMemory(redis)
    const max = redisFull === 'by-maxmemory' ? fullShare * maxBytes : (redisFull ?? 0)
    if (max === 0 || used < max) return undefined
    const mb = (bytes: number) => Math.round(bytes / 1_048_576)
    const detail = `Redis holds ${mb(used)} MB, and from ${mb(max)} MB on nothing new is accepted; what was accepted goes on`
    return new Problem(503, 'redis-nearly-full', detail, undefined, retryAfterSeconds)
  })
  return {
    async require() {
      const full = redisFull === undefined ? undefined : await look()
      if (full) throw full
    },
  }
}
