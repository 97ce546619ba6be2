import type { SettingsVersions as Versions } from '@courier-fleet/api-types'
import { settingWords } from '@courier-fleet/words/setting-words'
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { useStores } from '../../stores.ts'
import { useRulesWords } from '../../texts/rules.ts'
import { Failure } from '../failure.tsx'
import { useAsync } from '../use-async.ts'
import { useMoment } from '../use-moment.ts'
import { useRoleNames } from '../use-role-names.ts'
import { Concerns } from './concerns.tsx'
import { useForeseen } from './use-foreseen.ts'

interface Props {
  /** the newest */
  readonly version: number
  readonly onChanged: () => void
}

/** Who has changed the settings, when and how; an earlier version can be set again. */
export function SettingsVersions({ version, onChanged }: Props) {
  const { api, notices, language } = useStores()
  const roleNames = useRoleNames()
  const rules = useRulesWords()
  const moment = useMoment()
  const list = useSignal<Versions['versions']>([])
  const loading = useAsync(async () => {
    list.value = (await api.settingsVersions()).versions
  })
  const restoring = useForeseen<number>({
    foresee: (restored) => api.restoreSettings(version, restored, { dryRun: true }),
    async make(restored) {
      const changed = await api.restoreSettings(version, restored)
      notices.announce(rules.saved(changed.version))
      onChanged()
    },
  })
  useEffect(() => {
    loading.run()
  }, [version])
  if (list.value.length === 0) return <Failure error={loading.error.value} retry={loading.run} />
  return (
    <section aria-labelledby="versions">
      <h2 id="versions">{rules.versions}</h2>
      <Failure error={loading.error.value ?? restoring.error.value} />
      <ul class="sessions">
        {list.value.map(({ version: number, at, by, changes = [] }) => (
          <li key={number}>
            <span>
              {rules.version(number)}: {moment(at)}, {by}
            </span>
            {changes.map((change) => (
              <span key={change.setting} class="hint">
                {settingWords(language.code.value, change, roleNames.nameOf)}
              </span>
            ))}
            <Concerns concerns={restoring.concernsOf(number)} />
            {number !== version && (
              <button
                type="button"
                aria-label={restoring.concernsOf(number) ? rules.restoreYesOf(number) : rules.restoreOf(number)}
                onClick={() => restoring.press(number)}
              >
                {restoring.concernsOf(number) ? rules.restoreYes : rules.restore}
              </button>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}
