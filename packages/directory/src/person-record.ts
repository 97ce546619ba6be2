import { bucketOf, defineScript, keys, numberReply, type Redis, tagOfBucket } from '@courier-fleet/store'
import type { Person, PersonInFull } from './directory.ts'
import { readFields } from './person-fields.ts'

type Fields = NonNullable<PersonInFull['fields']>
type PersonRecord = readonly [name: string, role: string, timeZone: string, language: string, fields?: Fields]

/** As one hash field holds it: JSON `[name, role, timeZone, language, fields]`, without fields where there are none. */
export function writePerson({ name, role, timeZone, language, fields = {} }: PersonInFull): string {
  const names = Object.keys(fields).sort()
  const sorted = Object.fromEntries(names.map((field) => [field, fields[field] as string]))
  const record: PersonRecord = [name, role, timeZone, language]
  return JSON.stringify(names.length > 0 ? [...record, sorted] : record)
}

/** The name stands first, and seldom has a character in it that JSON writes otherwise: pages of thousands ask for nothing else. */
export function nameInRecord(text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  const name = text.slice(2, text.indexOf('"', 2))
  return name.includes('\\') ? (JSON.parse(text) as PersonRecord)[0] : name
}

/** As writePerson() has written it. */
export function readInFull(id: string, text: string): PersonInFull {
  const [name, role, timeZone, language, fields] = JSON.parse(text) as PersonRecord
  return { id, name, role, timeZone, language, ...(fields ? { fields } : {}) }
}

function readPerson(id: string, text: string): Person {
  const { fields: _fields, ...person } = readInFull(id, text)
  return person
}

const putScript = defineScript('put-people', { keys: ['people'], args: ['tag'], reply: numberReply })

/** A call a bucket. */
export async function putRecords(redis: Redis, people: readonly PersonInFull[]): Promise<void> {
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

export async function findPerson(redis: Redis, id: string): Promise<PersonInFull | undefined> {
  const text = await redis.hget(keys.people(bucketOf(id)), id)
  return text === null ? undefined : readInFull(id, text)
}

/** In order; undefined for who is unknown. */
export async function findPeople(redis: Redis, ids: readonly string[]): Promise<(Person | undefined)[]> {
  return findWith(redis, ids, readPerson)
}

/** In order; undefined for who is unknown. */
export async function readNames(redis: Redis, ids: readonly string[]): Promise<(string | undefined)[]> {
  const texts = await readFields(redis, ids, keys.people)
  return texts.map((text) => nameInRecord(text ?? undefined))
}

export async function findInFull(redis: Redis, ids: readonly string[]): Promise<(PersonInFull | undefined)[]> {
  return findWith(redis, ids, readInFull)
}

async function findWith<T>(redis: Redis, ids: readonly string[], read: (id: string, text: string) => T) {
  const texts = await readFields(redis, ids, keys.people)
  return texts.map((text, position) => (text === null ? undefined : read(ids[position] as string, text)))
}

export function samePerson(one: PersonInFull, other: PersonInFull): boolean {
  return writePerson(one) === writePerson(other)
}
