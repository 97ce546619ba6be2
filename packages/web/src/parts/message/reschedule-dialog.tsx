import type { HistoryView } from '@courier-fleet/api-types'
import { useSignal } from '@preact/signals'
import { fieldOf, problemText } from '../../problem-text.ts'
import { useStores, useWords } from '../../stores.ts'
import { instantOf, wallTimeOf } from '../../wall-time.ts'
import { WallTimeField } from '../compose/wall-time-field.tsx'
import { Dialog } from '../dialog.tsx'
import { Failure } from '../failure.tsx'
import { useAsync } from '../use-async.ts'
import { useWeekdayMoment } from '../use-moment.ts'
import { ScheduledReach } from './scheduled-reach.tsx'

interface Props {
  readonly history: HistoryView
  readonly onClose: () => void
  readonly onDone: () => void
}

export function RescheduleDialog({ history, onClose, onDone }: Props) {
  const { api, session, notices } = useStores()
  const words = useWords()
  const moment = useWeekdayMoment()
  const zone = session.timeZone.value
  const at = useSignal(wallTimeOf(zone, Date.parse(history.at ?? '') || Date.now()))
  const saving = useAsync(async (when: string) => {
    const { at: due } = await api.reschedule(history.key, when)
    if (due) notices.announce(words.message.rescheduled(moment(due)))
    onDone()
  })
  const failure = saving.error.value
  const atField = fieldOf(failure) === 'at'
  return (
    <Dialog title={words.message.rescheduleTitle} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          saving.run(instantOf(zone, at.value) ?? at.value)
        }}
      >
        <WallTimeField
          value={at.value}
          error={atField ? problemText(words, failure) : undefined}
          onChange={(next) => (at.value = next)}
        />
        <ScheduledReach history={history} at={instantOf(zone, at.value)} />
        {!atField && <Failure error={failure} />}
        <div class="actions">
          <button type="submit" class="primary">
            {words.message.save}
          </button>
          <button type="button" onClick={() => saving.run('now')}>
            {words.message.nowAtOnce}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
