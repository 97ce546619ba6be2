/** What has happened in the fleet and is over, for operators who look later: noted by the timekeeper that watches; nothing is decided by it. */
import type { FleetHappened } from '@courier-fleet/api-types'
import type { Redis } from './connection/client.ts'
import { keys } from './keys.ts'

export interface Happened {
  readonly what: FleetHappened
  /** of a process, a channel or an alarm its name; empty of Redis */
  readonly of: string
  /** since when it was so, Unix ms: of a process its last sign of life, else when it began */
  readonly since: number
}

export interface NotedHappened extends Happened {
  /** when it was noticed, Unix ms */
  readonly at: number
}

const maxKept = 1_000

export async function noteHappened(redis: Redis, { what, of, since }: Happened): Promise<void> {
  await redis.xadd(keys.happened, 'MAXLEN', '~', maxKept, '*', 'what', what, 'of', of, 'since', since)
}

/** The latest, oldest first: so many at most, of those noticed since then, Unix ms. */
export async function readHappened(redis: Redis, sinceMs: number, count: number): Promise<NotedHappened[]> {
  const entries = await redis.xrevrange(keys.happened, '+', sinceMs, 'COUNT', count)
  return entries.reverse().map(([entry, flat]) => {
    const [, what, , of = '', , since] = flat
    return { at: Number(entry.split('-', 1)[0]), what: what as FleetHappened, of, since: Number(since) }
  })
}
