/** Which version of the settings the processes use: each says so itself as soon as it uses another. */
import type { SettingsUse } from '@courier-fleet/api-types'
import type { Clock } from '@courier-fleet/process'
import { type LiveSettings, type ProcessInfo, type Redis, readLastSigns } from '@courier-fleet/store'

interface UseDeps {
  readonly redis: Redis
  readonly settings: Pick<LiveSettings, 'newest'>
  readonly clock: Clock
}

export async function settingsUseOf(
  { redis, settings, clock }: UseDeps,
  processes: readonly ProcessInfo[],
): Promise<SettingsUse> {
  const version = settings.newest()
  const others = processes.filter((process) => process.settings !== version)
  const names = others.map(({ name }) => name)
  const signs = await readLastSigns(redis, names, clock.now())
  // who has no sign left has gone since the processes were read
  const behind = others.flatMap(({ name, settings: used }, at) => {
    const seenMs = signs[at]
    if (seenMs === undefined) return []
    return [{ name, ...(used === undefined ? {} : { version: used }), seenAt: new Date(seenMs).toISOString() }]
  })
  const using = processes.length - others.length
  return { version, using, of: using + behind.length, behind }
}
