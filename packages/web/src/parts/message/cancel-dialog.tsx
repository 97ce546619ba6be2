import type { HistoryView } from '@courier-fleet/api-types'
import { useStores, useWords } from '../../stores.ts'
import { Dialog } from '../dialog.tsx'
import { Failure } from '../failure.tsx'
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
    <Dialog title={running ? message.stopTitle : message.cancelTitle} onClose={onClose}>
      {history.sender !== session.current.value?.owner && <p class="note">{message.notYours(history.sender)}</p>}
      <p>{running ? message.stopText : message.cancelText}</p>
      <Failure error={cancelling.error.value} />
      <div class="actions">
        <button type="button" class="danger" onClick={() => cancelling.run()}>
          {running ? message.stopYes : message.cancelYes}
        </button>
        <button type="button" onClick={onClose}>
          {message.keep}
        </button>
      </div>
    </Dialog>
  )
}
