/** The channels that are known to the fleet, and putting one in use or out of it. */
import { shardNames } from '@courier-fleet/api-types'
import type { Redis } from '../connection/client.ts'
import { markDirty } from '../dirty.ts'
import { keys } from '../keys.ts'

/**
 * `in-use`: messages that name no channel are for it, too. `named`: a sender has named it, and no courier of it was ever started.
 * `retired`: an operator has taken it out of use.
 */
export type ChannelUse = 'in-use' | 'retired' | 'named'

/** the more a channel is used in any shard, the more it is used */
const uses: readonly ChannelUse[] = ['in-use', 'retired', 'named']

/** By name. */
export async function readChannels(redis: Redis, shards: number): Promise<Map<string, ChannelUse>> {
  const hashes = await Promise.all(shardNames(shards).map((shard) => redis.hgetall(keys.channels(shard))))
  return usesOf(hashes.flatMap(Object.entries<string>))
}

/** By name, of what all shards say. */
export function usesOf(said: readonly (readonly [channel: string, use: string])[]): Map<string, ChannelUse> {
  const found = new Map<string, ChannelUse>()
  for (const use of uses)
    for (const [channel, own] of said) if (own === use && !found.has(channel)) found.set(channel, use)
  return found
}

async function say(redis: Redis, shards: number, channel: string, use: ChannelUse): Promise<void> {
  await Promise.all(shardNames(shards).map((shard) => redis.hset(keys.channels(shard), channel, use)))
  await markDirty(redis, 'channel', [channel])
}

/** Puts a channel in use; its couriers do so when they start. */
export const useChannel = (redis: Redis, shards: number, channel: string): Promise<void> =>
  say(redis, shards, channel, 'in-use')

/**
 * Takes a channel out of use: messages that start from now on do not wait for it unless they name it. What waits for it stays
 * until it expires, or until a courier of the channel is started, which puts it in use again.
 */
export const retireChannel = (redis: Redis, shards: number, channel: string): Promise<void> =>
  say(redis, shards, channel, 'retired')
