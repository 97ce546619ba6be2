import type {
  MessageType,
  MessageTypeInput,
  PutOutcome,
  SettingsChanged,
  SettingsPatchInput,
  SettingsVersions,
  SettingsView,
  TypeList,
} from '@courier-fleet/api-types'
import { type Http, path } from './http.ts'

/** What operators change while the fleet runs: types of message, and its settings. */
export function settingsCalls(http: Http) {
  const tagOf = (version: number) => `"${version}"`
  return {
    types: () => http.call<TypeList>('GET', '/types'),
    type: (id: string) => http.call<MessageType>('GET', path('types', id)),
    putType: (id: string, type: MessageTypeInput) => http.call<PutOutcome>('PUT', path('types', id), { body: type }),
    deleteType: (id: string) => http.call<void>('DELETE', path('types', id)),
    settings: () => http.call<SettingsView>('GET', '/settings'),
    settingsVersions: () => http.call<SettingsVersions>('GET', '/settings/versions'),
    /** @param version that was read: refused with 412 where there is another by now */
    changeSettings: (version: number, patch: SettingsPatchInput) =>
      http.call<SettingsChanged>('PATCH', '/settings', { body: patch, ifMatch: tagOf(version) }),
    /** @param restored the version whose settings are set again; 0 for none */
    restoreSettings: (version: number, restored: number) =>
      http.call<SettingsChanged>('POST', '/settings:restore', { body: { version: restored }, ifMatch: tagOf(version) }),
  }
}
