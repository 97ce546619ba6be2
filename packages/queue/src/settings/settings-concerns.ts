/** Whom and what a change of the settings concerns that is there already: said before it is made, and with its answer. */
import { ruleCauses, ruleSettings, type SettingDifference, type SettingsConcern } from '@courier-fleet/api-types'
import { type HeldPeople, type Redis, readConcerned, type ScheduledMessages } from '@courier-fleet/store'
import type { SettingsChange } from './change-settings.ts'

/** by its path, such as quiet, quiet.from or types.news */
const isRule = ({ setting }: SettingDifference) =>
  ruleSettings.some((name) => setting === name || setting.startsWith(`${name}.`))

const iso = (ms: number) => new Date(ms).toISOString()

export async function concernsOf(
  { redis, shards }: { redis: Redis; shards: number },
  { before, changes }: Pick<SettingsChange, 'before' | 'changes'>,
): Promise<SettingsConcern[]> {
  const rules = changes.filter(isRule)
  const kept = changes.find(({ setting }) => setting === 'retentionDays')
  const days = Number(kept?.after ?? Number.POSITIVE_INFINITY)
  const chosen = { causes: ruleCauses, types: typesOf(rules) }
  const found = rules.length > 0 ? await readConcerned(redis, shards, chosen) : undefined
  return [
    ...(found ? [...heldConcern(found.held), ...scheduledConcern(found.scheduled)] : []),
    ...(days < before.retentionDays ? [{ code: 'forgotten' as const, days }] : []),
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
      causes: people as Partial<Record<(typeof ruleCauses)[number], number>>,
      first: iso(firstMs),
      atLeast: isMore,
    },
  ]
}

function scheduledConcern({ messages, people, firstMs, isMore }: ScheduledMessages): SettingsConcern[] {
  if (firstMs === undefined) return []
  return [{ code: 'scheduled', messages, people, first: iso(firstMs), atLeast: isMore }]
}
