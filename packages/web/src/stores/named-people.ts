/**
 * By name those of a message who do not have it for certain, class by class, and whether the counters agree with the receipts.
 * Read again as the history changes, for a report may come long after it has settled.
 */
import type { HistoryView, ReceiptsPage, ReceiptView } from '@courier-fleet/api-types'
import type { Client } from '@courier-fleet/client'
import { type Signal, signal } from '@preact/signals'

/** in the order in which they are shown */
export const namedClasses = ['notDelivered', 'unknown', 'withoutContact', 'toldByVoice', 'handedOver'] as const
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

export const maxNamed = 500
const everyMs = 1000

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
  const found: ReceiptView[] = []
  const wanted = Math.min(maxNamed, history.people?.[name] ?? 0)
  for (let from: number | undefined = 0; from !== undefined && found.length < wanted; ) {
    const page: ReceiptsPage = await api.receipts(history.key, { class: name, from, limit: maxNamed - found.length })
    found.push(...page.receipts)
    from = page.next
  }
  return found
}
