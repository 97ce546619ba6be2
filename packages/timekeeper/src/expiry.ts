/**
 * Settles running messages that have expired, or were cancelled, where no courier does: their channel never had one, or its couriers
 * are gone. Any number of processes may do it; without any, such a message says so once a courier of the channel comes.
 */
import { refOfMember, shardNames } from '@courier-fleet/api-types'
import { createThrottledLog, type Log, sleep } from '@courier-fleet/process'
import { expire, keys } from '@courier-fleet/store'
import type { Redis } from 'ioredis'

const roundMs = 1_000
/** of one shard and round */
const maxMessages = 25
/** A message with somebody a courier has marked is looked at again after so long. */
const againMs = 10_000

export interface ExpiryDeps {
  readonly redis: Redis
  readonly shards: number
  readonly log: Log
}

export interface Expiry {
  start(): void
  stop(): Promise<void>
}

export function createExpiry({ redis, shards, log }: ExpiryDeps): Expiry {
  const stopping = new AbortController()
  const logThrottled = createThrottledLog((fields, text) => log.error(fields, text))
  let running: Promise<void> | undefined

  async function expireShard(shard: string, nowMs: number): Promise<void> {
    const found = await redis.zrangebyscore(keys.expiry(shard), '-inf', nowMs, 'LIMIT', 0, maxMessages)
    for (const member of found) {
      if (stopping.signal.aborted) return
      await expire(redis, refOfMember(shard, member))
      // where it has settled it is not there any more
      await redis.zadd(keys.expiry(shard), 'XX', nowMs + againMs, member)
    }
  }

  async function round(): Promise<void> {
    const [seconds] = await redis.time()
    for (const shard of shardNames(shards)) await expireShard(shard, Number(seconds) * 1000)
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      await round().catch((error: unknown) => logThrottled({ err: error }, 'cannot settle what has expired'))
      await sleep(roundMs, stopping.signal)
    }
  }

  return {
    start() {
      running = run()
    },
    async stop() {
      stopping.abort()
      await running
    },
  }
}
