/** One's own messages, newest first, as far as they have been read. */
import type { HistoryView } from '@courier-fleet/api-types'
import { isOver, mayBeReported } from '@courier-fleet/api-types/outcome'
import type { Client } from '@courier-fleet/client'
import { type Signal, signal } from '@preact/signals'

export interface HistoryList {
  readonly histories: Signal<readonly HistoryView[]>
  readonly more: Signal<boolean>
  readonly reading: Signal<boolean>
  readonly error: Signal<unknown>
  /** From the newest on. */
  reload(): Promise<void>
  next(): Promise<void>
  forget(): void
  /** Reads those again that may still change, until what it returns is called. */
  follow(): () => void
  /** One of them has changed. */
  replace(history: HistoryView): void
}

const pageSize = 50
const everyMs = 5000

export function createHistoryList(api: Client): HistoryList {
  const histories = signal<readonly HistoryView[]>([])
  const more = signal(false)
  const reading = signal(false)
  const error = signal<unknown>(undefined)
  let before: string | undefined

  async function read(known: readonly HistoryView[]) {
    reading.value = true
    error.value = undefined
    try {
      const page = await api.histories({ ...(before ? { before } : {}), limit: pageSize })
      histories.value = [...known, ...page.histories]
      before = page.next
      more.value = page.next !== undefined
    } catch (cause) {
      error.value = cause
    }
    reading.value = false
  }

  function replace(history: HistoryView) {
    histories.value = histories.value.map((each) => (each.key === history.key ? history : each))
  }

  /** Of the newest alone: one call, however many there are. */
  async function refresh() {
    if (reading.value || !histories.value.slice(0, pageSize).some(mayChange)) return
    const page = await api.histories({ limit: pageSize }).catch(() => undefined)
    for (const history of page?.histories ?? []) replace(history)
  }

  return {
    histories,
    more,
    reading,
    error,
    reload() {
      before = undefined
      return read([])
    },
    next: () => read(histories.value),
    forget() {
      histories.value = []
      more.value = false
    },
    follow() {
      const timer = setInterval(() => void refresh(), everyMs)
      return () => clearInterval(timer)
    },
    replace,
  }
}

const mayChange = (history: HistoryView) =>
  (history.state !== 'issued' && !isOver(history)) || mayBeReported(history, Date.now())
