/** How much is still to be done, read from Redis itself: asking the API for each message would take part in what is measured. */
import { classes, parseHistoryKey, shardNames } from '@courier-fleet/api-types'
import { keys, type Redis } from '@courier-fleet/store'

const maxReads = 5_000

async function sumOverShards(redis: Redis, count: (shard: string) => Promise<number>): Promise<number> {
  const shards = Number(await redis.hget(keys.fleet, 'shards'))
  const counts = await Promise.all(shardNames(shards).map(count))
  return counts.reduce((sum, each) => sum + each, 0)
}

/** Deliveries waiting for their time. */
export const pendingCount = (redis: Redis) => sumOverShards(redis, (shard) => redis.zcard(keys.due(shard)))

/** Deliveries whose time has come, and work not finished, of all channels. */
export const outstandingCount = (redis: Redis) =>
  sumOverShards(redis, async (shard) => {
    const due = redis.zcount(keys.due(shard), '-inf', Date.now())
    const channels = await redis.hkeys(keys.channels(shard))
    const work = await Promise.all(
      channels.flatMap((channel) => classes.map((cls) => redis.xlen(keys.work(shard, channel, cls)))),
    )
    return work.reduce((sum, each) => sum + each, await due)
  })

/** When each settled (Unix ms), of those that have with everyone of one channel sent to; undefined for all others. */
export async function settledTimes(redis: Redis, historyKeys: readonly string[], channel: string) {
  const times: (number | undefined)[] = []
  for (let from = 0; from < historyKeys.length; from += maxReads) {
    const some = historyKeys.slice(from, from + maxReads)
    const found = await Promise.all(
      some.map((key) => redis.hmget(keys.history(parseHistoryKey(key)), 'state', 'settled', 'size', `${channel}:s`)),
    )
    for (const [state, settled, size, sent] of found)
      times.push(state === 'settled' && size === sent ? Number(settled) : undefined)
  }
  return times
}
