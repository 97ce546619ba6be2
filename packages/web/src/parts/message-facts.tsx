import type { HistoryView } from '@courier-fleet/api-types'
import { below } from '@courier-fleet/channels'
import { narrowingWords } from '@courier-fleet/words'
import { useStores, useWords } from '../stores.ts'
import { Bubble } from './bubble.tsx'
import { ForecastFacts } from './forecast-facts.tsx'
import { useMoment } from './use-moment.ts'

export function MessageFacts({ history }: { history: HistoryView }) {
  const words = useWords()
  const moment = useMoment()
  const { session } = useStores()
  const labelOf = useRecipientLabel()
  const times = [
    [words.message.due, history.at],
    [words.message.sentAt, history.startedAt],
    [words.message.doneAt, history.settledAt],
  ] as const
  return (
    <section class="card">
      {history.text === undefined ? (
        <p class="hint">{words.known.textGone}</p>
      ) : (
        <Bubble text={below(history.senderLine ?? '', history.text)} />
      )}
      <dl class="facts">
        {history.sender !== session.current.value?.owner && (
          <>
            <dt>{words.message.sender}</dt>
            <dd>{history.sender}</dd>
          </>
        )}
        <dt>{words.message.for}</dt>
        <dd>
          {[...new Set((history.to ?? []).map(labelOf))].join(', ')}
          {history.audience && <> · {words.people(history.audience.size)}</>}
        </dd>
        {history.event && (
          <>
            <dt>{words.message.event}</dt>
            <dd>
              {history.event.id} · {words.message.fromEvent(history.event.offset)}
            </dd>
          </>
        )}
        {history.cancelledBy && (
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
                  <time dateTime={at}>{moment(at)}</time>
                </dd>
              </>
            ),
        )}
        <ForecastFacts history={history} />
      </dl>
    </section>
  )
}

/** The name behind a token, as far as the directory was read. */
export function useRecipientLabel(): (token: string) => string {
  const { directory, language } = useStores()
  const words = useWords()
  return (token) => {
    const [kind, id = ''] = token.split(':')
    const among = kind === 'group' ? directory.groups.value : kind === 'cohort' ? directory.cohorts.value : undefined
    const narrowing = narrowingWords(language.code.value, token)
    if (narrowing !== undefined) return narrowing
    if (kind === 'url') return urlLabel(token.slice('url:'.length))
    if (kind === 'role') return words.everyRole[id] ?? token
    if (kind === 'topic') return directory.topics.value?.find((each) => each.id === id)?.name[language.code.value] ?? id
    return among?.find((each) => each.id === id)?.name ?? id
  }
}

/** Without the query, which may hold a secret. */
function urlLabel(url: string): string {
  const { host, pathname } = new URL(url)
  return pathname === '/' ? host : host + pathname
}
