/** What a list says of a message at a glance: never more than is known. */
import type { Ending, HistoryView, ListState } from '@courier-fleet/api-types'
import { endingOf } from '@courier-fleet/api-types/outcome'
import { listStateOf } from './stores/history-list.ts'
import type { MessagesWords } from './texts/messages-page.ts'

export type Mark = Ending | Exclude<ListState, 'settled'>

/** Whoever has no contact has not got it either: a message that reached all others has not reached everyone. */
export function markOf(history: HistoryView): Mark {
  const state = listStateOf(history)
  if (state !== 'settled') return state
  const ending = endingOf(history)
  const isWhole = ending === 'everyone' || ending === 'handed-over'
  return isWhole && (history.people?.withoutContact ?? 0) > 0 ? 'some' : ending
}

export function resultOf(history: HistoryView, page: Pick<MessagesWords, 'endings' | 'notKnown' | 'stopped' | 'is'>) {
  const mark = markOf(history)
  const state = listStateOf(history)
  if (state !== 'settled') return page.is[state]
  if (history.cancelledAt) return page.stopped
  return mark === 'some' && mayBeEveryone(history) ? page.notKnown : page.endings[mark as Ending]
}

/** Of nobody is it certain that it has not reached them. */
function mayBeEveryone({ people }: HistoryView): boolean {
  return (
    people !== undefined && people.unknown > 0 && people.notDelivered + people.withoutContact + people.toldByVoice === 0
  )
}
