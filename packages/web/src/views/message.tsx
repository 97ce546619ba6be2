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
import { Standing } from '../parts/message/standing.tsx'
import { TakeBack } from '../parts/message/take-back.tsx'
import { WaitingActions } from '../parts/message/waiting-actions.tsx'
import { Title } from '../parts/title.tsx'
import { createLiveHistory } from '../stores/live-history.ts'
import { createNamedPeople } from '../stores/named-people.ts'
import { createPauses, type Pauses } from '../stores/pauses.ts'
import { useStores, useWords } from '../stores.ts'

const ReceiptList = later(async () => (await import('../parts/message/receipt-list.tsx')).ReceiptList)
const ScheduledReach = later(async () => (await import('../parts/message/change-dialogs.ts')).ScheduledReach)
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
  const isRunning = history?.state === 'running'
  const pauses = useMemo(() => createPauses(api), [api])
  useEffect(() => {
    if (isRunning) pauses.start()
    return pauses.stop
  }, [pauses, isRunning])
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
            <Headline history={history} pauses={pauses} />
            <TakeBack history={history} onChanged={live.start} />
            <Standing history={history} />
            {history.state === 'running' && <WaitingActions history={history} onChanged={live.start} />}
            <HistoryActions history={history} onChanged={live.start} />
          </div>
          {history.state === 'scheduled' && <Scheduled history={history} />}
          {hasBegun ? (
            <Begun history={history} pauses={pauses} onChanged={live.start} />
          ) : (
            <MessageFacts history={history} />
          )}
        </>
      )}
    </>
  )
}

/** For whoever may still change it, and so may ask whom it would reach; a URL is nobody of whom that is known. */
function Scheduled({ history }: { history: HistoryView }) {
  const { session } = useStores()
  const { rehearsal } = useWords()
  const { sender, to = [] } = history
  const mayAsk = sender === session.current.value?.owner || session.may('operator')
  if (!mayAsk || to.some((token) => token.startsWith('url:'))) return null
  return (
    <section class="card" aria-labelledby="will-reach">
      <h2 id="will-reach">{rehearsal.title}</h2>
      <ScheduledReach history={history} />
    </section>
  )
}

/** Whoever was not reached stands before how far the channels are. */
function Begun({ history, pauses, onChanged }: { history: HistoryView; pauses: Pauses; onChanged: () => void }) {
  const { api } = useStores()
  const named = useMemo(() => createNamedPeople(api), [history.key])
  useEffect(() => named.stop, [named])
  useEffect(() => named.changed(history), [history])
  const hasNames = Object.values(named.people.value ?? {}).some((each) => each.length > 0)
  return (
    <>
      {(isOver(history) || hasNames) && <PeopleByClass history={history} named={named} onChanged={onChanged} />}
      <Progress history={history} pauses={pauses} />
      {isOver(history) && <ReplayCard history={history} />}
      <MessageFacts history={history} />
      <ReceiptList history={history} missed={named.missed.value} />
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
    <p class="card actions">
      <button type="button" onClick={() => (isOpen.value = true)}>
        {message.replay}
      </button>
    </p>
  )
}
