import type { RehearsalView } from '@courier-fleet/api-types'
import { unreachableWords } from '@courier-fleet/words'
import { useWords } from '../../stores.ts'
import { WindowedList } from '../windowed-list.tsx'

/** By name and reason whoever has no channel by which they can be written to. */
export function Unreachable({ view }: { view: RehearsalView }) {
  const words = useWords()
  const { unreachable } = view
  const count = view.people - view.reachable
  const row = (index: number) => {
    const person = unreachable[index]
    if (!person) return null
    return (
      <>
        <strong>{person.name ?? person.person}</strong>
        <span class="hint">{whyNot(person.channels)}</span>
      </>
    )
  }
  /** one who has nothing anywhere is said so once */
  function whyNot(channels: Record<string, NotReachable>): string {
    const said = Object.entries(channels).filter(([, reason]) => reason !== 'no-contact')
    if (said.length === 0) return unreachableWords(words.known, 'no-contact')
    return said
      .map(([channel, reason]) => `${words.channelName(channel)}: ${unreachableWords(words.known, reason)}`)
      .join('; ')
  }
  const title = words.known.reach.nowhere(count)
  return (
    <details open>
      <summary>{title}</summary>
      <WindowedList label={title} count={unreachable.length} row={row} />
      {unreachable.length < count && <p class="hint">{words.rehearsal.first(unreachable.length)}</p>}
    </details>
  )
}

type NotReachable = RehearsalView['unreachable'][number]['channels'][string]
