/**
 * By name those of a message who do not have it for certain, class by class, and whether the counters agree with the receipts.
 * Read again as the history changes, for a report may come long after it has settled.
 */
import type { HistoryView, ReceiptState, ReceiptView } from '@courier-fleet/api-types'
import type { PeopleClass } from '@courier-fleet/api-types/people-classes'
import { classOf, tellsMore } from '@courier-fleet/channels'
import type { Client } from '@courier-fleet/client'
import { type Signal, signal } from '@preact/signals'
import { runsOf } from '../ordinal-runs.ts'

/** in the order in which they are shown */
export const namedClasses = ['notDelivered', 'unknown', 'withoutContact', 'handedOver'] as const
export type NamedClass = (typeof namedClasses)[number]

export interface NamedPeople {
  /** undefined until they were read for the first time; at most `maxNamed` of a class, the CSV has all of them */
  readonly people: Signal<Readonly<Record<NamedClass, readonly ReceiptView[]>> | undefined>
  readonly balanced: Signal<boolean>
  readonly error: Signal<unknown>
  /** Reads them, or again: once a second at most. */
  changed(history: HistoryView): void
  stop(): void
}

interface Filter {
  readonly channel: string
  readonly state: ReceiptState
}

export const maxNamed = 500
const pageSize = 200
/** of one class: where the people looked for are rare among others, it is not read on for ever */
const maxPages = 25
const everyMs = 1000
const endedWithout = ['failed', 'suppressed', 'expired', 'cancelled'] as const

export function createNamedPeople(api: Client): NamedPeople {
  const people: NamedPeople['people'] = signal(undefined)
  const balanced = signal(true)
  const error = signal<unknown>(undefined)
  let wanted: HistoryView | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let stopped = false

  async function refresh() {
    const history = wanted as HistoryView
    wanted = undefined
    try {
      const [recount, ...found] = await Promise.all([
        api.recount(history.key),
        ...namedClasses.map((name) => read(api, history, name)),
      ])
      balanced.value = recount.balanced
      people.value = Object.fromEntries(namedClasses.map((name, index) => [name, found[index] ?? []])) as never
      error.value = undefined
    } catch (cause) {
      error.value = cause
    }
    timer = stopped ? undefined : setTimeout(again, everyMs)
  }
  function again() {
    timer = undefined
    if (wanted) plan()
  }
  function plan(): void {
    timer ??= setTimeout(refresh, 0)
  }

  return {
    people,
    balanced,
    error,
    changed(history) {
      wanted = history
      if (!stopped) plan()
    },
    stop() {
      stopped = true
      clearTimeout(timer)
    },
  }
}

async function read(api: Client, history: HistoryView, name: NamedClass): Promise<ReceiptView[]> {
  if (!history.people?.[name]) return []
  const found = new Map<number, ReceiptView>()
  let pages = 0
  for (const filter of filtersFor(history, name)) {
    for (
      let from: number | undefined = 0;
      from !== undefined && found.size < maxNamed && pages < maxPages;
      pages += 1
    ) {
      const page = await pageOf(api, history.key, { from, ...filter })
      for (const row of page.receipts) if (classOf(row) === (name as PeopleClass)) found.set(row.ordinal, row)
      from = page.next
    }
  }
  return [...found.values()].sort((a, b) => a.ordinal - b.ordinal).slice(0, maxNamed)
}

/** The receipts among which everyone of a class is found. */
function filtersFor({ channels }: HistoryView, name: NamedClass): Filter[] {
  const legs = Object.keys(channels)
  const on = (leg: string, states: readonly ReceiptState[]) =>
    states.filter((state) => (channels[leg]?.[state] ?? 0) > 0).map((state) => ({ channel: leg, state }))
  if (name === 'unknown') return legs.flatMap((leg) => on(leg, ['unknown']))
  if (name === 'handedOver') return legs.filter(tellsMore).flatMap((leg) => on(leg, ['sent']))
  // whoever got it nowhere did not get it on this channel either: that with the fewest is read
  const states = name === 'withoutContact' ? (['no-contact'] as const) : ([...endedWithout, 'no-contact'] as const)
  const missedOn = (leg: string) => states.reduce((sum, state) => sum + (channels[leg]?.[state] ?? 0), 0)
  const [best] = legs.sort((a, b) => missedOn(a) - missedOn(b))
  return best === undefined ? [] : on(best, states)
}

/** Filtered rows have one channel only: those found are read again with all channels. */
async function pageOf(api: Client, key: string, filter: Filter & { from: number }) {
  const { receipts, next } = await api.receipts(key, { ...filter, limit: pageSize })
  const wanted = new Set(receipts.map(({ ordinal }) => ordinal))
  const whole: ReceiptView[] = []
  for (const [from, to] of runsOf([...wanted])) {
    const rows = (await api.receipts(key, { from, limit: to - from })).receipts
    whole.push(...rows.filter(({ ordinal }) => wanted.has(ordinal)))
  }
  return { receipts: whole, next }
}
