/** The settings of the fleet as a process holds them: what the environment says, and over it what operators have set since. */
import { type FleetSettings, type FleetSettingsInput, fleetSettings } from '@courier-fleet/api-types'

/** Frozen, so that one decision sees one version; 0 while nobody has set anything. */
export type Settings = Readonly<FleetSettings> & { readonly version: number }

/** Only what somebody has set: all else is as the environment says, or as it is usual. */
export type StoredSettings = FleetSettingsInput

/** @throws ZodError where they are not what fleetSettings says */
export function settingsOf(first: StoredSettings, stored: StoredSettings = {}, version = 0): Settings {
  return freeze({ ...fleetSettings.parse({ ...first, ...stored }), version })
}

function freeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value
  for (const part of Object.values(value)) freeze(part)
  return Object.freeze(value)
}

/** @throws Error where the text is not the JSON of an object; what is in it settingsOf() judges */
export function parseSettings(json: string): StoredSettings {
  const value: unknown = JSON.parse(json)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new TypeError('no object')
  return value
}
