/** Operators change the settings of the fleet: read, changed, judged as a whole, and written if nobody was faster. */
import { fleetSettings, Problem, type SettingDifference } from '@courier-fleet/api-types'
import { type LiveSettings, type Redis, type Settings, type StoredSettings, writeSettings } from '@courier-fleet/store'
import { type Audit, byCaller } from '../access/audit.ts'
import type { Caller } from '../access/callers.ts'
import { canonicalJson } from '../http/canonical-json.ts'
import { parseInput } from '../http/invalid-input.ts'
import { type ChangeRolesDeps, createChangeRoles } from './change-roles.ts'

export interface SettingsChange {
  readonly before: Settings
  readonly after: Settings
  readonly changes: readonly SettingDifference[]
}

/** @returns what is set from now on */
type Make = (now: Settings, stored: StoredSettings) => StoredSettings | Promise<StoredSettings>

/**
 * Makes the change again where another was faster, unless the caller has named the version they mean.
 * @throws Problem 412 `stale-version` · 422 `invalid` as a whole · 409 `role-in-use` · whatever `make` throws
 */
export type ChangeSettings = (caller: Caller, make: Make, how?: HowToChange) => Promise<SettingsChange>

export interface HowToChange {
  /** of the settings that the caller has read */
  readonly version?: number | undefined
  /** judged as a whole, and nothing is written */
  readonly isDryRun?: boolean
}

/** each try is lost only to a change that somebody else has made */
const maxTries = 20

interface ChangeDeps extends ChangeRolesDeps {
  readonly redis: Redis
  readonly settings: LiveSettings
  readonly audit: Audit
}

export function createChangeSettings(deps: ChangeDeps): ChangeSettings {
  const { redis, settings, audit } = deps
  const changeRoles = createChangeRoles(deps)

  async function attempt(
    caller: Caller,
    make: Make,
    { version, isDryRun }: HowToChange,
  ): Promise<SettingsChange | undefined> {
    await settings.look()
    const before = settings.current()
    if (version !== undefined && version !== before.version) throw stale(version, before.version)
    const stored = await make(before, settings.stored())
    const judged = parseInput(fleetSettings, { ...settings.first, ...stored })
    const changes = differencesOf(before, judged)
    if (changes.length === 0) return { before, after: before, changes }
    await changeRoles.check({ before: before.roles, after: judged.roles })
    if (isDryRun) return { before, after: { ...judged, version: before.version }, changes }
    const expected = settings.newest()
    const write = () => writeSettings(redis, { expected, stored, by: caller.owner })
    const written = await changeRoles.make({ before: before.roles, after: judged.roles }, write)
    if (written === undefined) return undefined
    await audit.write({
      action: 'settings.changed',
      ...byCaller(caller),
      detail: `version ${written}: ${changes.map(({ setting }) => setting).join(', ')}`,
      before: sides(changes, 'before'),
      after: sides(changes, 'after'),
    })
    await settings.look()
    return { before, after: { ...judged, version: written }, changes }
  }

  return async (caller, make, how = {}) => {
    for (let tries = 0; tries < maxTries; tries += 1) {
      const change = await attempt(caller, make, how)
      if (change) return change
    }
    throw new Problem(503, 'try-again', 'others are changing the settings all the time; nothing was changed')
  }
}

const stale = (meant: number, now: number) =>
  new Problem(
    412,
    'stale-version',
    `the settings are at version ${now}, not ${meant}: read them again, then change them`,
  )

const sides = (changes: readonly SettingDifference[], side: 'before' | 'after') =>
  changes.map((each) => `${each.setting}: ${JSON.stringify(each[side] ?? null)}`).join('; ')

type Parts = Readonly<Record<string, unknown>>

/** Of two settings or stored ones, by their parts; types, roles and the settings of channels, one by one. */
export function differencesOf(before: object, after: object): SettingDifference[] {
  const [old, now] = [partsOf(before), partsOf(after)]
  return [...new Set([...Object.keys(old), ...Object.keys(now)])]
    .filter((setting) => setting !== 'version' && canonicalJson(old[setting]) !== canonicalJson(now[setting]))
    .sort()
    .map((setting) => ({ setting, before: old[setting] ?? null, after: now[setting] ?? null }))
}

function partsOf(settings: object): Parts {
  const {
    types = [],
    formerTypes: _,
    roles = [],
    channels = {},
    ...rest
  } = settings as Parts & {
    types?: readonly { id: string }[]
    roles?: readonly { id: string }[]
    channels?: Readonly<Record<string, Parts>>
  }
  return {
    ...rest,
    ...Object.fromEntries(types.map((type) => [`types.${type.id}`, type])),
    ...Object.fromEntries(roles.map((role) => [`roles.${role.id}`, role])),
    ...Object.fromEntries(
      Object.entries(channels).flatMap(([channel, own]) =>
        Object.entries(own).map(([name, value]) => [`channels.${channel}.${name}`, value]),
      ),
    ),
  }
}

/** What the environment says, and somebody has set otherwise since. */
export function differing(settings: Pick<LiveSettings, 'first' | 'stored'>) {
  const { first } = settings
  return differencesOf(first, { ...first, ...settings.stored() })
    .filter(({ setting }) => setting in first)
    .map(({ setting, before, after }) => ({ setting, environment: before, live: after }))
}
