/**
 * By name those of a message who do not have it for certain, class by class, and whether its numbers agree with what is kept of each
 * person. Read again as the history changes, for a report may come long after it has settled.
 */
import type { HistoryView, ReceiptsPage, ReceiptView, RecountReport } from '@courier-fleet/api-types'
import { isOver } from '@courier-fleet/api-types/outcome'
import type { Client } from '@courier-fleet/client'
import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals'

/** whom no channel is known to have reached, and nobody has told */
export const missedClasses = ['notDelivered', 'unknown', 'withoutContact'] as const
/** in the order in which they are shown */
export const namedClasses = [...missedClasses, 'toldByVoice', 'handedOver'] as const
export type NamedClass = (typeof namedClasses)[number]
type Named = Readonly<Record<NamedClass, readonly ReceiptView[]>>

export interface NamedPeople {
  /** undefined until they were read for the first time; at most `maxNamed` of a class, the CSV has all of them */
  readonly people: Signal<Named | undefined>
  readonly missed: ReadonlySignal<readonly ReceiptView[]>
  /** of a message that is over, where its numbers do not agree */
  readonly imbalance: Signal<RecountReport | undefined>
  readonly error: Signal<unknown>
  /** Reads them, or again: now and then at most. */
  changed(history: HistoryView): void
  stop(): void
}

export const maxNamed = 500
const everyMs = 1000
/** while it is sent everybody is looked through for those who are not reached */
const everyMsRunning = 3000

export function createNamedPeople(api: Client): NamedPeople {
  const people: NamedPeople['people'] = signal(undefined)
  const imbalance: NamedPeople['imbalance'] = signal(undefined)
  const error = signal<unknown>(undefined)
  let wanted: HistoryView | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let stopped = false

  async function refresh() {
    const history = wanted as HistoryView
    wanted = undefined
    try {
      await Promise.all([isOver(history) && lookAtNumbers(history.key), readNames(history)])
      error.value = undefined
    } catch (cause) {
      error.value = cause
    }
    timer = stopped ? undefined : setTimeout(again, isOver(history) ? everyMs : everyMsRunning)
  }

  async function readNames(history: HistoryView) {
    // of a message that is still sent, whoever is handed over may have it in a moment
    const named = namedClasses.filter((name) => isOver(history) || name !== 'handedOver')
    const found = await Promise.all(named.map((name) => read(api, history, name)))
    people.value = {
      ...none,
      ...Object.fromEntries(named.map((name, index) => [name, found[index] as ReceiptView[]])),
    }
  }

  async function lookAtNumbers(key: string) {
    const report = await api.recount(key)
    imbalance.value = report.balanced ? undefined : report
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
    missed: computed(() => missedClasses.flatMap((name) => people.value?.[name] ?? [])),
    imbalance,
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

const none: Named = { notDelivered: [], unknown: [], withoutContact: [], toldByVoice: [], handedOver: [] }

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
