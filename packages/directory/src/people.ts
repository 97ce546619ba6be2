/** People: a record each, the index they are listed by, and a set for each role. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Role, roles } from '@courier-fleet/api-types'
import { keys } from '@courier-fleet/store'
import type { Redis } from 'ioredis'
import type { Contact, Directory, Person } from './directory.ts'
import { checkId, checkLanguage, checkName, checkRole, checkTimeZone } from './fields.ts'
import { readSet } from './sets.ts'

/** asked for in one turn: others are served in between */
const namesATurn = 200

type People = Pick<Directory, 'putPerson' | 'findPerson' | 'getPerson' | 'listPeople' | 'deletePerson' | 'namesOf'>

export interface PeopleDeps {
  readonly redis: Redis
  readonly contacts: {
    ofPerson(person: string): Promise<Record<string, Contact>>
    unlinkContact(channel: string, person: string): Promise<boolean>
  }
}

export function readPerson(id: string, record: Record<string, string>): Person | undefined {
  const { name, role, timeZone, language } = record
  if (name === undefined || role === undefined || timeZone === undefined || language === undefined) return undefined
  return { id, name, role: role as Role, timeZone, language }
}

export function samePerson(one: Person, other: Person): boolean {
  return (
    one.name === other.name &&
    one.role === other.role &&
    one.timeZone === other.timeZone &&
    one.language === other.language
  )
}

export function createPeople({ redis, contacts }: PeopleDeps): People {
  const read = async (id: string) => readPerson(id, await redis.hgetall(keys.person(id)))

  async function groupsOf(person: string): Promise<string[]> {
    const groups = [...(await readSet(redis, keys.groups))].sort()
    const within = await Promise.all(groups.map((group) => redis.sismember(keys.members(group), person)))
    return groups.filter((_, index) => within[index] === 1)
  }

  /** A command each, and one promise for all: those of thousands are what takes longest. @throws what the first was refused with */
  async function readNames(people: readonly string[]): Promise<(string | undefined)[]> {
    const replies = await redis.pipeline(people.map((id) => ['hget', keys.person(id), 'name'])).exec()
    return (replies ?? []).map(([error, name]) => {
      if (error) throw error
      return (name as string | null) ?? undefined
    })
  }

  return {
    /**
     * Order: index, role sets, record; so a record vouches for the rest.
     * @throws Problem 422 `bad-field`
     */
    async putPerson(input) {
      const person: Person = {
        id: checkId(input.id, 'id'),
        name: checkName(input.name, 'name'),
        role: checkRole(input.role, 'role'),
        timeZone: checkTimeZone(input.timeZone, 'timeZone'),
        language: checkLanguage(input.language, 'language'),
      }
      const { id, ...record } = person
      const before = await read(id)
      const others = roles.filter((role) => role !== person.role)
      await redis.zadd(keys.people, 0, id)
      await Promise.all([
        redis.sadd(keys.role(person.role), id),
        ...others.map((role) => redis.srem(keys.role(role), id)),
      ])
      await redis.hset(keys.person(id), record)
      if (!before) return 'created'
      return samePerson(before, person) ? 'unchanged' : 'updated'
    },

    findPerson: read,

    async getPerson(id) {
      const [person, addresses, groups] = await Promise.all([read(id), contacts.ofPerson(id), groupsOf(id)])
      return person && { ...person, contacts: addresses, groups }
    },

    async listPeople(after, limit) {
      const people: Person[] = []
      let from = after
      while (people.length < limit) {
        const missing = limit - people.length
        const ids = await redis.zrange(keys.people, from === '' ? '-' : `(${from}`, '+', 'BYLEX', 'LIMIT', 0, missing)
        const last = ids.at(-1)
        if (last === undefined) break
        // an index entry without a record is a put that has not come to its end: passed over
        for (const person of await Promise.all(ids.map(read))) if (person) people.push(person)
        from = last
      }
      return people
    },

    /** Order: contacts, groups, role sets, record, index. */
    async deletePerson(id) {
      for (const channel of Object.keys(await contacts.ofPerson(id))) await contacts.unlinkContact(channel, id)
      const groups = await readSet(redis, keys.groups)
      await Promise.all([...groups].map((group) => redis.srem(keys.members(group), id)))
      await Promise.all(roles.map((role) => redis.srem(keys.role(role), id)))
      const existed = await redis.del(keys.person(id))
      await redis.zrem(keys.people, id)
      return existed === 1
    },

    async namesOf(people) {
      const reading: Promise<(string | undefined)[]>[] = []
      for (let from = 0; from < people.length; from += namesATurn) {
        if (from > 0) await nextTurn()
        reading.push(readNames(people.slice(from, from + namesATurn)))
      }
      return (await Promise.all(reading)).flat()
    },
  }
}
