import type {
  MessageType,
  MessageTypeInput,
  RoleInput,
  RoleList,
  RoleOutcome,
  SettingsChanged,
  SettingsPatchInput,
  SettingsVersions,
  SettingsView,
  TypeList,
  TypeOutcome,
  TypeRemoval,
} from '@courier-fleet/api-types'
import { type Http, path } from './http.ts'

export interface ChangeOptions {
  /** nothing is changed: the answer says what would be, and whom it would concern */
  readonly dryRun?: boolean
}

export interface RoleOptions extends ChangeOptions {
  /** of the settings, as roles() has it: refused with 412 where there is another by now */
  readonly version?: number | undefined
}

const given = (version: number | undefined) => (version === undefined ? {} : { version })
const queryOf = (dryRun: boolean | undefined) => ({ dryRun: dryRun ? 'true' : undefined })

/** What operators change while the fleet runs: types of message, and its settings. */
export function settingsCalls(http: Http) {
  return {
    types: () => http.call<TypeList>('GET', '/types'),
    type: (id: string) => http.call<MessageType>('GET', path('types', id)),
    putType: (id: string, type: MessageTypeInput, { dryRun }: ChangeOptions = {}) =>
      http.call<TypeOutcome>('PUT', path('types', id), { body: type, query: queryOf(dryRun) }),
    deleteType: (id: string) => http.call<void>('DELETE', path('types', id)),
    /** Whom it would concern that a type is removed; nothing is. */
    foreseeTypeRemoval: (id: string) => http.call<TypeRemoval>('DELETE', path('types', id), { query: queryOf(true) }),
    roles: () => http.call<RoleList>('GET', '/roles'),
    putRole: (id: string, role: RoleInput, { dryRun, version }: RoleOptions = {}) =>
      http.call<RoleOutcome>('PUT', path('roles', id), { body: role, query: queryOf(dryRun), ...given(version) }),
    /** Refused with 409 while somebody has it. */
    deleteRole: (id: string, { version }: Pick<RoleOptions, 'version'> = {}) =>
      http.call<void>('DELETE', path('roles', id), given(version)),
    settings: () => http.call<SettingsView>('GET', '/settings'),
    settingsVersions: () => http.call<SettingsVersions>('GET', '/settings/versions'),
    /** @param version that was read: refused with 412 where there is another by now */
    changeSettings: (version: number, patch: SettingsPatchInput, { dryRun }: ChangeOptions = {}) =>
      http.call<SettingsChanged>('PATCH', '/settings', {
        body: patch,
        version,
        query: queryOf(dryRun),
      }),
    /** @param restored the version whose settings are set again; 0 for none */
    restoreSettings: (version: number, restored: number, { dryRun }: ChangeOptions = {}) =>
      http.call<SettingsChanged>('POST', '/settings:restore', {
        body: { version: restored },
        version,
        query: queryOf(dryRun),
      }),
  }
}
