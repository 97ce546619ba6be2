/**
 * The hash tags of the shards: what stands in braces in every key of a shard's messages, and decides where a cluster puts it.
 * Shard i of n lies near slot (i + ½) · 16384 / n, so that masters with equal ranges of slots get equal numbers of shards.
 * The number of a shard would not do as its tag: of `00` … `15` three masters get 8 : 4 : 4. Fixed for good, like the data.
 */
import { shardName } from '@courier-fleet/api-types'

// chosenTags() of ../test/chosen-tags.ts
export const shardTags: readonly string[] = 'u0 qp dj wz d2 pv uh iy ly h9 uv q6 rz qn dt ha'.split(' ')

const tagByShard = new Map(shardTags.map((tag, index) => [shardName(index), tag]))
const shardByTag = new Map(shardTags.map((tag, index) => [tag, shardName(index)]))

/** @throws RangeError when there is no such shard */
export function tagOf(shard: string): string {
  const tag = tagByShard.get(shard)
  if (tag === undefined) throw new RangeError(`there is no shard "${shard}"`)
  return tag
}

/** The shard that an event or a key of Redis speaks of; undefined when it is no shard's tag. */
export function shardOfTag(tag: string): string | undefined {
  return shardByTag.get(tag)
}
