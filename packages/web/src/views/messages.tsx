import type { HistoryView, ListState } from '@courier-fleet/api-types'
import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { Anchor } from '../parts/anchor.tsx'
import { Failure } from '../parts/failure.tsx'
import { Field } from '../parts/field.tsx'
import { MessageRow } from '../parts/message/message-row.tsx'
import { Title } from '../parts/title.tsx'
import { useMoment } from '../parts/use-moment.ts'
import { everybody, listStateOf, type WhichHistories } from '../stores/history-list.ts'
import { useStores, useWords } from '../stores.ts'
import { useMessagesWords } from '../texts/messages-page.ts'

/** in the order in which they are shown: what is not over yet first */
const states = ['held', 'running', 'scheduled', 'settled', 'cancelled'] as const satisfies readonly ListState[]
/** what has ended one way or the other stands together, the newest first */
const sections: readonly (readonly ListState[])[] = [['held'], ['running'], ['scheduled'], ['settled', 'cancelled']]
/** after the last key that was pressed */
const searchMs = 300

/** One's own messages, and for operators everybody's. What is shown stands in the address, so that going back shows it again. */
export function Messages() {
  const { api, router, histories, session } = useStores()
  const words = useMessagesWords()
  const which = whichOf(router.route.value.query)
  useEffect(() => histories.follow(), [])
  useEffect(() => {
    histories.show(which)
  }, [which.sender, which.state, which.search])

  const reread = (key: string) => {
    api.history(key).then(histories.replace, () => histories.reload())
  }
  return (
    <>
      <Title>{words.title}</Title>
      <div class="filters">
        <Search which={which} />
        {session.may('operator') && <Whose which={which} />}
      </div>
      <States which={which} />
      <Found which={which} />
      <Failure error={histories.error.value} retry={histories.reload} />
      {sections.map((section) => (
        <Section key={section[0]} section={section} onChanged={reread} />
      ))}
      {histories.more.value && (
        <button type="button" aria-disabled={histories.reading.value} onClick={() => histories.next()}>
          {words.older}
        </button>
      )}
    </>
  )
}

function whichOf({ sender, state, search }: Readonly<Record<string, string>> = {}): WhichHistories {
  const known = states.find((each) => each === state)
  return { ...(sender ? { sender } : {}), ...(known ? { state: known } : {}), ...(search ? { search } : {}) }
}

const routeTo = (which: WhichHistories) => ({ view: 'messages', query: { ...which } }) as const

/** The words are put into the address once nothing more is typed. */
function Search({ which }: { which: WhichHistories }) {
  const { router } = useStores()
  const words = useMessagesWords()
  const text = useSignal(which.search ?? '')
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  useEffect(() => {
    // somebody went back, or elsewhere
    if (timer.current === undefined) text.value = which.search ?? ''
  }, [which.search])
  useEffect(() => () => clearTimeout(timer.current), [])

  function type(typed: string) {
    text.value = typed
    clearTimeout(timer.current)
    timer.current = setTimeout(() => {
      timer.current = undefined
      const { search: _, ...rest } = which
      router.replace(routeTo({ ...rest, ...(typed.trim() ? { search: typed.trim() } : {}) }))
    }, searchMs)
  }
  return (
    <Field id="search" label={words.search} hint={words.searchHint}>
      {(ids) => (
        <input {...ids} type="search" value={text.value} onInput={(event) => type(event.currentTarget.value)} />
      )}
    </Field>
  )
}

/** Whose messages are shown: one's own, everybody's, or those of one sender. */
function Whose({ which }: { which: WhichHistories }) {
  const { router } = useStores()
  const words = useMessagesWords()
  const { sender, ...rest } = which
  return (
    <Field id="whose" label={words.whose}>
      {(ids) => (
        <select
          {...ids}
          value={sender ?? ''}
          onChange={({ currentTarget: { value } }) =>
            router.go(routeTo({ ...rest, ...(value === '' ? {} : { sender: value }) }))
          }
        >
          <option value="">{words.own}</option>
          <option value={everybody}>{words.all}</option>
          {sender !== undefined && sender !== everybody && <option value={sender}>{words.of(sender)}</option>}
        </select>
      )}
    </Field>
  )
}

/** How many there are of each state, which is the way to them. */
function States({ which }: { which: WhichHistories }) {
  const { histories } = useStores()
  const words = useMessagesWords()
  const { number } = useWords()
  const moment = useMoment()
  const counts = histories.counts.value
  const { state: chosen, ...rest } = which
  const all = counts && states.reduce((sum, state) => sum + counts[state], 0)
  const shown = states.filter((state) => state === chosen || state === 'settled' || (counts?.[state] ?? 0) > 0)
  return (
    <nav aria-label={words.states}>
      <ul class="states">
        <li>
          <Anchor to={routeTo(rest)} current={chosen === undefined}>
            {words.any} {all !== undefined && <strong>{number(all)}</strong>}
          </Anchor>
        </li>
        {shown.map((state) => (
          <li key={state} data-state={state}>
            <Anchor to={routeTo({ ...rest, state })} current={chosen === state}>
              {words.byState[state]} {counts && <strong>{number(counts[state])}</strong>}
            </Anchor>
          </li>
        ))}
      </ul>
      {counts?.since && <p class="hint">{words.countedSince(moment(counts.since))}</p>}
    </nav>
  )
}

/** How many are shown of how many; or that nothing was found, and how far that was looked for. */
function Found({ which }: { which: WhichHistories }) {
  const { histories } = useStores()
  const { loading, number } = useWords()
  const words = useMessagesWords()
  const moment = useMoment()
  return (
    <p class="hint" role="status">
      {said()}
    </p>
  )

  function said(): string {
    const shown = histories.histories.value.length
    const counts = histories.counts.value
    const since = histories.searchedSince.value
    if (histories.reading.value) return loading
    if (histories.error.value !== undefined) return ''
    if (shown > 0) {
      const of = counts && (which.state ? counts[which.state] : states.reduce((sum, state) => sum + counts[state], 0))
      return of === undefined || counts?.since || of < shown ? '' : words.shown(number(shown), number(of))
    }
    if (since !== undefined) return words.noMatchSince(moment(since))
    return Object.keys(which).length === 0 ? words.none : words.noMatch
  }
}

function Section({ section, onChanged }: { section: readonly ListState[]; onChanged: (key: string) => void }) {
  const { histories } = useStores()
  const words = useMessagesWords()
  const found = histories.histories.value.filter((history) => section.includes(listStateOf(history)))
  if (found.length === 0) return null
  const [state = 'settled'] = section
  const sorted = state === 'scheduled' ? [...found].sort(byDue) : [...found].sort(byAcceptance)
  const heading = found.every((history) => listStateOf(history) === 'cancelled') ? 'cancelled' : state
  return (
    <section aria-labelledby={`of-${state}`}>
      <h2 id={`of-${state}`}>{words.byState[heading]}</h2>
      <ul class="messages">
        {sorted.map((history) => (
          <li key={history.key}>
            <MessageRow history={history} onChanged={() => onChanged(history.key)} />
          </li>
        ))}
      </ul>
    </section>
  )
}

const byDue = (one: HistoryView, other: HistoryView) => Date.parse(one.at ?? '') - Date.parse(other.at ?? '')
const byAcceptance = (one: HistoryView, other: HistoryView) =>
  Date.parse(other.acceptedAt ?? '') - Date.parse(one.acceptedAt ?? '')
