/** Whom a change of the settings concerns who waits now: said with its answer, so that nobody is surprised in the morning. */
import { ruleCauses, ruleSettings, type SettingDifference } from '@courier-fleet/api-types'
import { type Redis, readHeld, type Settings } from '@courier-fleet/store'

/** by its path, such as quiet, quiet.from or types.news */
const isRule = (setting: string) => ruleSettings.some((name) => setting === name || setting.startsWith(`${name}.`))

export async function warningsOf(
  { redis, shards }: { redis: Redis; shards: number },
  before: Settings,
  changes: readonly SettingDifference[],
): Promise<string[]> {
  const warnings: string[] = []
  if (changes.some(({ setting }) => isRule(setting))) {
    const { people, firstMs, isMore } = await readHeld(redis, shards, ruleCauses)
    const held = ruleCauses.filter((cause) => people[cause])
    const count = held.reduce((sum, cause) => sum + (people[cause] ?? 0), 0)
    if (count > 0 && firstMs !== undefined) {
      const why = held.map((cause) => `${people[cause]} ${cause}`).join(', ')
      const when = new Date(firstMs).toISOString()
      warnings.push(
        `${isMore ? 'at least ' : ''}${count} people wait already, counted on each channel (${why}), the first until ${when}: within seconds they are decided about anew, by the new settings, and may be written to sooner or later than that`,
      )
    }
  }
  const kept = changes.find(({ setting }) => setting === 'retentionDays')
  if (kept && Number(kept.after ?? Number.POSITIVE_INFINITY) < before.retentionDays)
    warnings.push(
      `messages that have been over for more than ${kept.after} days are forgotten now, with their receipts`,
    )
  return warnings
}
