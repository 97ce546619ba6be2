import type { SettingsConcern } from '@courier-fleet/api-types'
import { concernWords } from '@courier-fleet/words/concern-words'
import { useStores } from '../../stores.ts'
import { useRulesWords } from '../../texts/rules.ts'
import { useWeekdayMoment } from '../use-moment.ts'

/** Whom a change that was not made yet concerns; nothing where that was not asked. */
export function Concerns({ concerns }: { concerns: readonly SettingsConcern[] | undefined }) {
  const { language } = useStores()
  const rules = useRulesWords()
  const moment = useWeekdayMoment()
  if (!concerns) return null
  return (
    <div class="note" role="status">
      <p>
        <strong>{rules.notYet}</strong>
      </p>
      {concernWords(language.code.value, concerns, moment).map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
    </div>
  )
}
