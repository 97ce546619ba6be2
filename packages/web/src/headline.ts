/** What is known of a message, in one line: the heading of its page and of its tab. The sentence below it has the reasons. */
import type { HistoryView } from '@courier-fleet/api-types'
import { endingOf, isOver } from '@courier-fleet/api-types/outcome'
import type { PeopleClass } from '@courier-fleet/api-types/people-classes'
import { type Catalogue, whoWaits } from '@courier-fleet/words'
import type { HeadlineWords } from './texts/message.ts'

interface Form {
  readonly known: Catalogue
  readonly say: HeadlineWords
  readonly moment: (iso: string) => string
  /** how long it still takes, where that is known */
  readonly leftMs?: number | undefined
}

/** who has it not, or of whom that is not known */
const others = ['unknown', 'notDelivered', 'withoutContact', 'toldByVoice'] as const satisfies readonly PeopleClass[]

export function headlineOf(history: HistoryView, { known, say, moment, leftMs }: Form): string {
  const { state, at = '', heldSince, cancelledAt, recalled, people, audience } = history
  const size = audience?.size ?? 0
  if (!people) {
    if (state === 'issued') return known.issued
    if (state === 'cancelled') return say.cancelled
    return heldSince ? say.held : say.scheduled(moment(at), size)
  }
  const sent = people.delivered + people.sentToChat + people.handedOver
  if (!isOver(history)) {
    if (cancelledAt) return say.stopping(sent, size)
    const { all } = whoWaits(history, false)
    return all > 0 && all === people.pending
      ? say.waiting(sent, size, all)
      : say.running(sent, size, leftMs === undefined ? undefined : say.span(leftMs))
  }
  const stopped = cancelledAt ? `${recalled ? say.withdrawn : say.stopped} ` : ''
  const missed = others.filter((name) => people[name] > 0)
  const rest = missed.map((name) => known.counted(people[name], known.classes[name]))
  const ending = endingOf(history)
  if (ending === 'nobody') return stopped + say.nobody
  if (ending === 'everyone' && missed.length === 0) return stopped + say.everyone(size)
  if (ending === 'everyone') return stopped + say.everyoneWithContact(people.delivered, size)
  if (sent === 0) {
    const said = ending === 'unknown' ? say.unknown : say.nothing
    // where it is the same with everyone, their number says all of it; but not that all of them were told by voice
    const isSaid = missed.length === 1 && missed[0] !== 'toldByVoice'
    return stopped + [said(size), ...(isSaid ? [] : rest)].join('; ')
  }
  return stopped + [say.sent(sent, size, people.delivered), ...rest].join('; ')
}
