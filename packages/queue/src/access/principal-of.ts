/** By which rights somebody acts, and whose quota holds for them: their role may be one that operators have made. */
import { isBuiltInRole, Problem } from '@courier-fleet/api-types'
import { type ApiKey, type Person, type Principal, roleNow } from '@courier-fleet/directory'
import { type LiveSettings, rightsNow } from '@courier-fleet/store'

type Known = Pick<LiveSettings, 'current' | 'look'>

/** @throws Problem 403 `not-allowed` where there is no such role any more: nobody knows what it may do */
export async function principalOf(settings: Known, { id, role }: Pick<Person, 'id' | 'role'>): Promise<Principal> {
  return { owner: id, role: await requireRights(settings, role), ...ownRole(role) }
}

/**
 * A key gives no more than its owner's present role, and whose own role has a quota keeps to it with any key.
 * @throws Problem 403 `not-allowed`, likewise
 */
export async function principalOfKey(
  settings: Known,
  { owner, role }: Pick<ApiKey, 'owner' | 'role'>,
  person: Pick<Person, 'id' | 'role'> | undefined,
): Promise<Principal> {
  const ofKey = await requireRights(settings, role)
  if (!person) return { owner, role: ofKey, ...ownRole(role) }
  const ofOwner = await principalOf(settings, person)
  const least = roleNow(ofKey, ofOwner.role)
  return { ...(least === ofKey ? ownRole(role) : {}), ...ofOwner, role: least }
}

async function requireRights(settings: Known, role: string) {
  const rights = await rightsNow(settings, role)
  if (rights) return rights
  throw new Problem(403, 'not-allowed', `there is no role "${role}" any more: an administrator has to give you another`)
}

const ownRole = (role: string) =>
  isBuiltInRole(role) || role === 'inbound' || role === 'presence' ? {} : { ownRole: role }
