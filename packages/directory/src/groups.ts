/** Groups of people. The index is written before the record and removed after it: a record vouches for its index. */

import { Problem } from '@courier-fleet/api-types'
import { keys, markDirty, type Redis } from '@courier-fleet/store'
import type { Directory, Group } from './directory.ts'
import { checkId, checkName } from './fields.ts'
import { findPeople } from './person-record.ts'
import { piecesOf, readSet } from './sets.ts'

type Groups = Pick<
  Directory,
  'putGroup' | 'getGroup' | 'listGroups' | 'deleteGroup' | 'addMembers' | 'removeMembers' | 'membersOf' | 'groupsAmong'
>

/** As the hashes `group:…` and `cohort:…` hold it. */
export function writeGroup(group: Group): { name: string; owners: string } {
  return { name: group.name, owners: group.owners.join(' ') }
}

export function readGroup(id: string, record: Record<string, string>): Group | undefined {
  if (record.name === undefined) return undefined
  return { id, name: record.name, owners: record.owners ? record.owners.split(' ') : [] }
}

/** @throws Problem 422 `bad-field` */
export function checkGroup(group: Group): Group {
  const owners = new Set(group.owners.map((owner, index) => checkId(owner, `owners.${index}`)))
  return { id: checkId(group.id, 'id'), name: checkName(group.name, 'name'), owners: [...owners].sort() }
}

export function createGroups({ redis }: { redis: Redis }): Groups {
  async function get(id: string) {
    const [record, size] = await Promise.all([redis.hgetall(keys.group(id)), redis.scard(keys.members(id))])
    const group = readGroup(id, record)
    return group && { ...group, size }
  }

  async function mustExist(id: string) {
    if (!(await redis.exists(keys.group(id)))) throw new Problem(404, 'unknown-group', `no group "${id}"`)
  }

  return {
    async putGroup(input) {
      const group = checkGroup(input)
      const before = readGroup(group.id, await redis.hgetall(keys.group(group.id)))
      if (!before) await clearLeft(redis, group.id)
      await redis.sadd(keys.groups, group.id)
      await redis.hset(keys.group(group.id), writeGroup(group))
      await markGroup(redis, 'group', group.id)
      if (!before) return 'created'
      return before.name === group.name && sameList(before.owners, group.owners) ? 'unchanged' : 'updated'
    },

    getGroup: get,

    async listGroups() {
      const ids = [...(await readSet(redis, keys.groups))].sort()
      return (await Promise.all(ids.map(get))).filter((group) => group !== undefined)
    },

    /** Order: out of its cohorts, record, index, marks, members: as long as these are there, a call that was cut off can be repeated, and marks them. */
    async deleteGroup(id) {
      const cohorts = await readSet(redis, keys.cohorts)
      const left = await Promise.all(
        [...cohorts].map(async (cohort) => ((await redis.srem(keys.cohortGroups(cohort), id)) === 1 ? [cohort] : [])),
      )
      await markDirty(redis, 'cohort', left.flat())
      const existed = await redis.del(keys.group(id))
      const wasListed = await redis.srem(keys.groups, id)
      await markGroup(redis, 'group', id)
      const members = await readSet(redis, keys.members(id))
      await markDirty(redis, 'person', [...members])
      await redis.unlink(keys.members(id))
      return existed + wasListed + members.size > 0
    },

    /**
     * @returns how many were not in it before
     * @throws Problem 404 `unknown-group` · 422 `unknown-person` (field `people.N`), with nobody added
     */
    async addMembers(id, people) {
      await mustExist(id)
      for (const [index, person] of people.entries()) checkId(person, `people.${index}`)
      const stranger = (await findPeople(redis, people)).indexOf(undefined)
      if (stranger >= 0) {
        throw new Problem(422, 'unknown-person', `no person "${people[stranger]}"`, `people.${stranger}`)
      }
      let added = 0
      for (const piece of piecesOf(people)) added += await redis.sadd(keys.members(id), ...piece)
      await markMembers(redis, id, people)
      return added
    },

    /** @throws Problem 404 `unknown-group` */
    async removeMembers(id, people) {
      await mustExist(id)
      let removed = 0
      for (const piece of piecesOf(people)) removed += await redis.srem(keys.members(id), ...piece)
      await markMembers(redis, id, people)
      return removed
    },

    async groupsAmong(groups, people) {
      const flags = await Promise.all(
        groups.map(async (id) => {
          const pieces = [...piecesOf(people)].map((piece) => redis.smismember(keys.members(id), ...piece))
          return (await Promise.all(pieces)).flat()
        }),
      )
      return people.map((_person, at) => groups.filter((_id, index) => flags[index]?.[at] === 1))
    },

    async membersOf(id) {
      return [...(await readSet(redis, keys.members(id)))].sort()
    },
  }
}

/**
 * What a removal that was cut off has left, before there is a group of that name again: whoever was in that one is not in this, and is marked.
 * Members that were read before there was no record are of no other group.
 */
export async function clearLeft(redis: Redis, id: string): Promise<void> {
  const left = [...(await readSet(redis, keys.members(id)))]
  if (left.length === 0 || (await redis.exists(keys.group(id))) === 1) return
  await redis.srem(keys.groups, id)
  await markDirty(redis, 'person', left)
  for (const piece of piecesOf(left)) await redis.srem(keys.members(id), ...piece)
}

/** All who are named, whether that was new or not: of a call that was cut off the repetition marks them. */
async function markMembers(redis: Redis, group: string, people: readonly string[]): Promise<void> {
  await Promise.all([markDirty(redis, 'group', [group]), markDirty(redis, 'person', people)])
}

/** A group or cohort has changed, and with it perhaps who owns it. */
export async function markGroup(redis: Redis, kind: 'group' | 'cohort', id: string): Promise<void> {
  await Promise.all([markDirty(redis, kind, [id]), markDirty(redis, 'ownership', [`${kind}:${id}`])])
}

export function sameList(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((item, index) => item === other[index])
}
