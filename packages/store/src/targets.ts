/**
 * Where the couriers of each channel send to: to the real service, or to the sandbox, which anybody here may read. The one that
 * started last has said so; it is known while none runs, too, until the channel is retired.
 */
import type { Redis } from './connection/client.ts'
import { keys } from './keys.ts'

export type Target = 'sandbox' | 'real'

export async function noteTarget(redis: Redis, channel: string, target: Target): Promise<void> {
  await redis.hset(keys.targets, channel, target)
}

export async function forgetTarget(redis: Redis, channel: string): Promise<void> {
  await redis.hdel(keys.targets, channel)
}

/** @returns channels of which a courier has ever started, and where it sends to */
export async function readTargets(redis: Redis): Promise<ReadonlyMap<string, Target>> {
  return new Map(Object.entries(await redis.hgetall(keys.targets)) as [string, Target][])
}
