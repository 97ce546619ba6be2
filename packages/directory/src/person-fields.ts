/** What hashes of the buckets hold of people: a field a person. Thousands are read with a handful of commands. */
import { bucketOf, personBuckets, type Redis } from '@courier-fleet/store'

/** Most people to read in one command: Redis does nothing else meanwhile. */
const maxFieldsRead = 1000

/** @returns of each of these people, in order, the field of the hash that `keyOf` names of their bucket; null where there is none */
export async function readFields(
  redis: Redis,
  people: readonly string[],
  keyOf: (bucket: number) => string,
): Promise<(string | null)[]> {
  const positionsOf = Array.from({ length: personBuckets() }, (): number[] => [])
  for (let position = 0; position < people.length; position += 1)
    positionsOf[bucketOf(people[position] as string)]?.push(position)
  const fields = new Array<string | null>(people.length).fill(null)
  async function readSome(key: string, positions: readonly number[]): Promise<void> {
    const texts = await redis.hmget(key, ...positions.map((position) => people[position] as string))
    for (let index = 0; index < texts.length; index += 1) fields[positions[index] as number] = texts[index] ?? null
  }
  const reads: Promise<void>[] = []
  for (const [bucket, positions] of positionsOf.entries())
    for (let from = 0; from < positions.length; from += maxFieldsRead)
      reads.push(readSome(keyOf(bucket), positions.slice(from, from + maxFieldsRead)))
  await Promise.all(reads)
  return fields
}
