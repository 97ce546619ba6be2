import type { SettingsView } from '@courier-fleet/api-types'
import { ChannelSwitches } from './channel-switches.tsx'
import { FleetRules } from './fleet-rules.tsx'
import { MoreSettings } from './more-settings.tsx'
import { RoleList } from './role-list.tsx'
import { SettingsVersions } from './settings-versions.tsx'

interface Props {
  readonly view: SettingsView
  readonly onChanged: () => Promise<void>
}

/** What stands below the types: loaded as one, for all of it is shown, and packed as one it is smaller. */
export function RulesBelow({ view, onChanged }: Props) {
  return (
    <>
      <RoleList version={view.version} onChanged={onChanged} />
      <FleetRules key={rulesIn(view)} view={view} onChanged={onChanged} />
      <ChannelSwitches />
      <MoreSettings view={view} read={onChanged} />
      <SettingsVersions version={view.version} onChanged={onChanged} />
    </>
  )
}

/** What stands in their form: it begins anew when that is another, and not when other settings are. */
const rulesIn = ({ settings: { quiet, exams, caps, interval, levels } }: SettingsView) =>
  JSON.stringify([quiet, exams, caps, interval, levels])
