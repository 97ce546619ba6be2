/** What is known of an endpoint, as somebody reads it. */
import { keys, type Redis, redisNow } from '@courier-fleet/store'

/** Whatever is called by URL is called over it. */
export const channel = 'http'

/** What an operator, or whoever owns it, sees of an endpoint. */
export interface BreakerView {
  /** absent where it was switched off before it was called */
  readonly said?: string
  readonly atMs?: number
  readonly state: 'closed' | 'open' | 'off'
  /** open: when it is called next; off: since when it is not */
  readonly sinceMs?: number
  readonly nextMs?: number
  /** of nothing but failures: since when */
  readonly failingSinceMs?: number
}

/** @returns what is known; undefined where that is nothing, as of one that nobody has called for a day */
export async function readBreaker(redis: Redis, endpoint: string): Promise<BreakerView | undefined> {
  const key = keys.breaker(channel, endpoint)
  const [nowMs, fields] = await Promise.all([redisNow(redis, key), redis.hgetall(key)])
  return fields.at === undefined && fields.off === undefined ? undefined : viewOf(fields, nowMs)
}

/** For how long nobody calls it from now on, by the clock that its breaker goes by, ms. */
export async function leftAloneMs(redis: Redis, endpoint: string): Promise<number> {
  const key = keys.breaker(channel, endpoint)
  const [nowMs, until] = await Promise.all([redisNow(redis, key), redis.hget(key, 'until')])
  return Math.max(0, Number(until ?? 0) - nowMs)
}

export function viewOf(fields: Readonly<Record<string, string>>, nowMs: number): BreakerView {
  const { said, at, off, until, step, since } = fields
  const isOpen = step !== undefined || Number(until ?? 0) > nowMs
  return {
    ...(said === undefined ? {} : { said }),
    ...(at === undefined ? {} : { atMs: Number(at) }),
    state: off ? 'off' : isOpen ? 'open' : 'closed',
    ...(off ? { sinceMs: Number(off) } : {}),
    ...(!off && isOpen ? { nextMs: Number(until) } : {}),
    ...(since ? { failingSinceMs: Number(since) } : {}),
  }
}
