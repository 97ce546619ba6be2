import { Problem } from '@courier-fleet/api-types'
import { type Directory, mayRead } from '@courier-fleet/directory'
import type { Caller } from '../access/callers.ts'
import { unknown } from '../http/unknown.ts'

type GroupWithSize = NonNullable<Awaited<ReturnType<Directory['getGroup']>>>

/** A group that the caller may read. @throws Problem 404 `unknown-group` · 403 `not-your-group` */
export async function readableGroup(directory: Directory, caller: Caller, id: string): Promise<GroupWithSize> {
  const group = (await directory.getGroup(id)) ?? unknown('group', id)
  if (mayRead(caller, group)) return group
  throw new Problem(403, 'not-your-group', `the group "${id}" is not yours`)
}
