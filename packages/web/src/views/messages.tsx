import type { HistoryView } from '@courier-fleet/api-types'
import { outcomeWords } from '@courier-fleet/words'
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { matches } from '../matches.ts'
import { Anchor } from '../parts/anchor.tsx'
import { ClassBar } from '../parts/class-bar.tsx'
import { Failure } from '../parts/failure.tsx'
import { Field } from '../parts/field.tsx'
import { HistoryActions } from '../parts/history-actions.tsx'
import { useRecipientLabel } from '../parts/message-facts.tsx'
import { SearchField } from '../parts/search-field.tsx'
import { inNumbers } from '../parts/standing.tsx'
import { Title } from '../parts/title.tsx'
import { useMoment } from '../parts/use-moment.ts'
import { everybody } from '../stores/history-list.ts'
import { useStores, useWords } from '../stores.ts'

const states = ['scheduled', 'held', 'running', 'settled', 'cancelled'] as const

/** `held`: it was due, and waits for an operator */
const stateOf = ({ state, heldSince }: HistoryView) => (heldSince ? 'held' : state)

/** One's own messages, and for operators everybody's; the search looks through what has been read, and reads on when asked. */
export function Messages() {
  const { api, histories, directory, session } = useStores()
  const words = useWords()
  const labelOf = useRecipientLabel()
  const wanted = useSignal('')
  const state = useSignal('')
  useEffect(() => {
    histories.reload()
    const stop = histories.follow()
    if (!directory.groups.value) directory.load().catch(() => {}) // ids stand for names then
    return stop
  }, [])

  const all = histories.histories.value
  const shown = all.filter(
    (each) =>
      (state.value === '' || stateOf(each) === state.value) &&
      matches(
        wanted.value,
        each.text ?? '',
        each.sender,
        each.senderName ?? '',
        ...(each.to ?? []),
        ...(each.to ?? []).map(labelOf),
      ),
  )
  const reread = (key: string) => {
    api.history(key).then(histories.replace, () => histories.reload())
  }
  return (
    <>
      <Title>{words.messagesPage.title}</Title>
      {session.may('operator') && <Whose />}
      <div class="filters">
        <SearchField label={words.messagesPage.search} text={wanted} />
        <Field id="state" label={words.messagesPage.state}>
          {(ids) => (
            <select {...ids} value={state.value} onChange={(event) => (state.value = event.currentTarget.value)}>
              <option value="">{words.messagesPage.anyState}</option>
              {states.map((each) => (
                <option key={each} value={each}>
                  {each === 'held' ? words.messagesPage.held : words.known.histories[each]}
                </option>
              ))}
            </select>
          )}
        </Field>
      </div>
      <p class="hint" role="status">
        {histories.reading.value
          ? words.loading
          : all.length === 0
            ? histories.sender.value === undefined
              ? words.messagesPage.none
              : words.messagesPage.noMatch
            : shown.length === 0
              ? words.messagesPage.noMatch
              : words.messagesPage.count(shown.length, all.length)}
      </p>
      <Failure error={histories.error.value} retry={histories.reload} />
      <ul class="messages">
        {shown.map((history) => (
          <li key={history.key}>
            <Entry history={history} onChanged={() => reread(history.key)} />
          </li>
        ))}
      </ul>
      {histories.more.value && (
        <button type="button" aria-disabled={histories.reading.value} onClick={() => histories.next()}>
          {words.messagesPage.older}
        </button>
      )}
    </>
  )
}

/** Whose messages are shown: one's own, everybody's, or those of one sender. */
function Whose() {
  const { histories } = useStores()
  const { messagesPage } = useWords()
  const sender = histories.sender.value
  return (
    <Field id="whose" label={messagesPage.whose}>
      {(ids) => (
        <select
          {...ids}
          value={sender ?? ''}
          onChange={(event) => histories.showSender(event.currentTarget.value || undefined)}
        >
          <option value="">{messagesPage.own}</option>
          <option value={everybody}>{messagesPage.all}</option>
          {sender !== undefined && sender !== everybody && <option value={sender}>{messagesPage.of(sender)}</option>}
        </select>
      )}
    </Field>
  )
}

function Entry({ history, onChanged }: { history: HistoryView; onChanged: () => void }) {
  const words = useWords()
  const moment = useMoment()
  const labelOf = useRecipientLabel()
  const { language, histories, session } = useStores()
  const { key, sender, senderName, state, text, to = [], at, audience, people } = history
  const { lines, ending } = outcomeWords(language.code.value, history)
  const counts = inNumbers(lines, words.number)
  return (
    <article class="card">
      <h2>
        <Anchor to={{ view: 'message', key }}>{firstLine(text ?? words.known.textGone)}</Anchor>
      </h2>
      <p>
        <span class={`badge ${state === 'settled' ? ending : stateOf(history)}`}>
          {history.heldSince ? words.messagesPage.held : words.known.histories[state]}
        </span>{' '}
        {at && <time dateTime={at}>{moment(at)}</time>}
        {to.length > 0 && ` · ${to.map(labelOf).join(', ')}`}
      </p>
      {sender !== session.current.value?.owner && (
        <p>
          {words.message.sender}:{' '}
          <button
            type="button"
            class="link"
            aria-label={words.messagesPage.allOf(senderName ?? sender)}
            onClick={() => histories.showSender(sender)}
          >
            {senderName ?? sender}
          </button>
        </p>
      )}
      {people && <ClassBar label={counts} counts={people} />}
      <p class="hint">{[audience && words.people(audience.size), counts].filter(Boolean).join(' · ')}</p>
      <HistoryActions history={history} onChanged={onChanged} />
    </article>
  )
}

function firstLine(text: string): string {
  const line = text.trim().split('\n', 1)[0] as string
  return line.length > 100 ? `${line.slice(0, 99)}…` : line
}
