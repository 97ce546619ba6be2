/** One message of a list: what it says, for whom and when, and at a glance whether everyone has it. */
import type { HistoryView } from '@courier-fleet/api-types'
import { outcomeWords } from '@courier-fleet/words'
import { useSignal } from '@preact/signals'
import { type Mark, markOf, resultOf } from '../../list-result.ts'
import { useStores, useWords } from '../../stores.ts'
import { useMessagesWords } from '../../texts/messages-page.ts'
import { Anchor } from '../anchor.tsx'
import { useMoment } from '../use-moment.ts'
import { ClassBar } from './class-bar.tsx'
import { HistoryActions } from './history-actions.tsx'
import { useRecipientLabel } from './use-recipient-label.ts'

/** each of a form of its own: colours are not all that tells them apart */
const marks: Readonly<Record<Mark, string>> = {
  everyone: '✓',
  'handed-over': '→',
  some: '!',
  unknown: '?',
  nothing: '✕',
  nobody: '✕',
  scheduled: '◷',
  held: '‖',
  running: '…',
  cancelled: '–',
}

export function MessageRow({ history, onChanged }: { history: HistoryView; onChanged: () => void }) {
  const words = useWords()
  const page = useMessagesWords()
  const { language } = useStores()
  const open = useSignal(false)
  const { key, text, people } = history
  const mark = markOf(history)
  const { lines } = outcomeWords(language.code.value, history)
  const counts = lines.map(({ count, short }) => `${short}: ${words.number(count)}`).join(' · ')
  const title = firstLine(text ?? words.known.textGone)
  return (
    <article class="message">
      <span class={`seal ${mark}`} aria-hidden="true">
        {marks[mark]}
      </span>
      <h3>
        <Anchor to={{ view: 'message', key }}>{title}</Anchor>
      </h3>
      <Facts history={history} />
      <div class="result" data-mark={mark}>
        <p>
          <strong>{resultOf(history, page)}</strong> {counts && <span class="hint">{counts}</span>}
        </p>
        {people && <ClassBar label={counts} counts={people} />}
      </div>
      <details open={open.value} onToggle={(event) => (open.value = event.currentTarget.open)}>
        <summary aria-label={page.actions(title)}>⋯</summary>
        {open.value && <HistoryActions history={history} onChanged={onChanged} />}
      </details>
    </article>
  )
}

function Facts({ history }: { history: HistoryView }) {
  const { router, session } = useStores()
  const words = useWords()
  const page = useMessagesWords()
  const moment = useMoment()
  const labelOf = useRecipientLabel()
  const { sender, senderName = sender, at, to = [], audience } = history
  const facts = [to.map(labelOf).join(', '), audience && words.people(audience.size)].filter(Boolean).join(' · ')
  return (
    <p class="hint facts">
      {at && <time dateTime={at}>{moment(at)}</time>}
      {facts && ` · ${facts}`}
      {sender !== session.current.value?.owner && (
        <>
          {' · '}
          <button
            type="button"
            class="link"
            aria-label={page.allOf(senderName)}
            onClick={() => router.go({ view: 'messages', query: { sender } })}
          >
            {senderName}
          </button>
        </>
      )}
    </p>
  )
}

function firstLine(text: string): string {
  const line = text.trim().split('\n', 1)[0] as string
  return line.length > 100 ? `${line.slice(0, 99)}…` : line
}
