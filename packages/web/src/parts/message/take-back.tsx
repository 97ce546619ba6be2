import type { HistoryView } from '@courier-fleet/api-types'
import { problemText } from '../../problem-text.ts'
import type { DraftContent } from '../../stores/draft.ts'
import { useStores, useWords } from '../../stores.ts'
import { Failure } from '../failure.tsx'
import { useAsync } from '../use-async.ts'
import { useClock } from '../use-moment.ts'

interface Props {
  readonly history: HistoryView
  /** it is another now; read it again */
  readonly onChanged: () => void
}

/** For the seconds before a message that was just sent from here starts: it can be taken back whole, and written on. */
export function TakeBack({ history, onChanged }: Props) {
  const { draft } = useStores()
  const sent = draft.sent.value
  if (history.state !== 'scheduled' || sent?.key !== history.key || !history.at) return null
  return <Waiting dueAt={history.at} sent={sent} onChanged={onChanged} />
}

interface WaitingProps {
  readonly dueAt: string
  readonly sent: { readonly key: string; readonly content: DraftContent }
  readonly onChanged: () => void
}

function Waiting({ dueAt, sent, onChanged }: WaitingProps) {
  const { api, draft, router, notices } = useStores()
  const words = useWords()
  const { takeBack } = words
  const clock = useClock()
  const taking = useAsync(async () => {
    try {
      await api.cancel(sent.key, { unstarted: true })
    } catch (error) {
      // it may have started just now: then this is gone from the page with what it could say
      notices.announce(problemText(words, error))
      throw error
    }
    draft.change(sent.content)
    notices.announce(words.takeBack.done)
    router.go({ view: 'compose' })
  })
  const hurrying = useAsync(async () => {
    await api.reschedule(sent.key, 'now')
    onChanged()
  })
  return (
    <div class="note take-back">
      <p>{takeBack.until(clock(dueAt))}</p>
      <div class="actions">
        <button type="button" class="primary" onClick={() => taking.run()}>
          {takeBack.yes}
        </button>
        <button type="button" onClick={() => hurrying.run()}>
          {takeBack.atOnce}
        </button>
      </div>
      <Failure error={taking.error.value ?? hurrying.error.value} />
    </div>
  )
}
