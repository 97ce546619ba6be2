/** Cohorts: groups of groups. Order of writing as in groups.ts. */

import { Problem } from '@courier-fleet/api-types'
import { keys, type Redis } from '@courier-fleet/store'
import type { Directory } from './directory.ts'
import { checkId } from './fields.ts'
import { checkGroup, markGroup, readGroup, sameList, writeGroup } from './groups.ts'
import { readSet } from './sets.ts'
import { readTopic } from './topics.ts'

type Cohorts = Pick<Directory, 'putCohort' | 'getCohort' | 'listCohorts' | 'deleteCohort' | 'namesOfGroups'>

export function createCohorts({ redis }: { redis: Redis }): Cohorts {
  async function get(id: string) {
    const [record, groups] = await Promise.all([redis.hgetall(keys.cohort(id)), readSet(redis, keys.cohortGroups(id))])
    const cohort = readGroup(id, record)
    return cohort && { ...cohort, groups: [...groups].sort() }
  }

  return {
    /** @throws Problem 422 `bad-field` · 422 `unknown-group` (field `groups.N`) */
    async putCohort(input) {
      const cohort = checkGroup(input)
      for (const [index, group] of input.groups.entries()) checkId(group, `groups.${index}`)
      const known = await Promise.all(input.groups.map((group) => redis.exists(keys.group(group))))
      const missing = known.indexOf(0)
      if (missing >= 0) {
        throw new Problem(422, 'unknown-group', `no group "${input.groups[missing]}"`, `groups.${missing}`)
      }
      const groups = [...new Set(input.groups)].sort()
      const before = await get(cohort.id)
      const present = await readSet(redis, keys.cohortGroups(cohort.id))
      const gone = [...present].filter((group) => !groups.includes(group))
      await redis.sadd(keys.cohorts, cohort.id)
      if (groups.length > 0) await redis.sadd(keys.cohortGroups(cohort.id), ...groups)
      if (gone.length > 0) await redis.srem(keys.cohortGroups(cohort.id), ...gone)
      await redis.hset(keys.cohort(cohort.id), writeGroup(cohort))
      await markGroup(redis, 'cohort', cohort.id)
      if (!before) return 'created'
      const same =
        before.name === cohort.name && sameList(before.owners, cohort.owners) && sameList(before.groups, groups)
      return same ? 'unchanged' : 'updated'
    },

    getCohort: get,

    async listCohorts() {
      const ids = [...(await readSet(redis, keys.cohorts))].sort()
      return (await Promise.all(ids.map(get))).filter((cohort) => cohort !== undefined)
    },

    namesOfGroups: (tokens) =>
      Promise.all(
        tokens.map(async (token) => {
          const [kind, id = ''] = token.split(':')
          if (kind === 'topic') return readTopic(id, await redis.hgetall(keys.topic(id)))?.name
          return (await redis.hget(kind === 'group' ? keys.group(id) : keys.cohort(id), 'name')) ?? undefined
        }),
      ),

    async deleteCohort(id) {
      await redis.del(keys.cohortGroups(id))
      const existed = await redis.del(keys.cohort(id))
      await redis.srem(keys.cohorts, id)
      await markGroup(redis, 'cohort', id)
      return existed === 1
    },
  }
}
