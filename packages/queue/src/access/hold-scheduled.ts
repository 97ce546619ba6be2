/**
 * Holds what those have scheduled who may send less by a change, as sending-rights.ts says; and whose rights are others by one of what
 * roles may do.
 */
import { type CallerRole, type KeptRole, Problem, type Role, rightsOf, roles } from '@courier-fleet/api-types'
import type { ApiKeys, Directory } from '@courier-fleet/directory'
import { barSender, barTokens, type Redis, unbarSender } from '@courier-fleet/store'
import type { TopicRights } from './topic-rights.ts'

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

/** Of somebody, by what their role may do. */
export interface RightsOf {
  readonly sender: string
  readonly before: CallerRole | undefined
  readonly after: CallerRole | undefined
}

interface HoldDeps {
  readonly redis: Redis
  readonly shards: number
}

type People = { readonly directory: Directory; readonly apiKeys: ApiKeys }

/** Makes a change, and holds what those have scheduled who may send less by it. */
export type Hold = <T>(changes: readonly RightsOf[], make: () => Promise<T>) => Promise<T>

export function createHold(deps: HoldDeps, topics: Pick<TopicRights, 'lostBy'>): Hold {
  /** Who may write to as many as before, but not to a topic that is for those of a higher role. */
  async function withoutTopics(changes: readonly RightsOf[]): Promise<{ sender: string; tokens: string[] }[]> {
    const lower = changes.flatMap(({ sender, before, after }) => {
      const isLower = before && after && roles.indexOf(after as Role) < roles.indexOf(before as Role)
      return isLower && powerOf(after) > 0 && powerOf(after) === powerOf(before) ? [{ sender, before, after }] : []
    })
    return Promise.all(
      lower.map(async ({ sender, before, after }) => ({ sender, tokens: await topics.lostBy(sender, before, after) })),
    )
  }

  return async (changes, make) => {
    const less = changes.filter(({ before, after }) => powerOf(after) < powerOf(before))
    const more = changes.filter(({ before, after }) => powerOf(after) > powerOf(before))
    const without = (await withoutTopics(changes)).filter(({ tokens }) => tokens.length > 0)
    const bar = () =>
      Promise.all([
        ...less.map(({ sender, before }) => barSender(deps, sender, powerOf(before))),
        ...without.map(({ sender, tokens }) => barTokens(deps, sender, tokens)),
      ])
    await bar()
    const made = await make()
    await bar()
    await Promise.all(more.map(({ sender, after }) => unbarSender(deps, sender, powerOf(after))))
    return made
  }
}

/** By which of these somebody may send the most. */
export const highest = (found: (CallerRole | undefined)[]) =>
  found.sort((one, other) => powerOf(other) - powerOf(one))[0]

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
