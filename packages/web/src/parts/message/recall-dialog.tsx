import type { HistoryView } from '@courier-fleet/api-types'
import { recallRehearsalWords } from '@courier-fleet/words/change-rehearsal-words'
import { useStores, useWords } from '../../stores.ts'
import { useRecallWords } from '../../texts/recall.ts'
import { ConfirmDialog } from '../confirm-dialog.tsx'
import { useAsync } from '../use-async.ts'
import { ChangeForeseen } from './change-foreseen.tsx'

interface Props {
  readonly history: HistoryView
  readonly onClose: () => void
  readonly onDone: () => void
}

/** Takes a message that has begun from whoever has it. */
export function RecallDialog({ history, onClose, onDone }: Props) {
  const { api, language, notices, session } = useStores()
  const { message } = useWords()
  const recall = useRecallWords()
  const recalling = useAsync(async () => {
    const { outcome } = await api.recall(history.key)
    notices.announce(outcome === 'cancelled' ? message.cancelled : recall.done)
    onDone()
  })
  return (
    <ConfirmDialog title={recall.title} yes={recall.yes} act={recalling} onClose={onClose}>
      {history.sender !== session.current.value?.owner && <p class="note">{message.notYours(history.sender)}</p>}
      <p>{recall.whom}</p>
      <p class="hint">{recall.others}</p>
      {recalling.error.value === undefined && (
        <ChangeForeseen
          ask={(signal) => api.rehearseRecall(history.key, signal)}
          say={(view) => recallRehearsalWords(language.code.value, view)}
          of={history.key}
        />
      )}
    </ConfirmDialog>
  )
}
