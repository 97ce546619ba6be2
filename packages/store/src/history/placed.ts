/** Where a history lies that a repeated call must find: where it was laid, also before the shards grew; else where it is laid now. */
import type { HistoryRef } from '@courier-fleet/api-types'
import type { Redis } from '../connection/client.ts'
import { keys, placesOf } from '../keys.ts'
import type { Place } from '../laying.ts'

export interface Placed {
  readonly ref: HistoryRef
  /** by so many shards; put() wants it back */
  readonly laidBy: number
}

interface PlacedDeps {
  readonly redis: Redis
  readonly shards: number
}

const at = ({ shard, laidBy }: Place, sender: string, id: string): Placed => ({ ref: { shard, sender, id }, laidBy })

/** @param together as newHistoryRef() has it */
export async function placeHistory(
  { redis, shards }: PlacedDeps,
  sender: string,
  id: string,
  together = id,
): Promise<Placed> {
  const [now, ...before] = placesOf(together, shards)
  const found = await Promise.all(before.map((place) => wasAccepted(redis, at(place, sender, id).ref)))
  return at(before[found.indexOf(true)] ?? (now as Place), sender, id)
}

/**
 * Of a reminder; those of one person lie in one shard.
 * @param about `<person>:<thing>`
 * @param idAfter the id, by that of the latest about it, cancelled or not; empty where there was none
 */
export async function placeReminder(
  { redis, shards }: PlacedDeps,
  sender: string,
  about: string,
  idAfter: (latest: string) => string,
): Promise<Placed> {
  const person = about.slice(0, about.indexOf(':'))
  const places = placesOf(person, shards)
  const latest = await Promise.all(places.map(({ shard }) => redis.get(keys.about(shard, sender, about))))
  const id = idAfter(latest.find((known) => known !== null) ?? '')
  const [now, ...before] = places
  const found = await Promise.all(
    before.map(async (place) => {
      const { ref } = at(place, sender, id)
      return (await wasAccepted(redis, ref)) || (await standingReminder(redis, ref, about)) !== undefined
    }),
  )
  return at(before[found.indexOf(true)] ?? (now as Place), sender, id)
}

/** The reminder of this sender about it, in this shard, unless it was cancelled. */
export async function standingReminder(redis: Redis, like: HistoryRef, about: string): Promise<HistoryRef | undefined> {
  const id = await redis.get(keys.about(like.shard, like.sender, about))
  if (id === null) return undefined
  const [state, cancelled] = await redis.hmget(keys.history({ ...like, id }), 'state', 'cancelled')
  return state && !cancelled ? { ...like, id } : undefined
}

const wasAccepted = async (redis: Redis, ref: HistoryRef) => (await redis.hexists(keys.history(ref), 'digest')) === 1
