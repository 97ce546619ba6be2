/** What is kept of people by bucket, read of many at once: thousands with a handful of commands. */
import { bucketOf, type Redis } from '@courier-fleet/store'

/** Most people to ask for in one command: Redis does nothing else meanwhile. */
const maxPeopleAsked = 1000

/** @returns of each of these people, in order, what `read` gives for those of a bucket, in theirs */
export async function readByBucket<T>(
  people: readonly string[],
  read: (bucket: number, some: string[]) => Promise<readonly T[]>,
): Promise<readonly T[]> {
  const [first] = people
  // nearly all messages are for one person
  if (first !== undefined && people.length === 1) return read(bucketOf(first), [first])
  const positionsOf = new Map<number, number[]>()
  for (let position = 0; position < people.length; position += 1) {
    const bucket = bucketOf(people[position] as string)
    const positions = positionsOf.get(bucket)
    if (positions) positions.push(position)
    else positionsOf.set(bucket, [position])
  }
  const found = new Array<T>(people.length)
  async function readSome(bucket: number, positions: readonly number[]): Promise<void> {
    const some = await read(
      bucket,
      positions.map((position) => people[position] as string),
    )
    for (let index = 0; index < some.length; index += 1) found[positions[index] as number] = some[index] as T
  }
  const reads: Promise<void>[] = []
  for (const [bucket, positions] of positionsOf)
    for (let from = 0; from < positions.length; from += maxPeopleAsked)
      reads.push(readSome(bucket, positions.slice(from, from + maxPeopleAsked)))
  await Promise.all(reads)
  return found
}

/** @returns of each of these people, in order, the field of the hash that `keyOf` names of their bucket; null where there is none */
export const readFields = (
  redis: Redis,
  people: readonly string[],
  keyOf: (bucket: number) => string,
): Promise<readonly (string | null)[]> => readByBucket(people, (bucket, some) => redis.hmget(keyOf(bucket), ...some))
