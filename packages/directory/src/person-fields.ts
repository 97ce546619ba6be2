/** What hashes of the buckets hold of people: a field a person. Thousands are read with a handful of commands. */
import { bucketOf, personBuckets } from '@courier-fleet/store'
import type { Redis } from 'ioredis'

/** Most people to read in one command: Redis does nothing else meanwhile. */
const maxFieldsRead = 1000

/** @returns of each of these people, in order, the field of the hash that `keyOf` names of their bucket; null where there is none */
export async function readFields(
  redis: Redis,
  people: readonly string[],
  keyOf: (bucket: number) => string,
): Promise<(string | null)[]> {
  const placesOf = Array.from({ length: personBuckets }, (): number[] => [])
  for (let place = 0; place < people.length; place += 1) placesOf[bucketOf(people[place] as string)]?.push(place)
  const fields = new Array<string | null>(people.length).fill(null)
  async function readSome(key: string, places: readonly number[]): Promise<void> {
    const texts = await redis.hmget(key, ...places.map((place) => people[place] as string))
    for (let index = 0; index < texts.length; index += 1) fields[places[index] as number] = texts[index] ?? null
  }
  const reads: Promise<void>[] = []
  for (const [bucket, places] of placesOf.entries())
    for (let from = 0; from < places.length; from += maxFieldsRead)
      reads.push(readSome(keyOf(bucket), places.slice(from, from + maxFieldsRead)))
  await Promise.all(reads)
  return fields
}

/** Writes a field of each person, into the hash that is named beside it; a command a hash. */
export async function writeFields(
  redis: Redis,
  fields: Iterable<{ readonly key: string; readonly person: string; readonly text: string }>,
): Promise<void> {
  const byKey = new Map<string, string[]>()
  for (const { key, person, text } of fields) {
    const others = byKey.get(key)
    if (others) others.push(person, text)
    else byKey.set(key, [person, text])
  }
  await Promise.all([...byKey].map(([key, pairs]) => redis.hset(key, ...pairs)))
}
