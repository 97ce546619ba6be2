/** People in the order of their ids, a page at a time, from the indexes of all buckets, each of which is in order. */
import { everyBucket, keys, personBuckets, type Redis } from '@courier-fleet/store'
import type { Person } from './directory.ts'
import { findPeople } from './person-record.ts'

/** of a bucket beyond its even share: hardly a page needs a second look */
const spare = 8

/** @param after an id; empty from the beginning */
export async function listPeople(redis: Redis, after: string, limit: number): Promise<Person[]> {
  const people: Person[] = []
  let from = after
  while (people.length < limit) {
    const ids = await idsAfter(redis, from, limit - people.length)
    const last = ids.at(-1)
    if (last === undefined) break
    // an index entry without a record is a put that has not come to its end: passed over
    for (const person of await findPeople(redis, ids)) if (person) people.push(person)
    from = last
  }
  return people
}

/** The next ids, in order: `max` at most, at least one where there are any. */
async function idsAfter(redis: Redis, after: string, max: number): Promise<string[]> {
  const share = Math.ceil(max / personBuckets()) + spare
  const start = after === '' ? '-' : `(${after}`
  const found = await Promise.all(
    everyBucket((bucket) => redis.zrange(keys.personIds(bucket), start, '+', 'BYLEX', 'LIMIT', 0, share)),
  )
  // beyond the last id of a bucket that has more, another of it may be the next
  const known = found.flatMap((ids) => (ids.length === share ? [ids.at(-1) as string] : []))
  const bound = known.length > 0 ? known.reduce((least, id) => (id < least ? id : least)) : undefined
  const sure = found.flat().filter((id) => bound === undefined || id <= bound)
  return sure.sort().slice(0, max)
}
