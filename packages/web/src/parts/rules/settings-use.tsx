import type { SettingsUse as Use } from '@courier-fleet/api-types'
import { settingsUseWords } from '@courier-fleet/words/settings-use-words'
import { useStores } from '../../stores.ts'
import { useTime } from '../use-time.ts'

/** How many processes use the newest settings, and which do not. */
export function SettingsUse({ use }: { use: Use }) {
  const { language } = useStores()
  const time = useTime()
  return (
    <>
      {settingsUseWords(language.code.value, use, time).map((sentence) => (
        <p key={sentence} class="hint">
          {sentence}
        </p>
      ))}
    </>
  )
}
