/** How long messages took that ended of late, channel by channel: read of their histories, which nobody keeps for this. */
import { refOfMember, shardNames } from '@courier-fleet/api-types'
import { type Redis, redisNow } from '../connection/client.ts'
import { keys } from '../keys.ts'
import { channelsOf, countsOf } from './ledger.ts'

/** One message on one channel. */
export interface Ended {
  readonly channel: string
  /** who were sent to, or may have been, or were refused by the provider */
  readonly people: number
  /** from when it was due until its couriers there were done */
  readonly tookMs: number
}

/** what was long ago says little of now */
const lookBackMs = 6 * 3_600_000
/** messages that are read, over all shards */
const maxRead = 256

export async function readLatelyEnded(redis: Redis, shards: number): Promise<Ended[]> {
  const nowMs = await redisNow(redis, keys.fleet)
  const each = Math.max(1, Math.floor(maxRead / shards))
  const read = await Promise.all(
    shardNames(shards).map(async (shard) => {
      const over = [Math.floor(nowMs), Math.floor(nowMs - lookBackMs)] as const
      const members = await redis.zrevrangebyscore(keys.retention(shard), ...over, 'LIMIT', 0, each)
      return Promise.all(members.map((member) => redis.hgetall(keys.history(refOfMember(shard, member)))))
    }),
  )
  return read.flat().flatMap(endedIn)
}

/** Nothing of one in which anybody waited for something else than a turn, or that was stopped. */
function endedIn(hash: Readonly<Record<string, string>>): Ended[] {
  if (hash.state !== 'settled' || hash.waves || hash.cancelled || hash.held) return []
  return channelsOf(hash).flatMap((channel) => {
    const settled = hash[`${channel}:settled`]
    if (settled === undefined) return []
    const { sent, delivered, read, confirmed, unknown, failed } = countsOf(hash, channel)
    const people = sent + delivered + read + confirmed + unknown + failed
    return [{ channel, people, tookMs: Math.max(0, Number(settled) - Number(hash.due)) }]
  })
}
