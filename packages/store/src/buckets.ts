/**
 * People lie in buckets: what is known of one person lies in one slot, and thousands are read with a command each. How many there are is fixed
 * where a fleet starts first, and a process works for one fleet: joinFleet() says it here, and until then nobody can be found.
 */
import { tagOfBucket } from './hash-tags.ts'

let buckets: number | undefined

/** joinFleet() says it. A power of two. */
export function fixBuckets(number: number | undefined): void {
  buckets = number
}

/** @throws Error where this process has joined no fleet */
export function personBuckets(): number {
  if (buckets === undefined) throw new Error('joinFleet() comes first: how many buckets the people lie in is not known')
  return buckets
}

/** The bucket of a person, from 0: FNV-1a, for ids that differ in their last digit only must not share one. */
export function bucketOf(person: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < person.length; i += 1) hash = Math.imul(hash ^ person.charCodeAt(i), 0x01000193)
  return ((hash >>> 16) ^ hash) & (personBuckets() - 1)
}

/** What `of` gives for each bucket of this fleet. */
export const everyBucket = <T>(of: (bucket: number) => T): T[] =>
  Array.from({ length: personBuckets() }, (_unused, bucket) => of(bucket))

export const tagsOfBuckets = (): string[] => everyBucket(tagOfBucket)

/**
 * The bucket of a provider's message id, or of an address it writes to: one bucket in sixteen has some. A call takes those of one bucket, on one Redis all of them; and on a
 * cluster no node has to know all.
 */
export const bucketOfProviderId = (id: string): number => bucketOf(id) % (personBuckets() / 16)
