import type { HistoriesPage, HistoryView } from '@courier-fleet/api-types'
import type { Histories } from '@courier-fleet/store'

/** a bulk request gives many histories one millisecond; beyond this many of one millisecond the page ends within it */
const maxOfOneMs = 10_000

/** no id of anybody */
export const everybody = '*'

export interface ListQuery {
  readonly sender: string
  /** those alone that wait for an operator */
  readonly state?: 'held' | undefined
  /** Unix ms, exclusive */
  readonly before?: number | undefined
  readonly limit?: number
}

/** By which pages go on. */
const atOf = ({ acceptedAt, heldSince }: HistoryView, state: ListQuery['state']) =>
  Date.parse((state === 'held' ? heldSince : acceptedAt) ?? '')

/**
 * A page of one sender's histories, or of everybody's, newest first. Pages go on by acceptance time (of those that wait for an operator,
 * since when they do), so a page never ends between histories of one millisecond: it may be shorter than `limit` or, when all of it is of one
 * millisecond, longer.
 */
export async function listHistories(histories: Histories, query: ListQuery): Promise<HistoriesPage> {
  const { sender, state, before = Number.MAX_SAFE_INTEGER, limit = 20 } = query
  const whose = sender === everybody ? undefined : sender
  for (let size = limit + 1; ; size *= 4) {
    const found = await (state === 'held' ? histories.listHeld : histories.list)(whose, before, size)
    if (found.length < size) return { histories: found }
    const last = atOf(found.at(-1) as HistoryView, state)
    const whole = found.filter((history) => atOf(history, state) > last)
    if (whole.length > 0) return { histories: whole, next: String(last + 1) }
    if (size >= maxOfOneMs) return { histories: found, next: String(last) }
  }
}
