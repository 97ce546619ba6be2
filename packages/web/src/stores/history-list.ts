/** Messages, newest first, as far as they have been read: one's own, and for operators another sender's or everybody's. */
import type { HistoryView } from '@courier-fleet/api-types'
import { isOver, mayChange } from '@courier-fleet/api-types/outcome'
import type { Client } from '@courier-fleet/client'
import { type Signal, signal } from '@preact/signals'

export interface HistoryList {
  readonly histories: Signal<readonly HistoryView[]>
  /** undefined: one's own; `everybody`, or the id of one sender */
  readonly sender: Signal<string | undefined>
  readonly more: Signal<boolean>
  readonly reading: Signal<boolean>
  readonly error: Signal<unknown>
  /** From the newest on. */
  reload(): Promise<void>
  showSender(sender: string | undefined): Promise<void>
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

export function createHistoryList(api: Client): HistoryList {
  const histories = signal<readonly HistoryView[]>([])
  const more = signal(false)
  const reading = signal(false)
  const error = signal<unknown>(undefined)
  const sender = signal<string | undefined>(undefined)
  let before: string | undefined

  const whose = () => (sender.value === undefined ? {} : { sender: sender.value })

  async function read(known: readonly HistoryView[]) {
    const wanted = sender.value
    reading.value = true
    error.value = undefined
    try {
      const page = await api.histories({ ...whose(), ...(before ? { before } : {}), limit: pageSize })
      if (sender.value !== wanted) return
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

  function reload() {
    before = undefined
    return read([])
  }

  /** Of the newest alone: one call, however many there are. */
  async function refresh() {
    if (reading.value || !histories.value.slice(0, pageSize).some(isFollowed)) return
    const page = await api.histories({ ...whose(), limit: pageSize }).catch(() => undefined)
    for (const history of page?.histories ?? []) replace(history)
  }

  return {
    histories,
    sender,
    more,
    reading,
    error,
    reload,
    showSender(next) {
      sender.value = next
      histories.value = []
      return reload()
    },
    next: () => read(histories.value),
    forget() {
      sender.value = undefined
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

const isFollowed = (history: HistoryView) =>
  (history.state !== 'issued' && !isOver(history)) || mayChange(history, Date.now())
