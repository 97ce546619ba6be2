/**
 * Holds what those have scheduled who may send less by a change, as sending-rights.ts says; and whose rights are others by one of what
 * roles may do.
 */
import { type CallerRole, type KeptRole, Problem, type Role, rightsOf, roles } from '@courier-fleet/api-types'
import type { ApiKeys, Directory } from '@courier-fleet/directory'
import { barSender, barTokens, type Redis, unbarSender, unbarTokens } from '@courier-fleet/store'
import type { RightsOf, TopicRights } from './topic-rights.ts'

/** To whom one may write: to nobody, to whom one owns, to everyone. */
export const powers: Readonly<Record<CallerRole, number>> = {
  student: 0,
  inbound: 0,
  presence: 0,
  trainer: 1,
  staff: 2,
  operator: 2,
  admin: 2,
}

export const powerOf = (role: CallerRole | undefined) => (role === undefined ? 0 : powers[role])

interface HoldDeps {
  readonly redis: Redis
  readonly shards: number
}

type People = { readonly directory: Directory; readonly apiKeys: ApiKeys }

/** Makes a change, and holds what those have scheduled who may send less by it. */
export type Hold = <T>(changes: readonly RightsOf[], make: () => Promise<T>) => Promise<T>

export function createHold(deps: HoldDeps, topics: Pick<TopicRights, 'lostBy'>): Hold {
  return async (changes, make) => {
    const less = changes.filter(({ before, after }) => powerOf(after) < powerOf(before))
    const more = changes.filter(({ before, after }) => powerOf(after) > powerOf(before))
    const back = changes.map(({ sender, before, after }) => ({ sender, before: after, after: before }))
    // topics go by roles of their own: who may write to everybody again may not write to all of these
    const bar = async () => {
      const without = await topics.lostBy(changes)
      await Promise.all([
        ...less.map(({ sender, before }) => barSender(deps, sender, powerOf(before))),
        ...without.map(({ sender, tokens }) => barTokens(deps, sender, tokens)),
      ])
    }
    await bar()
    const made = await make()
    await bar()
    const again = await topics.lostBy(back)
    await Promise.all([
      ...more.map(({ sender, after }) => unbarSender(deps, sender, powerOf(after))),
      ...again.map(({ sender, tokens }) => unbarTokens(deps, sender, tokens)),
    ])
    return made
  }
}

/** By which of these somebody may send the most: of two by which one may write to everybody the higher, for topics go by roles. */
export const highest = (found: readonly (CallerRole | undefined)[]) => {
  const rank = (role: CallerRole | undefined) => roles.indexOf(role as Role)
  return found.filter((role) => role !== undefined).sort((one, other) => rank(other) - rank(one))[0]
}

/** Whose rights are others when operators make roles other than they were: people, and systems by their API keys. */
export async function changedBy(
  { directory, apiKeys }: People,
  before: readonly KeptRole[],
  after: readonly KeptRole[],
): Promise<RightsOf[]> {
  const changed = before.filter(({ id, rights }) => rightsOf(after, id) !== rights)
  const people = changed.map(async ({ id, rights }) => {
    const found = await directory.peopleOf(id)
    return found.map((sender) => ({ sender, before: rights, after: rightsOf(after, id) }))
  })
  const keys = changed.length === 0 ? [] : await apiKeys.list()
  const owners = new Set(keys.filter(({ role }) => changed.some(({ id }) => id === role)).map(({ owner }) => owner))
  const systems = [...owners].map(async (sender) => {
    if (await directory.findPerson(sender)) return []
    const own = keys.filter(({ owner }) => owner === sender)
    const by = (roles: readonly KeptRole[]) => highest(own.map(({ role }) => rightsOf(roles, role)))
    return [{ sender, before: by(before), after: by(after) }]
  })
  return (await Promise.all([...people, ...systems])).flat()
}

/** @throws Problem 409 `last-admin` */
export async function requireOtherAdmin({ directory, apiKeys }: People, changes: readonly RightsOf[]): Promise<void> {
  const losers = changes.filter(({ before, after }) => before === 'admin' && after !== 'admin')
  if (losers.length === 0) return
  const isLoser = (owner: string) => losers.some(({ sender }) => sender === owner)
  const people = await directory.peopleOf('admin')
  if (people.some((person) => !isLoser(person))) return
  const owners = (await apiKeys.list()).filter(({ role, owner }) => role === 'admin' && !isLoser(owner))
  const found = await directory.findPeople(owners.map(({ owner }) => owner))
  if (found.some((person) => person === undefined)) return
  throw new Problem(409, 'last-admin', 'nobody else is an administrator: make somebody one first')
}
