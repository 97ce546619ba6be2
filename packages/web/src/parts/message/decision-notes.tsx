import type { HistoryView } from '@courier-fleet/api-types'
import { reasonWords } from '@courier-fleet/words'
import { useStores, useWords } from '../../stores.ts'
import { useMoment } from '../use-moment.ts'

/** Who has decided what about people who were unknown. */
export function DecisionNotes({ history: { decisions = [] } }: { history: HistoryView }) {
  const { language } = useStores()
  const words = useWords()
  const moment = useMoment()
  return (
    <ul class="notes">
      {decisions.map(({ decision, channel, by, people, at }) => (
        <li key={`${decision} ${channel} ${by}`}>
          {words.channelName(channel)}: {reasonWords(language.code.value, decision)}: {words.people(people)} ({by},{' '}
          <time dateTime={at}>{moment(at)}</time>)
        </li>
      ))}
    </ul>
  )
}
