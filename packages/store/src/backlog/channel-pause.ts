/** An operator's pause of a channel: its couriers claim nothing until it is resumed. A provider's pause of an account is the pacer's. */

import type { Redis } from '../connection/client.ts'
import { redisNow } from '../connection/client.ts'
import { markDirty } from '../dirty.ts'
import { hints, keys } from '../keys.ts'

export interface ChannelPause {
  readonly by: string
  /** Unix ms */
  readonly sinceMs: number
}

export async function readPause(redis: Redis, channel: string): Promise<ChannelPause | undefined> {
  const text = await redis.get(keys.channelPause(channel))
  const [since, by] = text?.split(' ') ?? []
  return by === undefined ? undefined : { by, sinceMs: Number(since) }
}

/** @returns the pause there is: the first, when it is paused already */
export async function pauseChannel(redis: Redis, channel: string, by: string): Promise<ChannelPause> {
  const sinceMs = Math.floor((await redisNow(redis, keys.channelPause(channel))) / 1000) * 1000
  await redis.set(keys.channelPause(channel), `${sinceMs} ${by}`, 'NX')
  await redis.spublish(hints.settings, '')
  await markDirty(redis, 'channel', [channel])
  return (await readPause(redis, channel)) ?? { by, sinceMs }
}

/** Fine when it is not paused. */
export async function resumeChannel(redis: Redis, channel: string): Promise<void> {
  await redis.del(keys.channelPause(channel))
  await redis.spublish(hints.settings, '')
  await markDirty(redis, 'channel', [channel])
}
