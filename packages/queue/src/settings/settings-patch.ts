/** What is set once a change is made to what was: whole settings one by one, and those of channels each for itself. */
import type { SettingsPatch } from '@courier-fleet/api-types'
import type { StoredSettings } from '@courier-fleet/store'

export function mergePatch(stored: StoredSettings, { channels, ...patch }: SettingsPatch): StoredSettings {
  const said = Object.entries(patch).filter(([, value]) => value !== undefined)
  const merged: StoredSettings = { ...stored, ...Object.fromEntries(said) }
  if (!channels) return merged
  const tuned = { ...stored.channels }
  for (const [channel, changes] of Object.entries(channels)) {
    // null: as its couriers were started
    const own = Object.entries({ ...tuned[channel], ...changes }).filter(([, value]) => value !== null)
    if (own.length > 0) tuned[channel] = Object.fromEntries(own)
    else delete tuned[channel]
  }
  return { ...merged, channels: tuned }
}
