import type { HistoryView } from '@courier-fleet/api-types'
import { useStores, useWords } from '../../stores.ts'
import { ConfirmDialog } from '../confirm-dialog.tsx'
import { useAsync } from '../use-async.ts'

interface Props {
  readonly history: HistoryView
  readonly onClose: () => void
  readonly onDone: () => void
}

export function CancelDialog({ history, onClose, onDone }: Props) {
  const { api, notices, session } = useStores()
  const { message } = useWords()
  const running = history.state === 'running'
  const cancelling = useAsync(async () => {
    const { outcome } = await api.cancel(history.key)
    notices.announce(outcome === 'cancelled' ? message.cancelled : message.stopping)
    onDone()
  })
  return (
    <ConfirmDialog
      title={running ? message.stopTitle : message.cancelTitle}
      yes={running ? message.stopYes : message.cancelYes}
      act={cancelling}
      onClose={onClose}
    >
      {history.sender !== session.current.value?.owner && <p class="note">{message.notYours(history.sender)}</p>}
      <p>{running ? message.stopText : message.cancelText}</p>
    </ConfirmDialog>
  )
}
