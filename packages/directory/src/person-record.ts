import type { Role } from '@courier-fleet/api-types'
import { bucketOf, defineScript, keys, numberReply, type Redis, tagOfBucket } from '@courier-fleet/store'
import type { Person } from './directory.ts'
import { readFields } from './person-fields.ts'

type PersonRecord = readonly [name: string, role: Role, timeZone: string, language: string]

/** As one hash field holds it: JSON `[name, role, timeZone, language]`. */
export function writePerson({ name, role, timeZone, language }: Person): string {
  return JSON.stringify([name, role, timeZone, language] satisfies PersonRecord)
}

function readPerson(id: string, text: string): Person {
  const [name, role, timeZone, language] = JSON.parse(text) as PersonRecord
  return { id, name, role, timeZone, language }
}

const putScript = defineScript('put-people', { keys: ['people'], args: ['tag'], reply: numberReply })

/** A call a bucket. */
export async function putRecords(redis: Redis, people: readonly Person[]): Promise<void> {
  const ofBuckets = new Map<number, string[]>()
  for (const person of people) {
    const bucket = bucketOf(person.id)
    const pairs = ofBuckets.get(bucket) ?? []
    ofBuckets.set(bucket, pairs)
    pairs.push(person.id, writePerson(person))
  }
  await Promise.all([...ofBuckets].map(([bucket, pairs]) => writeRecords(redis, bucket, pairs)))
}

/** @returns whether there was one */
export async function removeRecord(redis: Redis, id: string): Promise<boolean> {
  return (await writeRecords(redis, bucketOf(id), [id, ''])) === 1
}

const writeRecords = (redis: Redis, bucket: number, pairs: readonly string[]) =>
  putScript(redis, { people: keys.people(bucket) }, { tag: tagOfBucket(bucket) }, pairs)

export async function findPerson(redis: Redis, id: string): Promise<Person | undefined> {
  const text = await redis.hget(keys.people(bucketOf(id)), id)
  return text === null ? undefined : readPerson(id, text)
}

/** In order; undefined for who is unknown. */
export async function findPeople(redis: Redis, ids: readonly string[]): Promise<(Person | undefined)[]> {
  const texts = await readFields(redis, ids, keys.people)
  return texts.map((text, position) => (text === null ? undefined : readPerson(ids[position] as string, text)))
}

export function samePerson(one: Person, other: Person): boolean {
  return writePerson(one) === writePerson(other)
}
