/** What stands still while a slot of a cluster goes from one node to another key by key. */
import { shardNames } from '@courier-fleet/api-types'
import { personBuckets } from '../buckets.ts'
import { type Redis, slotOf } from '../connection/client.ts'
import { type SlotMove, slotMoves } from '../connection/moves.ts'
import { tagOf, tagOfBucket } from '../hash-tags.ts'

export interface Moving extends SlotMove {
  /** whose messages wait until it has arrived */
  readonly shards: readonly string[]
  /** whose people can be read meanwhile, and not changed */
  readonly buckets: readonly number[]
}

const slotOfTag = (tag: string) => slotOf(`{${tag}}`)

/** Those in which something lies that is written by scripts; of the rest nothing waits. */
export async function readMoving(redis: Redis, shards: number): Promise<Moving[]> {
  const buckets = Array.from({ length: personBuckets() }, (_unused, bucket) => bucket)
  const moves = (await slotMoves(redis)).map((move) => ({
    ...move,
    shards: shardNames(shards).filter((shard) => slotOfTag(tagOf(shard)) === move.slot),
    buckets: buckets.filter((bucket) => slotOfTag(tagOfBucket(bucket)) === move.slot),
  }))
  return moves.filter((move) => move.shards.length + move.buckets.length > 0)
}

/** For a log, and for whoever runs the fleet. */
export function movingText({ slot, from, to, shards, buckets }: Moving): string {
  const what = [
    ...shards.map((shard) => `messages of shard ${shard}`),
    ...buckets.map((bucket) => `changes of the people in bucket ${bucket}`),
  ]
  return `slot ${slot} of the Redis cluster moves from ${from} to ${to} key by key: ${what.join(' and ')} wait until it has arrived`
}
