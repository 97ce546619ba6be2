/**
 * What senders have scheduled when they may send less than before: removed, demoted, or without their API key. A mark in Redis has
 * wake.lua hold what was accepted until then. It is set before the change and again after it: a crash between leaves too much held,
 * which an operator can release, and never too little.
 */
import type { CallerRole } from '@courier-fleet/api-types'
import type { ApiKeys, Directory } from '@courier-fleet/directory'
import { barSender, unbarSender } from '@courier-fleet/store'
import type { Redis } from 'ioredis'

/** To whom one may write: to nobody, to whom one owns, to everyone. */
const powers: Readonly<Record<CallerRole, number>> = {
  student: 0,
  inbound: 0,
  trainer: 1,
  staff: 2,
  operator: 2,
  admin: 2,
}

export interface RoleOf {
  readonly sender: string
  /** absent: none */
  readonly before: CallerRole | undefined
  readonly after: CallerRole | undefined
}

export interface SendingRights {
  /** The role by which somebody sends: that of the directory, else the highest of their API keys. @param without an API key that is not counted */
  roleOf(sender: string, without?: string): Promise<CallerRole | undefined>
  /** Makes a change of roles, and holds what those have scheduled who may send less by it. */
  change<T>(roles: readonly RoleOf[], make: () => Promise<T>): Promise<T>
}

interface RightsDeps {
  readonly redis: Redis
  readonly shards: number
  readonly directory: Directory
  readonly apiKeys: ApiKeys
}

const powerOf = (role: CallerRole | undefined) => (role === undefined ? 0 : powers[role])

export function createSendingRights(deps: RightsDeps): SendingRights {
  const { directory, apiKeys } = deps
  return {
    async roleOf(sender, without) {
      const person = await directory.findPerson(sender)
      if (person) return person.role
      const own = (await apiKeys.list()).filter(({ id, owner }) => owner === sender && id !== without)
      return own.map(({ role }) => role).sort((one, other) => powers[other] - powers[one])[0]
    },

    async change(roles, make) {
      const less = roles.filter(({ before, after }) => powerOf(after) < powerOf(before))
      const more = roles.filter(({ before, after }) => powerOf(after) > powerOf(before))
      const bar = () => Promise.all(less.map(({ sender, before }) => barSender(deps, sender, powerOf(before))))
      await bar()
      const made = await make()
      await bar()
      await Promise.all(more.map(({ sender, after }) => unbarSender(deps, sender, powerOf(after))))
      return made
    },
  }
}
