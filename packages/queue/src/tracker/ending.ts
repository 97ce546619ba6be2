/** The four endings a sender is told of, in words. */
import { type Ending, type HistoryView, reachedOn } from '@courier-fleet/api-types'

const list = (names: readonly string[]) => names.join(', ')
const plural = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`

interface Totals {
  readonly size: number
  readonly reached: number
  readonly withoutContact: number
  /** on some channel, and not known yet or never to be known */
  readonly open: number
  /** never handed to a provider on some channel: cancelled or expired before */
  readonly stopped: number
  readonly failed: number
  /** kept from a channel they have opted out of */
  readonly suppressed: number
}

/** Before a history has settled nobody is counted person by person: the best channel is a lower bound. */
function totalsOf(history: HistoryView): Totals {
  const lines = Object.values(history.channels)
  const size = history.audience?.size ?? 0
  const reachedPerChannel = lines.map(reachedOn)
  return {
    size,
    reached: history.people?.reached ?? Math.max(0, ...reachedPerChannel),
    withoutContact:
      history.people?.withoutContact ?? (lines.length > 0 ? Math.min(...lines.map((l) => l['no-contact'])) : 0),
    open: Math.max(0, ...lines.map((line) => line.pending + line.unknown)),
    stopped: Math.max(0, ...lines.map((line) => line.cancelled + line.expired)),
    failed: Math.max(0, ...lines.map((line) => line.failed)),
    suppressed: Math.max(0, ...lines.map((line) => line.suppressed)),
  }
}

/** waves told of in one sentence; the history shows all of them */
const maxWaves = 3

/** Who has not answered, and who waits for what until when. */
function outstanding({ waiting = [] }: HistoryView, silent: readonly string[]): string {
  const held = waiting.slice(0, maxWaves).map(({ people, channel, at, words }) => {
    return ` ${plural(people, 'person waits', 'people wait')} on ${channel} until ${at}: ${words}.`
  })
  return [silent.length > 0 ? ` No answer yet from ${list(silent)}.` : '', ...held].join('')
}

/** The ending as far as it is known now, and the sentence the sender is told. */
export function endingOf(history: HistoryView, silent: readonly string[]): { ending: Ending; sentence: string } {
  const { size, reached, withoutContact, open, stopped, failed, suppressed } = totalsOf(history)
  const withContact = size - withoutContact
  const waiting = outstanding(history, silent)
  const people = plural(size, 'person', 'people')

  if (history.state === 'issued') return { ending: 'nothing', sentence: 'Nothing has been put under this key yet.' }
  if (history.state === 'cancelled')
    return { ending: 'nothing', sentence: 'It was cancelled before it started; nobody got it.' }
  if (history.state === 'scheduled') {
    return { ending: 'nothing', sentence: `It is due at ${history.at}; nothing has been sent yet to ${people}.` }
  }
  if (silent.length === 0 && withContact === 0) {
    return {
      ending: 'nobody',
      sentence: `Nobody of ${people} has a contact on ${list(history.expected)}; there was nothing to send.`,
    }
  }
  if (reached === 0) {
    const why =
      silent.length > 0
        ? 'Nothing has arrived so far.'
        : open > 0
          ? 'For nobody is it known that it arrived.'
          : stopped > 0 && failed === 0
            ? 'Nobody got it: it was cancelled or had expired before it was sent.'
            : suppressed > 0 && failed === 0
              ? 'Nobody got it: everyone with a contact has opted out.'
              : 'Nothing worked: every attempt failed.'
    return { ending: 'nothing', sentence: `${why}${waiting}` }
  }
  if (silent.length === 0 && reached >= withContact) {
    const rest = withoutContact > 0 ? `; ${plural(withoutContact, 'person has', 'people have')} no contact` : ''
    return { ending: 'everyone', sentence: `Everyone with a contact got it: ${reached} of ${people}${rest}.` }
  }
  return {
    ending: 'some',
    sentence: `${reached} of ${plural(withContact, 'person', 'people')} with a contact got it.${waiting}`,
  }
}
