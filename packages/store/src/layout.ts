/** What is in Redis has a number: whoever reads it another way than it was written would lose or repeat messages. */
import { maxShards } from '@courier-fleet/api-types'
import type { Redis } from 'ioredis'
import { keys } from './keys.ts'

/** Raised with every change of keys or their contents that another version could not read; told in CHANGELOG.md. */
export const layout = 4
/** the number of the data that were written before there were numbers */
const unnumberedLayout = 1

/**
 * Fixes the layout and the number of shards where nobody has yet.
 * @returns the number of shards
 * @throws Error in one line when Redis holds data of another layout
 */
export async function joinFleet(redis: Redis, wantedShards = maxShards): Promise<number> {
  const [found, shards] = await redis.hmget(keys.fleet, 'layout', 'shards')
  const isEmpty = found === null && shards === null
  if (!isEmpty) refuseOther(Number(found ?? unnumberedLayout))
  await redis.hsetnx(keys.fleet, 'layout', layout)
  refuseOther(Number(await redis.hget(keys.fleet, 'layout')))
  await redis.hsetnx(keys.fleet, 'shards', wantedShards)
  return Number(await redis.hget(keys.fleet, 'shards'))
}

function refuseOther(found: number): void {
  if (found === layout) return
  throw new Error(
    `Redis holds data of layout ${found}, and this version of courier-fleet needs layout ${layout}: run the version that ` +
      'wrote them, or give this one an empty Redis (npm start keeps its own in the folder .data/redis)',
  )
}
