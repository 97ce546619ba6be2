/** What has come due and nobody has woken. */
import type { Redis } from '../connection/client.ts'
import { keys } from '../keys.ts'

export interface Overdue {
  readonly deliveries: number
  /** how late the earliest of them is; 0 when there is none */
  readonly oldestMs: number
}

/** Of one shard. @param nowMs Redis's clock, by which deliveries are woken */
export async function readOverdue(redis: Redis, shard: string, nowMs: number): Promise<Overdue> {
  const due = keys.due(shard)
  const [deliveries, head] = await Promise.all([
    redis.zcount(due, '-inf', `(${nowMs}`),
    redis.zrangebyscore(due, '-inf', '+inf', 'WITHSCORES', 'LIMIT', 0, 1),
  ])
  return { deliveries, oldestMs: deliveries === 0 ? 0 : Math.max(0, nowMs - Number(head[1] ?? nowMs)) }
}
