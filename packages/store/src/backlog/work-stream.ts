/** What one work stream of a channel holds: entries nobody has claimed, and claims that nobody keeps alive. */
import type { MessageClass } from '@courier-fleet/api-types'
import type { Redis } from '../connection/client.ts'
import { keys } from '../keys.ts'
import { addedAt, groupOf, leftClaims } from './stream-group.ts'

export interface WorkFigures {
  /** entries nobody of the channel has claimed */
  readonly unclaimed: number
  /** when the first entry nobody has claimed was added, Unix ms by Redis's clock; Infinity when none waits */
  readonly oldestAt: number
  readonly inProgress: number
  readonly abandoned: number
  /** since the longest abandoned claim was last renewed; 0 when there is none */
  readonly longestAbandonedMs: number
}

/** An entry leaves the stream when its claim is finished: what is there and not claimed waits. */
export async function readWorkStream(
  redis: Redis,
  { shard, channel, cls, leaseMs }: { shard: string; channel: string; cls: MessageClass; leaseMs: number },
): Promise<WorkFigures> {
  const stream = keys.work(shard, channel, cls)
  const [length, group] = await Promise.all([redis.xlen(stream), groupOf(redis, stream, channel)])
  const pending = group?.pending ?? 0
  const [left, unread] = await Promise.all([
    pending === 0 ? { count: 0, longestMs: 0 } : leftClaims(redis, stream, channel, leaseMs),
    length === 0 ? [] : redis.xrange(stream, `(${group?.lastDelivered ?? '0-0'}`, '+', 'COUNT', 1),
  ])
  const oldest = unread[0]?.[0]
  return {
    unclaimed: Math.max(0, length - pending),
    oldestAt: oldest === undefined ? Number.POSITIVE_INFINITY : addedAt(oldest),
    inProgress: Math.max(0, pending - left.count),
    abandoned: left.count,
    longestAbandonedMs: left.longestMs,
  }
}
