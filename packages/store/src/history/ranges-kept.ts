/** How the ranges have held that were stated for the end of somebody's last messages. */
import type { Plan } from '@courier-fleet/api-types'
import type { Redis } from '../connection/client.ts'
import { keys } from '../keys.ts'
import { listNewest } from './list-newest.ts'

export interface RangesKept {
  /** messages that have ended of which a range was stated */
  readonly of: number
  /** that ended within it */
  readonly within: number
}

/** messages that are looked at */
const newest = 100

export async function rangesKept(
  deps: { readonly redis: Redis; readonly shards: number },
  sender: string,
): Promise<RangesKept> {
  const { found } = await listNewest(deps, sender, Number.MAX_SAFE_INTEGER, newest)
  const fields = await Promise.all(
    found.slice(0, newest).map(({ ref }) => deps.redis.hmget(keys.history(ref), 'plan', 'settled', 'cancelled')),
  )
  const kept = fields.flatMap(([plan, settled, cancelled]) => isWithin({ plan, settled, cancelled }) ?? [])
  return { of: kept.length, within: kept.filter((each) => each).length }
}

interface Ended {
  readonly plan?: string | null | undefined
  readonly settled?: string | null | undefined
  readonly cancelled?: string | null | undefined
}

/** Whether it ended within the range that was stated; undefined where none was, before its end, and where it was cancelled. */
export function isWithin({ plan, settled, cancelled }: Ended): boolean | undefined {
  const finish = plan ? (JSON.parse(plan) as Plan).forecast?.finish : undefined
  if (!finish || !settled || cancelled) return undefined
  return Number(settled) >= Date.parse(finish.from) && Number(settled) <= Date.parse(finish.to)
}
