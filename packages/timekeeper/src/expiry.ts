/**
 * Settles running messages that have expired, or were cancelled, where no courier does: their channel never had one, or its couriers
 * are gone. Any number of processes may do it; without any, such a message says so once a courier of the channel comes.
 */
import { refOfMember, shardNames } from '@courier-fleet/api-types'
import type { Log } from '@courier-fleet/process'
import { expire, keys, type Redis, redisNow } from '@courier-fleet/store'
import { createRounds, type Rounds } from './rounds.ts'

const roundMs = 1_000
/** of one shard and round */
const maxMessages = 25
/** A message with somebody a courier has marked is looked at again after so long. */
const againMs = 10_000

export interface ExpiryDeps {
  readonly redis: Redis
  readonly shards: number
  /** Whether any message of a shard may run: of others nothing is asked. */
  readonly hasRunning?: (shard: string) => boolean
  readonly log: Log
}

export function createExpiry({ redis, shards, hasRunning = () => true, log }: ExpiryDeps): Rounds {
  async function expireShard(shard: string, stopping: AbortSignal): Promise<void> {
    const nowMs = await redisNow(redis, keys.expiry(shard))
    const found = await redis.zrangebyscore(keys.expiry(shard), '-inf', nowMs, 'LIMIT', 0, maxMessages)
    for (const member of found) {
      if (stopping.aborted) return
      await expire(redis, refOfMember(shard, member))
      // where it has settled it is not there any more
      await redis.zadd(keys.expiry(shard), 'XX', nowMs + againMs, member)
    }
  }

  async function round(stopping: AbortSignal): Promise<void> {
    for (const shard of shardNames(shards).filter(hasRunning)) await expireShard(shard, stopping)
  }

  return createRounds({ round, roundMs, log, failed: 'cannot settle what has expired' })
}
