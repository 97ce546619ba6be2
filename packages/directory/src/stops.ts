/** A STOP of somebody who has no contact on the channel any more; the contact says so where they have one (lib/contact.lua). */
import { bucketOf, keys, type Redis } from '@courier-fleet/store'
import type { ContactStore } from './contact-store.ts'
import type { Directory } from './directory.ts'

export interface Stops extends Pick<Directory, 'stopsOf'> {
  /** of somebody who is removed */
  forgetStops(person: string): Promise<void>
  /** Of somebody who comes back, before their contacts do, which take them up. Safe to repeat. */
  restoreStops(person: string, stops: Readonly<Record<string, number>>): Promise<void>
}

interface StopsDeps {
  readonly redis: Redis
  readonly store: Pick<ContactStore, 'get'>
}

export function createStops({ redis, store }: StopsDeps): Stops {
  const keyOf = (channel: string, person: string) => keys.stops(bucketOf(person), channel)

  return {
    async stopsOf(person) {
      const channels = (await redis.smembers(keys.contactChannels)).sort()
      const since = await Promise.all(channels.map((channel) => redis.hget(keyOf(channel, person), person)))
      const said = channels.map((channel, index) => [channel, since[index]] as const)
      return Object.fromEntries(said.flatMap(([channel, at]) => (at ? [[channel, Number(at)]] : [])))
    },

    async forgetStops(person) {
      const channels = await redis.smembers(keys.contactChannels)
      await Promise.all(channels.map((channel) => redis.hdel(keyOf(channel, person), person)))
    },

    async restoreStops(person, stops) {
      for (const [channel, since] of Object.entries(stops))
        if (!(await store.get(channel, person))) await redis.hset(keyOf(channel, person), person, since)
    },
  }
}
