import type { HistoryView } from '@courier-fleet/api-types'
import { whoWaits } from '@courier-fleet/words'
import { useSignal } from '@preact/signals'
import { useStores, useWords } from '../../stores.ts'
import { Dialog } from '../dialog.tsx'
import { Failure } from '../failure.tsx'
import { useAsync } from '../use-async.ts'

interface Props {
  readonly history: HistoryView
  readonly onChanged: () => void
}

/** What can be done about those who wait because of a rule about people: send to them now, or leave them out. */
export function WaitingActions({ history, onChanged }: Props) {
  const { api, session, notices } = useStores()
  const { waiting: said, message, known } = useWords()
  const asked = useSignal<'send' | 'cancel' | undefined>(undefined)
  const deciding = useAsync(async (what: 'send' | 'cancel') => {
    const { people } = await (what === 'send' ? api.sendNow(history.key) : api.cancelWaiting(history.key))
    asked.value = undefined
    notices.announce(what === 'send' ? said.sent(people) : said.cancelled(people))
    onChanged()
  })
  const waits = whoWaits(history, session.may('staff'))
  if (waits.all === 0 || history.cancelledAt) return null
  const what = asked.value
  return (
    <>
      {waits.forOperators > 0 && <p>{known.askOperators}</p>}
      <div class="actions">
        {waits.now > 0 && (
          <button type="button" onClick={() => (asked.value = 'send')}>
            {said.send(waits.now)}
          </button>
        )}
        <button type="button" onClick={() => (asked.value = 'cancel')}>
          {said.cancel(waits.all)}
        </button>
        {what && (
          <Dialog title={what === 'send' ? said.sendTitle : said.cancelTitle} onClose={() => (asked.value = undefined)}>
            <p>{what === 'send' ? said.sendText(waits) : said.cancelText(waits)}</p>
            <Failure error={deciding.error.value} />
            <div class="actions">
              <button type="button" class={what === 'cancel' ? 'danger' : 'primary'} onClick={() => deciding.run(what)}>
                {what === 'send' ? said.sendYes : said.cancelYes}
              </button>
              <button type="button" onClick={() => (asked.value = undefined)}>
                {message.keep}
              </button>
            </div>
          </Dialog>
        )}
      </div>
    </>
  )
}
