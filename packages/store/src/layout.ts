/** What is in Redis has a number: whoever reads it another way than it was written would lose or repeat messages. */
import { maxShards } from '@courier-fleet/api-types'
import { type Env, field, optional, readSettings } from '@courier-fleet/process'
import { fixBuckets } from './buckets.ts'
import { isCluster, type Redis } from './connection/client.ts'
import { readShards } from './growth.ts'
import { keys } from './keys.ts'
import { fixLaying } from './laying.ts'

/** Raised with every change of keys or their contents that another version could not read; told in CHANGELOG.md. */
export const layout = 5
/** of a fleet whose shards have grown: a version that knows nothing of that would not look where things were laid before */
export const grownLayout = 6
/** the number of the data that were written before there were numbers */
const unnumberedLayout = 1

/**
 * In how many parts messages and people are cut where nobody has said. A part is in one place: on a cluster there have to be many more than
 * masters, on one Redis every part costs a look each second.
 */
const parts = { onOne: { shards: 16, buckets: 16 }, onCluster: { shards: 64, buckets: 256 } } as const

/** SHARDS: counts for whoever starts a fleet first. */
export function wantedShards(env: Env): number | undefined {
  const right = `16, 64 or ${maxShards}`
  const fields = {
    SHARDS: optional(field(right, (text) => [16, 64, maxShards].find((number) => String(number) === text))),
  }
  return readSettings(env, fields).SHARDS
}

/**
 * Fixes the layout and the numbers of shards and of buckets where nobody has yet.
 * @param wanted a power of two
 * @returns the number of shards
 * @throws Error in one line when Redis holds data of another layout
 */
export async function joinFleet(redis: Redis, wanted?: number): Promise<number> {
  const [found, known] = await redis.hmget(keys.fleet, 'layout', 'shards')
  const isEmpty = found === null && known === null
  if (!isEmpty) refuseOther(Number(found ?? unnumberedLayout))
  await redis.hsetnx(keys.fleet, 'layout', layout)
  refuseOther(Number(await redis.hget(keys.fleet, 'layout')))
  const first = isCluster(redis) ? parts.onCluster : parts.onOne
  await redis.hsetnx(keys.fleet, 'shards', wanted ?? first.shards)
  await redis.hsetnx(keys.fleet, 'buckets', first.buckets)
  fixBuckets(Number(await redis.hget(keys.fleet, 'buckets')))
  const fleet = await readShards(redis)
  fixLaying(fleet)
  return fleet.shards
}

function refuseOther(found: number): void {
  if (found === layout || found === grownLayout) return
  throw new Error(
    `Redis holds data of layout ${found}, and this version of courier-fleet needs layout ${layout} or ${grownLayout}: run the version that ` +
      'wrote them, or give this one an empty Redis (npm start keeps its own in the folder .data/redis)',
  )
}
