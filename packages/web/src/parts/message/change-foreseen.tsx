import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { useWords } from '../../stores.ts'
import { useForeseenWords } from '../../texts/foreseen.ts'
import { Failure } from '../failure.tsx'

interface Props<View> {
  /** asks what would be done as things stand now; nothing is changed */
  readonly ask: (signal: AbortSignal) => Promise<View>
  readonly say: (view: View) => readonly string[]
  /** where it is refused, what is to be known beside the words of the problem */
  readonly sayWhy?: (error: unknown) => string | undefined
  /** it is asked again when this is another */
  readonly of: string
}

/** a text is typed letter by letter */
const pauseMs = 250

/** With whom what would be done if a message were corrected or withdrawn now, channel by channel. */
export function ChangeForeseen<View>({ ask, say, sayWhy, of }: Props<View>) {
  const words = useWords()
  const foreseen = useForeseenWords()
  const view = useSignal<View | undefined>(undefined)
  const error = useSignal<unknown>(undefined)
  useEffect(() => {
    const asked = new AbortController()
    const { signal } = asked
    view.value = undefined
    error.value = undefined
    const timer = setTimeout(() => {
      ask(signal).then(
        (found) => {
          if (!signal.aborted) view.value = found
        },
        (cause: unknown) => {
          if (!signal.aborted) error.value = cause
        },
      )
    }, pauseMs)
    return () => {
      clearTimeout(timer)
      asked.abort()
    }
  }, [of])
  if (error.value !== undefined) {
    const why = sayWhy?.(error.value)
    return (
      <>
        <Failure error={error.value} />
        {why && <p class="hint">{why}</p>}
      </>
    )
  }
  return (
    <div role="status">
      <p class="hint">{view.value === undefined ? words.rehearsal.asking : foreseen.title}</p>
      {view.value !== undefined && (
        <ul>
          {say(view.value).map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      )}
    </div>
  )
}
