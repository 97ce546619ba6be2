import type { HistoriesPage } from '@courier-fleet/api-types'
import type { Histories } from '@courier-fleet/store'

/** a bulk request gives many histories one millisecond; beyond this many of one millisecond the page ends within it */
const maxOfOneMs = 10_000

/** no id of anybody */
export const everybody = '*'

/**
 * A page of one sender's histories, or of everybody's, newest first. Pages go on by acceptance time, so a page never ends between histories
 * of one millisecond: it may be shorter than `limit` or, when all of it is of one millisecond, longer.
 * @param before Unix ms, exclusive
 */
export async function listHistories(
  histories: Histories,
  sender: string,
  before = Number.MAX_SAFE_INTEGER,
  limit = 20,
): Promise<HistoriesPage> {
  for (let size = limit + 1; ; size *= 4) {
    const found = await histories.list(sender === everybody ? undefined : sender, before, size)
    if (found.length < size) return { histories: found }
    const last = Date.parse(found.at(-1)?.acceptedAt ?? '')
    const whole = found.filter(({ acceptedAt }) => Date.parse(acceptedAt ?? '') > last)
    if (whole.length > 0) return { histories: whole, next: String(last + 1) }
    if (size >= maxOfOneMs) return { histories: found, next: String(last) }
  }
}
