import type { HistoryView } from '@courier-fleet/api-types'
import { below } from '@courier-fleet/channels'
import { useStores, useWords } from '../../stores.ts'
import { useMessageWords } from '../../texts/message.ts'
import { later } from '../later.tsx'
import { useMoment, useWeekdayMoment } from '../use-moment.ts'
import { Bubble } from './bubble.tsx'
import { ForecastFacts } from './forecast-facts.tsx'
import { useRecipients } from './use-recipient-label.ts'

const FileFacts = later(async () => (await import('./file-facts.tsx')).FileFacts)

export function MessageFacts({ history }: { history: HistoryView }) {
  const words = useWords()
  const moment = useMoment()
  const { session } = useStores()
  const weekday = useWeekdayMoment()
  const size = history.audience && words.people(history.audience.size)
  const recipients = [useRecipients(history), size].filter(Boolean).join(' · ')
  const momentOfDue = history.state === 'scheduled' ? weekday : moment
  const due = history.at && momentOfDue(history.at)
  const started = history.startedAt && moment(history.startedAt)
  const times = [
    [words.message.due, history.at],
    // most begin in the minute they are due
    [words.message.sentAt, started === due ? undefined : history.startedAt],
    [words.message.doneAt, history.settledAt],
  ] as const
  return (
    <section class="card">
      {history.text === undefined ? (
        <p class="hint">{words.known.textGone}</p>
      ) : (
        [history.text, ...Object.values(history.texts ?? {})].map((text) => (
          <Bubble key={text} text={below(history.senderLine ?? '', text)} />
        ))
      )}
      <dl class="facts">
        {history.sender !== session.current.value?.owner && (
          <>
            <dt>{words.message.sender}</dt>
            <dd>{history.sender}</dd>
          </>
        )}
        <dt>{words.message.for}</dt>
        <dd>{recipients}</dd>
        {history.event && (
          <>
            <dt>{words.message.event}</dt>
            <dd>
              {history.event.id} · {words.message.fromEvent(history.event.offset)}
            </dd>
          </>
        )}
        {history.cancelledBy && history.cancelledBy !== session.current.value?.owner && (
          <>
            <dt>{words.message.cancelledBy}</dt>
            <dd>{history.cancelledBy}</dd>
          </>
        )}
        {times.map(
          ([label, at]) =>
            at && (
              <>
                <dt>{label}</dt>
                <dd>
                  <time dateTime={at}>{at === history.at ? due : moment(at)}</time>
                </dd>
              </>
            ),
        )}
        <ForecastFacts history={history} />
        <EarlierTexts history={history} />
      </dl>
      {history.files && <FileFacts files={history.files} />}
    </section>
  )
}

/** Of a message that was corrected: both what people had and what they were to have instead can be read. */
function EarlierTexts({ history: { versions = [] } }: { history: HistoryView }) {
  const words = useWords()
  const moment = useMoment()
  const { earlierText } = useMessageWords()
  return versions.slice(0, -1).map(({ at, text, texts = {} }) => (
    <>
      <dt>{earlierText(moment(at))}</dt>
      <dd>
        {text === undefined
          ? words.known.textGone
          : [text, ...Object.values(texts)].map((each) => <Bubble key={each} text={each} />)}
      </dd>
    </>
  ))
}
