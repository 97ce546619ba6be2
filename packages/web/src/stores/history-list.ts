/** One's own messages, newest first, as far as they have been read. */
import type { HistoryView } from '@courier-fleet/api-types'
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
  /** One of them has changed. */
  replace(history: HistoryView): void
}

const pageSize = 50

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
    replace(history) {
      histories.value = histories.value.map((each) => (each.key === history.key ? history : each))
    },
  }
}
