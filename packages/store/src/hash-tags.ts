/**
 * The hash tags of shards and of buckets of people: what stands in braces in a key and decides where a cluster puts it.
 * Tag i of n lies near slot (i + ½) · 16384 / n, so that masters with equal ranges of slots get equal numbers of them.
 * The number of a shard would not do as its tag: of `00` … `15` three masters get 8 : 4 : 4. Fixed for good, like the data.
 */
import { shardName } from '@courier-fleet/api-types'

// both made by chosenTags() of ../test/chosen-tags.ts
export const shardTags: readonly string[] = 'u0 qp dj wz d2 pv uh iy ly h9 uv q6 rz qn dt ha'.split(' ')
export const bucketTags: readonly string[] = 'pel piy pt6 ppv p0f p3r pe4 pat p0x p48 p9s paj per pa2 p8u pph'.split(
  ' ',
)

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

/** People lie in so many buckets: what is known of one person lies in one slot, and thousands are read with a command each. */
export const personBuckets = bucketTags.length

/** The bucket of a person, from 0: FNV-1a, for ids that differ in their last digit only must not share one. */
export function bucketOf(person: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < person.length; i += 1) hash = Math.imul(hash ^ person.charCodeAt(i), 0x01000193)
  return ((hash >>> 16) ^ hash) & (personBuckets - 1)
}
