/** How many people wait for each channel: counted by the scripts that open and close receipts, in the same step. */
import { shardNames } from '@courier-fleet/api-types'
import type { Redis } from '../connection/client.ts'
import { keys } from '../keys.ts'

/** By channel; of one for which nobody waits nothing is said. Somebody with two messages waits twice. */
export async function readWaiting(redis: Redis, shards: number): Promise<Map<string, number>> {
  const hashes = await Promise.all(shardNames(shards).map((shard) => redis.hgetall(keys.waiting(shard))))
  return waitingOf(hashes.flatMap(Object.entries<string>))
}

/** By channel, of what all shards say. */
export function waitingOf(said: readonly (readonly [channel: string, people: string])[]): Map<string, number> {
  const people = new Map<string, number>()
  for (const [channel, count] of said) people.set(channel, (people.get(channel) ?? 0) + Number(count))
  return people
}
