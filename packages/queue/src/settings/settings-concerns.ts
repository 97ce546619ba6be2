/** Whom and what a change of the settings concerns that is there already: said before it is made, and with its answer. */
import {
  type KeptRole,
  type RuleCause,
  ruleCauses,
  ruleSettings,
  type SettingDifference,
  type SettingsConcern,
} from '@courier-fleet/api-types'
import type { ApiKeys, Directory } from '@courier-fleet/directory'
import { type HeldPeople, type Redis, readConcerned, type ScheduledMessages } from '@courier-fleet/store'
import { powerOf } from '../access/hold-scheduled.ts'
import type { SettingsChange } from './change-settings.ts'

/** by its path, such as quiet, quiet.from or types.news */
const isRule = ({ setting }: SettingDifference) =>
  ruleSettings.some((name) => setting === name || setting.startsWith(`${name}.`))

const iso = (ms: number) => new Date(ms).toISOString()

interface ConcernDeps {
  readonly redis: Redis
  readonly shards: number
  readonly directory: Pick<Directory, 'peopleOf'>
  readonly apiKeys: Pick<ApiKeys, 'list'>
}

export async function concernsOf(
  deps: ConcernDeps,
  { before, changes }: Pick<SettingsChange, 'before' | 'changes'>,
): Promise<SettingsConcern[]> {
  const { redis, shards } = deps
  const rules = changes.filter(isRule)
  const kept = changes.find(({ setting }) => setting === 'retentionDays')
  const days = Number(kept?.after ?? Number.POSITIVE_INFINITY)
  const chosen = { causes: ruleCauses, types: typesOf(rules) }
  const found = rules.length > 0 ? await readConcerned(redis, shards, chosen) : undefined
  return [
    ...(found ? [...heldConcern(found.held), ...scheduledConcern(found.scheduled)] : []),
    ...(days < before.retentionDays ? [{ code: 'forgotten' as const, days }] : []),
    ...(await roleConcerns(deps, changes)),
  ]
}

/** Undefined where rules change that hold for all types. */
function typesOf(rules: readonly SettingDifference[]): ReadonlySet<string> | undefined {
  const ids = rules.map(({ setting }) => /^types\.(.+)$/.exec(setting)?.[1])
  return ids.includes(undefined) ? undefined : new Set(ids as string[])
}

function heldConcern({ people, firstMs, isMore }: HeldPeople): SettingsConcern[] {
  const count = Object.values(people).reduce((sum, each) => sum + each, 0)
  if (count === 0 || firstMs === undefined) return []
  return [
    {
      code: 'held',
      people: count,
      causes: people as Partial<Record<RuleCause, number>>,
      first: iso(firstMs),
      atLeast: isMore,
    },
  ]
}

function scheduledConcern({ messages, people, firstMs, isMore }: ScheduledMessages): SettingsConcern[] {
  if (firstMs === undefined) return []
  return [{ code: 'scheduled', messages, people, first: iso(firstMs), atLeast: isMore }]
}

/** Who has a role that is changed; nobody has one that is new. */
async function roleConcerns(
  { redis, shards, directory, apiKeys }: ConcernDeps,
  changes: readonly SettingDifference[],
): Promise<SettingsConcern[]> {
  const changed = changes.flatMap(({ setting, before, after }) => {
    const [, id] = /^roles\.(.+)$/.exec(setting) ?? []
    return id === undefined ? [] : [{ id, before: before as KeptRole | null, after: after as KeptRole | null }]
  })
  const found = changed.map(async ({ id, before, after }): Promise<SettingsConcern[]> => {
    const [people, keys] = await Promise.all([directory.peopleOf(id), apiKeys.list()])
    const owners = keys.filter(({ role }) => role === id).map(({ owner }) => owner)
    if (people.length === 0 && owners.length === 0) return []
    const { scheduled } = await readConcerned(redis, shards, { senders: new Set([...people, ...owners]) })
    const { messages, isMore: atLeast } = scheduled
    const held = before !== null && powerOf(after?.rights) < powerOf(before.rights)
    return [{ code: 'role', role: id, people: people.length, keys: owners.length, messages, held, atLeast }]
  })
  return (await Promise.all(found)).flat()
}
