import type { ComponentChildren } from 'preact'
import { useWords } from '../stores.ts'
import { Dialog } from './dialog.tsx'
import { Failure } from './failure.tsx'
import type { Async } from './use-async.ts'

interface Props {
  readonly title: string
  /** on the button that does it */
  readonly yes: string
  /** on the one that leaves all as it is; the usual words when absent */
  readonly no?: string
  readonly act: Async<[]>
  readonly onClose: () => void
  readonly children: ComponentChildren
}

/** Asks before something is taken away or stopped; what went wrong stands below the question. */
export function ConfirmDialog({ title, yes, no, act, onClose, children }: Props) {
  const { message } = useWords()
  return (
    <Dialog title={title} onClose={onClose}>
      {children}
      <Failure error={act.error.value} />
      <div class="actions">
        <button type="button" class="danger" aria-disabled={act.running.value} onClick={() => act.run()}>
          {yes}
        </button>
        <button type="button" onClick={onClose}>
          {no ?? message.keep}
        </button>
      </div>
    </Dialog>
  )
}
