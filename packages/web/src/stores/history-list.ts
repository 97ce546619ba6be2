/**
 * Messages, newest first: one's own, and for operators another sender's or everybody's; of one state, and of what is searched for. The service
 * looks through all there are. What is not over yet is read beside the pages, however old it is.
 */
import type { HistoryCounts, HistoryView, ListState } from '@courier-fleet/api-types'
import { mayChange } from '@courier-fleet/api-types/outcome'
import type { Client } from '@courier-fleet/client'
import { type Signal, signal } from '@preact/signals'

export interface WhichHistories {
  /** one's own when absent; `everybody`, or the id of one sender */
  readonly sender?: string
  readonly state?: ListState
  readonly search?: string
}

export interface HistoryList {
  readonly histories: Signal<readonly HistoryView[]>
  /** by state, whatever state is shown; absent until they are known */
  readonly counts: Signal<HistoryCounts | undefined>
  readonly more: Signal<boolean>
  /** a search has looked at what was accepted since then; absent where it has looked at all, or found enough */
  readonly searchedSince: Signal<string | undefined>
  readonly reading: Signal<boolean>
  readonly error: Signal<unknown>
  /** From the newest on. */
  show(which: WhichHistories): Promise<void>
  reload(): Promise<void>
  next(): Promise<void>
  forget(): void
  /** Reads those again that may still change, until what it returns is called. */
  follow(): () => void
  /** One of them has changed. */
  replace(history: HistoryView): void
}

/** as the API calls all senders */
export const everybody = '*'
const pageSize = 50
const everyMs = 5000
/** read again in one go */
const maxFollowed = 10
/** a search that finds nothing goes on by itself for so many calls */
const callsOfSearch = 5
/** what is not over yet */
const openStates = ['held', 'running', 'scheduled'] as const satisfies readonly ListState[]

/** `held`: it was due, and waits for an operator */
export const listStateOf = ({ state, heldSince }: HistoryView): ListState =>
  heldSince ? 'held' : state === 'issued' ? 'scheduled' : state

const nothingShown = () => ({
  histories: signal<readonly HistoryView[]>([]),
  counts: signal<HistoryCounts | undefined>(undefined),
  more: signal(false),
  searchedSince: signal<string | undefined>(undefined),
  reading: signal(false),
  error: signal<unknown>(undefined),
})

export function createHistoryList(api: Client): HistoryList {
  const shown = nothingShown()
  const { histories, counts, more, searchedSince, reading, error } = shown
  let which: WhichHistories = {}
  let before: string | undefined

  /** What is read is shown as long as nothing else is looked for. */
  async function during(read: (isMeant: () => boolean) => Promise<void>): Promise<void> {
    const meant = which
    const isMeant = () => which === meant
    reading.value = true
    error.value = undefined
    try {
      await read(isMeant)
    } catch (cause) {
      if (isMeant()) error.value = cause
    }
    if (isMeant()) reading.value = false
  }

  const add = (found: readonly HistoryView[]) => {
    const known = new Set(histories.value.map(({ key }) => key))
    histories.value = [...histories.value, ...found.filter(({ key }) => !known.has(key))]
  }

  async function readPage(isMeant: () => boolean) {
    for (let call = 0, found = 0; call < callsOfSearch && found === 0; call += 1) {
      const page = await api.histories({ ...which, ...(before ? { before } : {}), limit: pageSize })
      if (!isMeant()) return
      add(page.histories)
      before = page.next
      more.value = page.next !== undefined
      searchedSince.value = page.searchedSince
      found = page.next === undefined ? 1 : page.histories.length
    }
  }

  async function readCounts(isMeant: () => boolean) {
    const { state: _, ...whose } = which
    const found = await api.historyCounts(whose)
    if (isMeant()) counts.value = found
  }

  function reload() {
    which = { ...which }
    before = undefined
    histories.value = []
    searchedSince.value = undefined
    return during(async (isMeant) => {
      const open = readCounts(isMeant).then(() => readOpen(api, which, counts.value))
      await Promise.all([readPage(isMeant), open.then((found) => isMeant() && add(found))])
    })
  }

  function replace(history: HistoryView) {
    // a message by itself does not say what its sender is called
    histories.value = histories.value.map((each) =>
      each.key === history.key ? { ...history, ...(each.senderName ? { senderName: each.senderName } : {}) } : each,
    )
  }

  return {
    ...shown,
    show(next) {
      which = next
      counts.value = undefined
      return reload()
    },
    reload,
    next: () => during(readPage),
    forget() {
      which = {}
      histories.value = []
      counts.value = undefined
      more.value = false
    },
    follow() {
      const refresh = async () => {
        if (!reading.value && (await rereadOpen(api, histories.value, replace)))
          await readCounts(() => true).catch(() => {})
      }
      const timer = setInterval(() => void refresh(), everyMs)
      return () => clearInterval(timer)
    },
    replace,
  }
}

/** What is not over yet, however old it is: where all states are shown, for else the pages have it. */
async function readOpen(api: Client, which: WhichHistories, counts: HistoryCounts | undefined): Promise<HistoryView[]> {
  const wanted = openStates.filter((state) => which.state === undefined && (counts?.[state] ?? 0) > 0)
  const pages = await Promise.all(wanted.map((state) => api.histories({ ...which, state, limit: pageSize })))
  return pages.flatMap((page) => page.histories)
}

/** Those that may change next, one by one: few do at a time, however many there are. @returns whether any has come to another state */
async function rereadOpen(
  api: Client,
  shown: readonly HistoryView[],
  replace: (history: HistoryView) => void,
): Promise<boolean> {
  const before = shown.filter(isFollowed).slice(0, maxFollowed)
  const now = await Promise.all(before.map(({ key }) => api.history(key).catch(() => undefined)))
  for (const history of now) if (history) replace(history)
  return now.some((history, index) => history && history.state !== before[index]?.state)
}

function isFollowed(history: HistoryView): boolean {
  const now = Date.now()
  if (history.state === 'scheduled') return Date.parse(history.at ?? '') < now + everyMs
  return history.state === 'running' || mayChange(history, now)
}
