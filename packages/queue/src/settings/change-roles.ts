/** Roles are changed with the settings: nobody is left with one that there is not, and what those have scheduled is held who may send less. */
import { isBuiltInRole, type KeptRole, Problem } from '@courier-fleet/api-types'
import type { ApiKeys, Directory } from '@courier-fleet/directory'
import type { SendingRights } from '../access/sending-rights.ts'

interface Roles {
  readonly before: readonly KeptRole[]
  readonly after: readonly KeptRole[]
}

export interface ChangeRoles {
  /** @throws Problem 409 `role-in-use` */
  check(roles: Roles): Promise<void>
  /** @param write of the settings. @returns what it does */
  make<T>(roles: Roles, write: () => Promise<T>): Promise<T>
}

export interface ChangeRolesDeps {
  readonly directory: Pick<Directory, 'countOf'>
  readonly apiKeys: Pick<ApiKeys, 'list'>
  readonly sendingRights: Pick<SendingRights, 'changeRights'>
}

export function createChangeRoles({ directory, apiKeys, sendingRights }: ChangeRolesDeps): ChangeRoles {
  return {
    async check({ before, after }) {
      const removed = before.filter(({ id }) => !isBuiltInRole(id) && !after.some((role) => role.id === id))
      if (removed.length === 0) return
      const keys = await apiKeys.list()
      for (const { id } of removed) {
        const [people, own] = [await directory.countOf(id), keys.filter(({ role }) => role === id).length]
        if (people === 0 && own === 0) continue
        const detail = `people with the role ${id}: ${people}, API keys: ${own}; give them another first`
        throw new Problem(409, 'role-in-use', detail, 'id')
      }
    },
    make: (roles, write) => sendingRights.changeRights(roles, write),
  }
}
