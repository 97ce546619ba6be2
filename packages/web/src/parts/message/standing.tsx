import type { HistoryView } from '@courier-fleet/api-types'
import { isOver, mayBeReported } from '@courier-fleet/api-types/outcome'
import { type ClassLine, outcomeWords } from '@courier-fleet/words'
import { useEffect, useRef } from 'preact/hooks'
import { useStores, useWords } from '../../stores.ts'
import { useMoment } from '../use-moment.ts'
import { ClassBar } from './class-bar.tsx'

/** A screen reader is told how far it is, but not more often; how it ended, and what comes to light later, is told at once. */
const announceMs = 5000

/**
 * What is known of everyone: in a bar and in numbers, and what comes still. Follows the history, also after it has settled. A screen
 * reader is told the same as one sentence whenever it changes.
 */
export function Standing({ history }: { history: HistoryView }) {
  const { language, notices } = useStores()
  const words = useWords()
  const moment = useMoment()
  const announcedAt = useRef(0)
  const over = isOver(history)
  const { sentence, beside, ending, lines } = outcomeWords(language.code.value, history, {
    moment: (ms) => moment(new Date(ms).toISOString()),
  })

  useEffect(() => {
    if (!over && Date.now() - announcedAt.current < announceMs) return
    announcedAt.current = Date.now()
    notices.announce(sentence)
  }, [sentence])

  return (
    <section class="standing" aria-label={words.message.standing} data-ending={over ? ending : undefined}>
      {history.people && <ClassBar label={inNumbers(lines, words.number)} counts={history.people} />}
      <ul class="classes">
        {lines.map((line) => (
          <li key={line.class} data-class={line.class}>
            <span class={`swatch ${line.class}`} aria-hidden="true" />
            <strong>{words.number(line.count)}</strong>
            <span>
              {line.words}
              {line.why.length > 0 &&
                ` (${line.why.map((each) => words.known.counted(each.count, each.words)).join(', ')})`}
            </span>
          </li>
        ))}
      </ul>
      {beside && <p>{beside}</p>}
      {noteOf()}
    </section>
  )

  function noteOf() {
    const { state, cancelledAt } = history
    if (state === 'running') return <p class="hint">{cancelledAt ? words.message.stopping : words.message.live}</p>
    return mayBeReported(history, Date.now()) && <p class="hint">{words.message.mayBeReported}</p>
  }
}

/** `delivered: 5, not delivered: 2` */
export const inNumbers = (lines: readonly ClassLine[], number: (count: number) => string) =>
  lines.map((line) => `${line.words}: ${number(line.count)}`).join(', ')
