/** Which version of the settings the processes use: each says so itself as soon as it uses another. */
import type { SettingsUse } from '@courier-fleet/api-types'
import type { Clock } from '@courier-fleet/process'
import { type LiveSettings, lastSeenMs, type ProcessInfo } from '@courier-fleet/store'

interface UseDeps {
  readonly settings: Pick<LiveSettings, 'newest'>
  readonly clock: Clock
}

export function settingsUseOf({ settings, clock }: UseDeps, processes: readonly ProcessInfo[]): SettingsUse {
  const version = settings.newest()
  const nowMs = clock.now()
  const others = processes.filter((process) => process.settings !== version)
  // who has no sign left has gone since the processes were read
  const behind = others.flatMap((process) => {
    const seenMs = lastSeenMs(process, nowMs)
    if (seenMs === undefined) return []
    const { name, settings: used } = process
    return [{ name, ...(used === undefined ? {} : { version: used }), seenAt: new Date(seenMs).toISOString() }]
  })
  const using = processes.length - others.length
  return { version, using, of: using + behind.length, behind }
}
