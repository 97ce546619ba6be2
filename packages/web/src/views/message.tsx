import type { HistoryView } from '@courier-fleet/api-types'
import { isOver } from '@courier-fleet/api-types/outcome'
import { useSignal } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
import { Failure } from '../parts/failure.tsx'
import { later } from '../parts/later.tsx'
import { Headline } from '../parts/message/headline.tsx'
import { HistoryActions } from '../parts/message/history-actions.tsx'
import { MessageFacts } from '../parts/message/message-facts.tsx'
import { PeopleByClass } from '../parts/message/people-by-class.tsx'
import { Progress } from '../parts/message/progress.tsx'
import { ReceiptList } from '../parts/message/receipt-list.tsx'
import { Standing } from '../parts/message/standing.tsx'
import { TakeBack } from '../parts/message/take-back.tsx'
import { WaitingActions } from '../parts/message/waiting-actions.tsx'
import { Title } from '../parts/title.tsx'
import { createLiveHistory } from '../stores/live-history.ts'
import { useStores, useWords } from '../stores.ts'

const Replay = later(async () => (await import('../parts/replay/replay.tsx')).Replay)

/** One message: what is known of it first, watched live for as long as that may change. */
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
  const hasBegun = history && history.state !== 'scheduled' && history.state !== 'cancelled'
  return (
    <>
      {!history && <Title>{words.message.title}</Title>}
      {live.error.value !== undefined && <Failure error={live.error.value} retry={live.start} />}
      {connection === 'lost' && (
        <p class="note" role="alert">
          {words.message.lost}
        </p>
      )}
      {!history && live.error.value === undefined && <p>{words.loading}</p>}
      {history && (
        <>
          <div class="card told">
            <Headline history={history} />
            <TakeBack history={history} onChanged={live.start} />
            <Standing history={history} />
            {history.state === 'running' && <WaitingActions history={history} onChanged={live.start} />}
            <HistoryActions history={history} onChanged={live.start} />
          </div>
          {hasBegun && <Progress history={history} />}
          {hasBegun && isOver(history) && <ReplayCard history={history} />}
          <MessageFacts history={history} />
          {hasBegun && (
            <>
              {isOver(history) && <PeopleByClass history={history} onChanged={live.start} />}
              <ReceiptList history={history} />
            </>
          )}
        </>
      )}
    </>
  )
}

/** Loaded when it is asked for, or when the address leads to a moment of it. */
function ReplayCard({ history }: { history: HistoryView }) {
  const { router } = useStores()
  const { message } = useWords()
  const isOpen = useSignal(router.route.peek().query?.replay !== undefined)
  if (isOpen.value) return <Replay history={history} />
  return (
    <p class="actions">
      <button type="button" onClick={() => (isOpen.value = true)}>
        {message.replay}
      </button>
    </p>
  )
}
