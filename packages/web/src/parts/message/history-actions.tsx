import type { HistoryView } from '@courier-fleet/api-types'
import { toLeftOf } from '@courier-fleet/api-types/narrowing'
import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { csvUrl } from '../../page-client.ts'
import { useStores, useWords } from '../../stores.ts'
import { Failure } from '../failure.tsx'
import { later } from '../later.tsx'
import { focusHeading } from '../title.tsx'
import { useAsync } from '../use-async.ts'
import { CancelDialog } from './cancel-dialog.tsx'
import { useRecipientLabel } from './use-recipient-label.ts'

const RecallDialog = later(async () => (await import('./change-dialogs.ts')).RecallDialog)
const RescheduleDialog = later(async () => (await import('./change-dialogs.ts')).RescheduleDialog)
const CorrectDialog = later(async () => (await import('./change-dialogs.ts')).CorrectDialog)

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
  const open = useSignal<'cancel' | 'correct' | 'recall' | 'reschedule' | undefined>(undefined)
  const {
    key,
    state,
    sender,
    to = [],
    text = '',
    fields = {},
    cancelledAt,
    heldSince,
    recalled,
    confirm,
    confirmed,
  } = history
  const isOwn = sender === session.current.value?.owner
  // operators stop and move everybody's
  const mayManage = isOwn || session.may('operator')
  const mayStop = state === 'running' && !cancelledAt

  const close = () => (open.value = undefined)
  const writeAgain = (tokens: readonly string[]) => {
    const recipients = tokens.map((token) => ({ token, label: labelOf(token) }))
    draft.change({ to: recipients, text, template: undefined, values: fields, when: 'now', confirm })
    router.go({ view: 'compose' })
  }
  const onceMore = () => {
    const sent = draft.sent.value
    // cancelled, its text is kept no more but here: whoever took it back may not have heard that it was
    if (state !== 'cancelled' || sent?.key !== key) return writeAgain(to)
    draft.change(sent.content)
    router.go({ view: 'compose' })
  }
  const hasActed = useRef(false)
  useEffect(() => {
    // the button of what was done goes when it is done, and would take the focus with it
    if (hasActed.current && document.activeElement === document.body) focusHeading()
    hasActed.current = false
  }, [state, cancelledAt, heldSince, recalled])
  const changed = () => {
    hasActed.current = true
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
      {heldSince && session.may('operator') && (
        <button type="button" class="primary" onClick={() => releasing.run()}>
          {words.message.release}
        </button>
      )}
      {mayManage && state === 'scheduled' && (
        <button type="button" onClick={() => (open.value = 'reschedule')}>
          {words.message.reschedule}
        </button>
      )}
      {mayManage && isCorrectable(history) && (
        <button type="button" onClick={() => (open.value = 'correct')}>
          {state === 'scheduled' ? words.message.change : words.message.correct}
        </button>
      )}
      {mayManage && (state === 'scheduled' || mayStop) && (
        <button type="button" onClick={() => (open.value = 'cancel')}>
          {state === 'running' ? words.message.stop : words.message.cancel}
        </button>
      )}
      {mayManage && isRecallable(history) && (
        <button type="button" onClick={() => (open.value = 'recall')}>
          {words.message.withdraw}
        </button>
      )}
      {state !== 'scheduled' && state !== 'cancelled' && (
        <a class="button" href={csvUrl(key, language.code.value === 'ru' ? 'semicolon' : 'comma')} download>
          {words.message.csv}
        </a>
      )}
      <button type="button" onClick={onceMore}>
        {words.message.again}
      </button>
      {isKnownOfSome(history) && (
        <button type="button" onClick={() => writeAgain(toLeftOf(history, 'unconfirmed'))}>
          {confirmed ? words.message.remind(confirmed.no) : words.message.againToRest}
        </button>
      )}
      <Failure error={releasing.error.value} />
      {open.value === 'cancel' && <CancelDialog history={history} onClose={close} onDone={changed} />}
      {open.value === 'correct' && <CorrectDialog history={history} onClose={close} onDone={changed} />}
      {open.value === 'recall' && <RecallDialog history={history} onClose={close} onDone={changed} />}
      {open.value === 'reschedule' && <RescheduleDialog history={history} onClose={close} onDone={changed} />}
    </div>
  )
}

/** A text that is still kept. */
const isCorrectable = ({ text, state, cancelledAt }: HistoryView): boolean =>
  text !== undefined && state !== 'cancelled' && !cancelledAt

/** Somebody may have it, and it is not withdrawn yet. */
const isRecallable = ({ text, state, recalled }: HistoryView): boolean =>
  text !== undefined && (state === 'running' || state === 'settled') && !recalled

const isForUrls = (to: readonly string[]) => to.some((token) => token.startsWith('url:'))

/** Some are known to have it, and others are not; or some have not confirmed it, where it asks for that. A URL is nobody of whom that could be asked. */
function isKnownOfSome({ text, to = [], audience, people, confirmed }: HistoryView): boolean {
  if (text === undefined || !audience || !people || isForUrls(to)) return false
  if (confirmed) return confirmed.no > 0
  return people.delivered > 0 && people.delivered < audience.size
}
