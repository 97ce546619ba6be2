import type { HistoryView } from '@courier-fleet/api-types'
import { narrowingIn } from '@courier-fleet/api-types/narrowing'
import { useSignal } from '@preact/signals'
import { csvUrl } from '../page-client.ts'
import { useStores, useWords } from '../stores.ts'
import { CancelDialog } from './cancel-dialog.tsx'
import { Failure } from './failure.tsx'
import { useRecipientLabel } from './message-facts.tsx'
import { RescheduleDialog } from './reschedule-dialog.tsx'
import { useAsync } from './use-async.ts'

interface Props {
  readonly history: HistoryView
  /** it is another now; read it again */
  readonly onChanged: () => void
}

/** What can still be done about a message. */
export function HistoryActions({ history, onChanged }: Props) {
  const { api, session, draft, router, language, notices } = useStores()
  const words = useWords()
  const labelOf = useRecipientLabel()
  const open = useSignal<'cancel' | 'reschedule' | undefined>(undefined)
  const { key, state, sender, to = [], text = '' } = history
  const isOwn = sender === session.current.value?.owner
  // operators stop and move everybody's
  const mayManage = isOwn || session.may('operator')
  const mayStop = state === 'running' && !history.cancelledAt

  const close = () => (open.value = undefined)
  const writeAgain = (tokens: readonly string[]) => {
    draft.change({ to: tokens.map((token) => ({ token, label: labelOf(token) })), text, when: 'now' })
    router.go({ view: 'compose' })
  }
  const changed = () => {
    close()
    onChanged()
    // a message that has not begun counts no more against the day's
    api.limits().then(session.setLimits, () => {})
  }
  const releasing = useAsync(async () => {
    await api.release(key)
    notices.announce(words.message.released)
    changed()
  })
  return (
    <div class="actions">
      {history.heldSince && session.may('operator') && (
        <button type="button" class="primary" onClick={() => releasing.run()}>
          {words.message.release}
        </button>
      )}
      {mayManage && state === 'scheduled' && (
        <button type="button" onClick={() => (open.value = 'reschedule')}>
          {words.message.reschedule}
        </button>
      )}
      {mayManage && (state === 'scheduled' || mayStop) && (
        <button type="button" onClick={() => (open.value = 'cancel')}>
          {state === 'running' ? words.message.stop : words.message.cancel}
        </button>
      )}
      {state !== 'scheduled' && state !== 'cancelled' && (
        <a class="button" href={csvUrl(key, language.code.value === 'ru' ? 'semicolon' : 'comma')} download>
          {words.message.csv}
        </a>
      )}
      <button type="button" onClick={() => writeAgain(to)}>
        {words.message.again}
      </button>
      {isKnownOfSome(history) && (
        <button type="button" onClick={() => writeAgain(toRestOf(history))}>
          {words.message.againToRest}
        </button>
      )}
      <Failure error={releasing.error.value} />
      {open.value === 'cancel' && <CancelDialog history={history} onClose={close} onDone={changed} />}
      {open.value === 'reschedule' && <RescheduleDialog history={history} onClose={close} onDone={changed} />}
    </div>
  )
}

/** Some are known to have it, and others are not. A URL is nobody of whom that could be asked. */
function isKnownOfSome({ text, to = [], audience, people }: HistoryView): boolean {
  if (text === undefined || !audience || !people || to.some((token) => token.startsWith('url:'))) return false
  return people.delivered > 0 && people.delivered < audience.size
}

/** Whom it was for, less those who are known to have it: what else narrowed it then is in its audience. */
const toRestOf = ({ key, to = [] }: HistoryView) => [...to.filter((token) => !narrowingIn(token)), `unconfirmed:${key}`]
