/** Pages of messages, newest first, by state and by what is searched for; and how many there are in each state. */
import { type HistoriesPage, type HistoryCounts, type ListState, listStates } from '@courier-fleet/api-types'
import type { Directory } from '@courier-fleet/directory'
import type { Glance, Histories, Listed, ListWindow } from '@courier-fleet/store'
import { createMessageSearch, type MessageSearch } from './message-search.ts'

/**
 * There is no index of states or words: one call looks at this many messages or a few more, says how far it came, and is gone on from there.
 * Texts are the larger part of what is read.
 */
const maxLookedAt = { byState: 5000, byWords: 2000 }
/** of each stream, where few of those read may be wanted */
const readAtOnce = 50

/** no id of anybody */
export const everybody = '*'

interface ListDeps {
  readonly histories: Histories
  readonly directory: Directory
}

export interface WhichHistories {
  readonly sender: string
  readonly search?: string | undefined
}

export interface ListQuery extends WhichHistories {
  readonly state?: ListState | undefined
  /** Unix ms, exclusive */
  readonly before?: number | undefined
  readonly limit?: number
}

/**
 * Pages go on by acceptance time (of those that wait for an operator, since when they do), so a page never ends between histories of one
 * millisecond: it may be shorter than `limit` or, when all of it is of one millisecond, longer.
 */
export async function listHistories(deps: ListDeps, query: ListQuery): Promise<HistoriesPage> {
  const { before = Number.MAX_SAFE_INTEGER, limit = 20 } = query
  const isWanted = filterOf(deps, query)
  const taken: Listed[] = []
  const page = async (next?: number, searchedSince?: number): Promise<HistoriesPage> => ({
    histories: (await deps.histories.views(taken.map(({ ref }) => ref))).filter(
      // somebody may have decided meanwhile
      ({ heldSince }) => query.state !== 'held' || heldSince !== undefined,
    ),
    ...(next === undefined ? {} : { next: String(next) }),
    ...(searchedSince === undefined ? {} : { searchedSince: new Date(searchedSince).toISOString() }),
  })

  const mostLookedAt = mostOf(query)
  let lookedAt = 0
  for await (const { found, next } of windowsOf(deps.histories, query, before, isWanted ? readAtOnce : limit + 1)) {
    const wanted = isWanted ? await isWanted(found) : found
    for (const together of byMoment(wanted)) {
      if (taken.length > 0 && taken.length + together.length > limit) return page(taken.at(-1)?.at)
      taken.push(...together)
    }
    lookedAt += found.length
    if (next !== undefined && isWanted && lookedAt >= mostLookedAt) return page(next, next)
  }
  return page()
}

/** How many of them are in which state, of the newest as far as one call looks. */
export async function countHistories(deps: ListDeps, which: WhichHistories): Promise<HistoryCounts> {
  const search = searchOf(deps, which)
  const counts = Object.fromEntries(listStates.map((state) => [state, 0])) as Record<ListState, number>
  let lookedAt = 0
  for await (const { found, next } of windowsOf(deps.histories, which, Number.MAX_SAFE_INTEGER, readAtOnce)) {
    const glances = await deps.histories.glances(refsOf(found), { withText: search !== undefined })
    const isFound = search && (await search(found, glances))
    for (const [index, glance] of glances.entries()) if (glance && isFound?.(index) !== false) counts[glance.state] += 1
    lookedAt += found.length
    if (next !== undefined && lookedAt >= mostOf(which)) return { ...counts, since: new Date(next).toISOString() }
  }
  return counts
}

const mostOf = ({ search }: WhichHistories) => (search?.trim() ? maxLookedAt.byWords : maxLookedAt.byState)

async function* windowsOf(
  histories: Histories,
  { sender, state }: { readonly sender: string; readonly state?: ListState | undefined },
  before: number,
  count: number,
): AsyncGenerator<ListWindow> {
  const whose = sender === everybody ? undefined : sender
  for (let next: number | undefined = before; next !== undefined; ) {
    const window: ListWindow =
      state === 'held' ? await histories.listHeld(whose, next) : await histories.list(whose, next, count)
    yield window
    next = window.next
  }
}

/** Undefined where all are wanted. */
function filterOf(deps: ListDeps, query: ListQuery) {
  const { state } = query
  const search = searchOf(deps, query)
  if (state === undefined && !search) return undefined
  return async (found: readonly Listed[]): Promise<Listed[]> => {
    const glances = await deps.histories.glances(refsOf(found), { withText: search !== undefined })
    const isFound = search && (await search(found, glances))
    const isIn = (glance: Glance | undefined) => glance && (state === undefined || glance.state === state)
    return found.filter((_, index) => isIn(glances[index]) && isFound?.(index) !== false)
  }
}

const searchOf = ({ directory }: ListDeps, { search, sender }: WhichHistories): MessageSearch | undefined =>
  search?.trim() ? createMessageSearch(directory, search, { bySender: sender === everybody }) : undefined

const refsOf = (found: readonly Listed[]) => found.map(({ ref }) => ref)

function* byMoment(found: readonly Listed[]): Generator<readonly Listed[]> {
  for (let from = 0; from < found.length; ) {
    const at = found[from]?.at
    let to = from + 1
    while (to < found.length && found[to]?.at === at) to += 1
    yield found.slice(from, to)
    from = to
  }
}
