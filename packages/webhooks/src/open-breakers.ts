/**
 * Which endpoints of a channel are left alone, or off: for operators, who cannot name each. Breakers lie in slots of their own, so this list is
 * written after them, by whoever has opened one, and says `<endpoint> <since when it is open>`: one that opens again is another line. A crash leaves
 *
 *   opened, not listed            one that is not seen until its next probe fails
 *   closed, or gone, still listed  a line that whoever reads the list takes out: by its time it is none of a later opening
 */
import { keys, type Redis, redisNow } from '@courier-fleet/store'
import { type BreakerView, viewOf } from './breaker-view.ts'

/** More are not listed: the oldest are left out. */
const maxListed = 500

/** A breaker that is open or off, and where its endpoint is; whose it is, is not kept with it. */
export interface OpenBreaker extends Pick<BreakerView, 'said' | 'nextMs'> {
  readonly host: string
  readonly state: 'open' | 'off'
  /** since when it is open; of one that is off since when it is that */
  readonly sinceMs: number
}

export interface OpenBreakers {
  readonly asOfMs: number
  /** the latest first */
  readonly breakers: readonly OpenBreaker[]
  /** there may be more */
  readonly isMore: boolean
}

export async function listOpen(redis: Redis, channel: string, endpoint: string, openedMs: number): Promise<void> {
  const list = keys.openBreakers(channel)
  await Promise.all([
    redis.zadd(list, openedMs, `${endpoint} ${openedMs}`),
    redis.zremrangebyrank(list, 0, -1 - maxListed),
  ])
}

export async function readOpenBreakers(redis: Redis, channel: string): Promise<OpenBreakers> {
  const list = keys.openBreakers(channel)
  const [nowMs, listed] = await Promise.all([redisNow(redis, list), redis.zrevrange(list, 0, -1)])
  const read = await Promise.all(listed.map((line) => openOf(redis, channel, line, nowMs)))
  const over = listed.filter((_, at) => read[at] === undefined)
  if (over.length > 0) await redis.zrem(list, ...over)
  return { asOfMs: nowMs, breakers: read.flatMap((each) => each ?? []), isMore: listed.length >= maxListed }
}

/** @returns undefined for a line that is over */
async function openOf(redis: Redis, channel: string, line: string, nowMs: number): Promise<OpenBreaker | undefined> {
  const [endpoint = '', opened] = line.split(' ')
  const fields = await redis.hgetall(keys.breaker(channel, endpoint))
  if (fields.opened !== opened) return undefined
  const { state, said, nextMs, sinceMs = Number(opened) } = viewOf(fields, nowMs)
  if (state === 'closed') return undefined
  return {
    host: fields.host ?? '',
    state,
    sinceMs,
    ...(said === undefined ? {} : { said }),
    ...(nextMs === undefined ? {} : { nextMs }),
  }
}
