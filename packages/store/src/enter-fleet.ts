/** How every process that uses Redis begins: it reaches Redis, and knows the fleet's numbers and settings before it does anything. */
import type { Env, Log } from '@courier-fleet/process'
import { checkRedis } from './connection/check.ts'
import type { Redis } from './connection/client.ts'
import { reachRedis, tellOutages } from './connection/reach.ts'
import { whenServed } from './connection/served.ts'
import { type Durability, type DurabilityLevel, startDurability } from './durability/durability.ts'
import { endThisProcess, followShards } from './growth.ts'
import { joinFleet, wantedShards } from './layout.ts'
import { firstSettings } from './settings/first-settings.ts'
import { type LiveSettings, startLiveSettings } from './settings/live-settings.ts'
import type { Subscriber } from './subscriber/subscriber.ts'

interface EnterDeps {
  readonly url: string
  /** both to this URL, and not connected yet */
  readonly redis: Redis
  readonly subscriber: Subscriber
  /** undefined: by what Redis is; `master` for whoever confirms nothing */
  readonly level: DurabilityLevel | undefined
  /** of the process */
  readonly name: string
  readonly env: Env
  readonly log: Log
}

export interface Entered {
  readonly shards: number
  readonly durability: Durability
  readonly settings: LiveSettings
  /** From now on what changes in the fleet is not followed. */
  unfollow(): void
  /** Ends both connections; nothing may be under way. */
  close(): void
}

/**
 * A fail-over is waited for, whenever it begins.
 * @throws Error in one line: Redis cannot be reached, is none to work with, or holds what does not go with this version or environment
 */
export async function enterFleet({ url, redis, subscriber, level, name, env, log }: EnterDeps): Promise<Entered> {
  const wanted = wantedShards(env)
  const first = firstSettings(env)
  await reachRedis(log, redis)
  tellOutages(redis, log)
  await whenServed(redis, log, () => checkRedis(redis, log))
  const shards = await whenServed(redis, log, () => joinFleet(redis, wanted))
  const following = { redis, subscriber, log, onOutgrown: endThisProcess }
  const unfollowShards = await whenServed(redis, log, () => followShards(following))
  // of a master that is away it says so when it is asked
  const durability = await startDurability({ url, redis, level, name })
  const settings = await whenServed(redis, log, () => startLiveSettings({ redis, subscriber, first, log }))
  return {
    shards,
    durability,
    settings,
    unfollow() {
      settings.stop()
      unfollowShards()
    },
    close() {
      durability.stop()
      redis.disconnect()
      subscriber.disconnect()
    },
  }
}
