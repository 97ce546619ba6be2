/** People: a record each, the index they are listed by, and a set for each role. */
import { type MadeRole, Problem } from '@courier-fleet/api-types'
import { allOf } from '@courier-fleet/process'
import { bucketOf, keys, markDirty, type Redis, sharedRead } from '@courier-fleet/store'
import type { Directory, PersonInFull, PlainContact } from './directory.ts'
import { checkFields, checkId, checkLanguage, checkName, checkRole, checkTimeZone } from './fields.ts'
import { listPeople } from './list-people.ts'
import { findInFull, findPeople, findPerson, putRecords, readNames, removeRecord, samePerson } from './person-record.ts'
import type { RoleIndex } from './role-index.ts'
import { readSet } from './sets.ts'
import type { Stops } from './stops.ts'
import { leaveAllTopics } from './topics.ts'

type People = Pick<
  Directory,
  'putPerson' | 'findPerson' | 'findPeople' | 'findInFull' | 'getPerson' | 'listPeople' | 'deletePerson' | 'namesOf'
>

interface PeopleDeps {
  readonly redis: Redis
  readonly keptMs: () => number
  readonly roles: () => readonly MadeRole[]
  readonly roleIndex: Pick<RoleIndex, 'enter' | 'leave'>
  readonly contacts: {
    ofPerson(person: string): Promise<Record<string, PlainContact>>
    unlinkContact(channel: string, person: string): Promise<boolean>
  }
  readonly stops: Pick<Stops, 'forgetStops'>
  readonly topics: Pick<Directory, 'topicsOf'>
  readonly forgetWishes: (person: string) => Promise<void>
}

/** a message may be due, and expire, so far ahead; in that time it may name somebody who was removed */
const aheadMs = 2 * 366 * 86_400_000

export function createPeople({
  redis,
  contacts,
  stops,
  topics,
  forgetWishes,
  keptMs,
  roles,
  roleIndex,
}: PeopleDeps): People {
  const formerNameOf = async (id: string) => (await redis.get(keys.formerName(id))) ?? undefined

  return {
    /**
     * Order: index, role sets, record; so a record vouches for the rest.
     * @throws Problem 422 `bad-field`
     */
    async putPerson(input, { isReturning = false } = {}) {
      const person: PersonInFull = {
        id: checkId(input.id, 'id'),
        name: checkName(input.name, 'name'),
        role: checkRole(input.role, 'role', roles()),
        timeZone: checkTimeZone(input.timeZone, 'timeZone'),
        language: checkLanguage(input.language, 'language'),
        fields: checkFields(input.fields, 'fields'),
      }
      const { id } = person
      const bucket = bucketOf(id)
      const before = await findPerson(redis, id)
      if (!before && !isReturning && (await redis.sismember(keys.removedPeople(bucket), id)) === 1)
        throw removedPerson(id)
      await redis.zadd(keys.personIds(bucket), 0, id)
      await roleIndex.enter(person, before)
      await putRecords(redis, [person])
      if (isReturning) await redis.srem(keys.removedPeople(bucket), id)
      if (!before) return 'created'
      return samePerson(before, person) ? 'unchanged' : 'updated'
    },

    findPerson: sharedRead((id) => findPerson(redis, id)),

    findPeople: (ids) => findPeople(redis, ids),

    findInFull: (ids) => findInFull(redis, ids),

    async getPerson(id) {
      const [person, addresses, groups, within] = await Promise.all([
        findPerson(redis, id),
        contacts.ofPerson(id),
        groupsOf(redis, id),
        topics.topicsOf(id),
      ])
      return person && { ...person, contacts: addresses, groups, topics: within }
    },

    listPeople: (after, limit) => listPeople(redis, after, limit),

    /** Order: that the id is used up, what they were called, contacts, STOPs, wishes, groups, topics, role sets, record, index; last that it is free again. */
    async deletePerson(id, { isFreed = false } = {}) {
      const bucket = bucketOf(id)
      const person = await findPerson(redis, id)
      if (person) {
        await redis.sadd(keys.removedPeople(bucket), id)
        await redis.set(keys.formerName(id), person.name, 'PX', keptMs() + aheadMs)
      }
      for (const channel of Object.keys(await contacts.ofPerson(id))) await contacts.unlinkContact(channel, id)
      await stops.forgetStops(id)
      await forgetWishes(id)
      await redis.unlink(keys.waitingOnline(bucket, id), keys.online(bucket, id))
      const groups = await readSet(redis, keys.groups)
      const left = await Promise.all(
        [...groups].map(async (group) => ((await redis.srem(keys.members(group), id)) === 1 ? [group] : [])),
      )
      await markDirty(redis, 'group', left.flat())
      await leaveAllTopics(redis, id)
      await roleIndex.leave(id, person)
      const existed = await removeRecord(redis, id)
      await redis.zrem(keys.personIds(bucket), id)
      if (isFreed) await freeAgain(redis, id)
      return existed
    },

    namesOf: async (ids) => {
      const names = await readNames(redis, ids)
      return allOf(names.map((name, index) => name ?? formerNameOf(ids[index] as string)))
    },
  }
}

async function groupsOf(redis: Redis, person: string): Promise<string[]> {
  const groups = [...(await readSet(redis, keys.groups))].sort()
  const within = await Promise.all(groups.map((group) => redis.sismember(keys.members(group), person)))
  return groups.filter((_, index) => within[index] === 1)
}

async function freeAgain(redis: Redis, id: string): Promise<void> {
  await redis.unlink(keys.formerName(id))
  await redis.srem(keys.removedPeople(bucketOf(id)), id)
}

export function removedPerson(id: string): Problem {
  const detail = `"${id}" was somebody who was removed: take another id, or say that it is the same person (returning=true)`
  return new Problem(409, 'removed-person', detail, 'id')
}
