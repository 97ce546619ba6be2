import type { Role } from '@courier-fleet/api-types'
import { bucketOf, keys } from '@courier-fleet/store'
import type { Redis } from 'ioredis'
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
