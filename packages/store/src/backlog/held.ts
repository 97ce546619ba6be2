/** Who waits for a later wave, over all messages: by cause, and the first of them. */
import { refOfMember, shardNames, type WaveCause } from '@courier-fleet/api-types'
import type { Redis } from '../connection/client.ts'
import { keys } from '../keys.ts'

export interface HeldPeople {
  readonly people: Partial<Record<WaveCause, number>>
  /** Unix ms; absent when nobody waits */
  readonly firstMs?: number
  /** there are more waves than were looked at */
  readonly isMore: boolean
}

/** deliveries of a shard that are looked at, soonest first */
const maxDeliveries = 1_000

/** @param causes of these alone; of all when absent */
export async function readHeld(redis: Redis, shards: number, causes?: readonly WaveCause[]): Promise<HeldPeople> {
  const all = await Promise.all(shardNames(shards).map((shard) => wavesOf(redis, shard)))
  const found = all.map(({ waves, isMore }) => ({
    waves: waves.filter(({ cause }) => causes?.includes(cause) ?? true),
    isMore,
  }))
  const people: Partial<Record<WaveCause, number>> = {}
  for (const { waves } of found) for (const wave of waves) people[wave.cause] = (people[wave.cause] ?? 0) + wave.people
  const times = found.flatMap(({ waves }) => waves.map(({ dueMs }) => dueMs))
  const first = times.length === 0 ? {} : { firstMs: Math.min(...times) }
  return { people, ...first, isMore: found.some(({ isMore }) => isMore) }
}

async function wavesOf(redis: Redis, shard: string) {
  const members = await redis.zrange(keys.due(shard), '0', `${maxDeliveries - 1}`)
  const later = members.map(waveIn).filter(({ wave }) => wave !== '0')
  const texts = await Promise.all(
    later.map(({ message, wave }) => redis.hget(keys.history(refOfMember(shard, message)), `wave:${wave}`)),
  )
  const waves = texts.flatMap((text) => {
    const [, cause, dueMs, people] = text?.split(' ') ?? []
    return cause === undefined ? [] : [{ cause: cause as WaveCause, dueMs: Number(dueMs), people: Number(people) }]
  })
  return { waves, isMore: members.length === maxDeliveries }
}

/** `<sender>:<id>:<wave>` */
function waveIn(member: string) {
  const at = member.lastIndexOf(':')
  return { message: member.slice(0, at), wave: member.slice(at + 1) }
}
