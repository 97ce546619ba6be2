/** Who has which role: a set of each in every bucket. A person is in one, but for a moment, or after a put that was cut off. */
import { roles as builtIn, type MadeRole } from '@courier-fleet/api-types'
import { bucketOf, everyBucket, keys, type Redis } from '@courier-fleet/store'
import type { Directory, Person } from './directory.ts'
import { readSet } from './sets.ts'

export interface RoleIndex extends Pick<Directory, 'peopleOf' | 'countOf'> {
  /** @param before as they were, whose role may be one that there is not any more */
  enter(person: Pick<Person, 'id' | 'role'>, before: Pick<Person, 'role'> | undefined): Promise<void>
  leave(id: string, before: Pick<Person, 'role'> | undefined): Promise<void>
}

interface IndexDeps {
  readonly redis: Redis
  readonly roles: () => readonly MadeRole[]
}

export function createRoleIndex({ redis, roles }: IndexDeps): RoleIndex {
  const leaveAll = (id: string, left: readonly string[]) =>
    Promise.all(left.map((role) => redis.srem(keys.role(bucketOf(id), role), id)))

  function othersThan(role: string | undefined, before: Pick<Person, 'role'> | undefined): string[] {
    const known = new Set([...builtIn, ...roles().map(({ id }) => id), ...(before ? [before.role] : [])])
    return [...known].filter((other) => other !== role)
  }

  return {
    async enter({ id, role }, before) {
      await Promise.all([redis.sadd(keys.role(bucketOf(id), role), id), leaveAll(id, othersThan(role, before))])
    },

    async leave(id, before) {
      await leaveAll(id, othersThan(undefined, before))
    },

    async peopleOf(role) {
      const found = await Promise.all(everyBucket((bucket) => readSet(redis, keys.role(bucket, role))))
      return found.flatMap((people) => [...people]).sort()
    },

    async countOf(role) {
      const counts = await Promise.all(everyBucket((bucket) => redis.scard(keys.role(bucket, role))))
      return counts.reduce((sum, count) => sum + count, 0)
    },
  }
}
