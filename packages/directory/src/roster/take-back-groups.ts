/**
 * Groups and cohorts when an import is taken back: those that it has made go where nobody is left in them and nobody owns them; they
 * leave the cohorts that it has put them into, and those that it has given a name are called by their id again.
 */
import { keys, type Redis } from '@courier-fleet/store'
import type { Directory, NewGroup } from '../directory.ts'
import { markGroup, readGroup } from '../groups.ts'
import { readSet } from '../sets.ts'
import type { Step } from './take-back-plan.ts'

type Groups = Pick<Directory, 'deleteGroup' | 'deleteCohort' | 'getGroup' | 'getCohort'>

export interface GroupsPlan {
  /** those that go */
  readonly gone: readonly NewGroup[]
  /** those that were made, and stay: somebody else is in them or owns them, or has given them another name */
  readonly stay: readonly NewGroup[]
  readonly pairs: readonly { readonly cohort: string; readonly group: string }[]
  /** by the name that they were given */
  readonly named: readonly NewGroup[]
}

type Facts = Readonly<Record<string, string>>

function groupsIn(facts: Facts, how: 'made' | 'named'): NewGroup[] {
  return Object.entries(facts).flatMap(([field, name]) => {
    const [first, kind, id = ''] = field.split(':')
    return first === how ? [{ kind: kind as NewGroup['kind'], id, name }] : []
  })
}

/** @param steps of people: who leaves the groups, and owns them no more */
export async function planGroups(
  redis: Redis,
  directory: Groups,
  facts: Facts,
  steps: readonly Step[],
): Promise<GroupsPlan> {
  const doing = steps.filter(({ why }) => why === undefined)
  const leaving = new Map<string, Set<string>>()
  for (const { id, what, kept } of doing)
    if (what !== 'returned')
      for (const group of kept.groups ?? []) leaving.set(group, (leaving.get(group) ?? new Set()).add(id))
  const losing = new Set(doing.flatMap(({ id, kept }) => (kept.owns ?? []).map((token) => `${token} ${id}`)))
  const isFree = ({ kind, id, name }: NewGroup, found: { name: string; owners: readonly string[] }) =>
    found.name === name && found.owners.every((owner) => losing.has(`${kind}:${id} ${owner}`))

  const made = groupsIn(facts, 'made')
  const gone: NewGroup[] = []
  const stay: NewGroup[] = []
  for (const group of made.filter(({ kind }) => kind === 'group')) {
    const found = await directory.getGroup(group.id)
    if (!found) continue
    const members = await readSet(redis, keys.members(group.id))
    const isEmpty = [...members].every((person) => leaving.get(group.id)?.has(person))
    ;(isEmpty && isFree(group, found) ? gone : stay).push(group)
  }
  const staying = new Set(stay.map(({ id }) => id))
  const pairs = Object.keys(facts).flatMap((field) => {
    const [, cohort = '', group = ''] = /^pair:(.*)\/(.*)$/.exec(field) ?? []
    return cohort === '' || staying.has(group) ? [] : [{ cohort, group }]
  })
  for (const cohort of made.filter(({ kind }) => kind === 'cohort')) {
    const found = await directory.getCohort(cohort.id)
    if (!found) continue
    const left = found.groups.filter(
      (group) => !pairs.some((pair) => pair.cohort === cohort.id && pair.group === group),
    )
    ;(left.length === 0 && isFree(cohort, found) ? gone : stay).push(cohort)
  }
  return { gone, stay, pairs, named: groupsIn(facts, 'named') }
}

/** After the people. A group somebody has come into meanwhile stays. */
export async function takeBackGroups(redis: Redis, directory: Groups, plan: GroupsPlan): Promise<void> {
  for (const { cohort, group } of plan.pairs)
    if ((await redis.srem(keys.cohortGroups(cohort), group)) === 1) await markGroup(redis, 'cohort', cohort)
  for (const { kind, id } of plan.gone) {
    if (kind === 'group' && (await directory.getGroup(id))?.size === 0) await directory.deleteGroup(id)
    if (kind === 'cohort' && (await directory.getCohort(id))?.groups.length === 0) await directory.deleteCohort(id)
  }
  for (const { kind, id, name } of plan.named) {
    const key = kind === 'group' ? keys.group(id) : keys.cohort(id)
    if (readGroup(id, await redis.hgetall(key))?.name !== name) continue
    await redis.hset(key, 'name', id)
    await markGroup(redis, kind, id)
  }
}
