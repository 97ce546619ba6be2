import type { HistoryView } from '@courier-fleet/api-types'
import { isOver } from '@courier-fleet/api-types/outcome'
import { useEffect, useMemo } from 'preact/hooks'
import { Endings } from '../parts/endings.tsx'
import { Failure } from '../parts/failure.tsx'
import { HistoryActions } from '../parts/history-actions.tsx'
import { MessageFacts } from '../parts/message-facts.tsx'
import { Progress } from '../parts/progress.tsx'
import { ReceiptList } from '../parts/receipt-list.tsx'
import { Title } from '../parts/title.tsx'
import { useMoment } from '../parts/use-moment.ts'
import { createLiveHistory } from '../stores/live-history.ts'
import { useStores, useWords } from '../stores.ts'

/** One message: watched live until it is over, and what has become of it then. */
export function Message({ messageKey }: { messageKey: string }) {
  const { api } = useStores()
  const words = useWords()
  const live = useMemo(() => createLiveHistory(api, messageKey), [messageKey])
  useEffect(() => {
    live.start()
    return live.stop
  }, [live])

  const history = live.history.value
  const connection = live.connection.value
  return (
    <>
      <Title>{words.message.title}</Title>
      {live.error.value !== undefined && <Failure error={live.error.value} retry={live.start} />}
      {connection === 'lost' && (
        <p class="note" role="alert">
          {words.message.lost}
        </p>
      )}
      {!history && live.error.value === undefined && <p>{words.loading}</p>}
      {history && (
        <>
          <MessageFacts history={history} />
          <HistoryActions history={history} onChanged={live.start} />
          <State history={history} />
          {history.state !== 'scheduled' && history.state !== 'cancelled' && (
            <>
              <Progress history={history} />
              {isOver(history) && <Endings history={history} />}
              <ReceiptList history={history} />
            </>
          )}
        </>
      )}
    </>
  )
}

/** Where it is, in words. */
function State({ history }: { history: HistoryView }) {
  const words = useWords()
  const moment = useMoment()
  const { state, at, cancelledAt } = history
  if (state === 'cancelled') return <p class="figure">{words.message.cancelledBefore}</p>
  if (state === 'running') return <p class="hint">{cancelledAt ? words.message.stopping : words.message.live}</p>
  if (state !== 'scheduled' || !at) return null
  return (
    <p class="figure" role="status">
      {Date.parse(at) > Date.now() ? words.message.notYet(moment(at)) : words.message.soon}
    </p>
  )
}
