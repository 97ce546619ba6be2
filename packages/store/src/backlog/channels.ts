/** The channels that are known to the fleet, and taking one out of use. */
import { shardNames } from '@courier-fleet/api-types'
import type { Redis } from 'ioredis'
import { keys } from '../keys.ts'

/** By name, whether it is in use: then messages that name no channel are for it, too. Others were named by a sender, or retired. */
export async function readChannels(redis: Redis, shards: number): Promise<Map<string, boolean>> {
  const found = new Map<string, boolean>()
  for (const known of await Promise.all(shardNames(shards).map((shard) => redis.hgetall(keys.channels(shard))))) {
    for (const [channel, inUse] of Object.entries(known)) found.set(channel, found.get(channel) || inUse === '1')
  }
  return found
}

/** Puts a channel in use; its couriers do so when they start. */
export async function useChannel(redis: Redis, shards: number, channel: string): Promise<void> {
  await Promise.all(shardNames(shards).map((shard) => redis.hset(keys.channels(shard), channel, 1)))
}

/**
 * Takes a channel out of use: messages that start from now on do not wait for it unless they name it. What waits for it stays
 * until it expires, or until a courier of the channel is started, which puts it in use again.
 */
export async function retireChannel(redis: Redis, shards: number, channel: string): Promise<void> {
  await Promise.all(shardNames(shards).map((shard) => redis.hset(keys.channels(shard), channel, 0)))
}
