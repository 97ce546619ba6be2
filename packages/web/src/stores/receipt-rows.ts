/** The receipts of a message by ordinal: only the pages on the screen are read, and read again as they change. */
import type { ReceiptView } from '@courier-fleet/api-types'
import type { Client } from '@courier-fleet/client'
import { type Signal, signal } from '@preact/signals'

interface ReceiptRows {
  /** page → its rows */
  readonly pages: Signal<ReadonlyMap<number, readonly ReceiptView[]>>
  at(ordinal: number): ReceiptView | undefined
  /** Tells which ordinals are on the screen now; reads their pages unless they are there. */
  show(from: number, to: number): void
  /** Reads the pages on the screen again, once a second at most. */
  changed(): void
  stop(): void
}

const pageSize = 100
const everyMs = 1000

export function createReceiptRows(api: Client, key: string): ReceiptRows {
  const pages = signal<ReadonlyMap<number, readonly ReceiptView[]>>(new Map())
  const pending = new Set<number>()
  let visible: readonly number[] = []
  let timer: ReturnType<typeof setTimeout> | undefined
  let readAt = 0
  let again = false
  let stopped = false

  async function read(page: number) {
    if (pending.has(page)) return
    pending.add(page)
    try {
      const { receipts } = await api.receipts(key, { from: page * pageSize, limit: pageSize })
      pages.value = new Map(pages.value).set(page, receipts)
    } catch {
      // the page shows the state of the connection elsewhere; the next change reads again
      again = true
    }
    pending.delete(page)
  }

  async function refresh() {
    timer = undefined
    readAt = Date.now()
    again = false
    // pages out of sight are stale now: they are read when they are shown
    pages.value = new Map([...pages.value].filter(([page]) => visible.includes(page)))
    await Promise.all(visible.map(read))
    if (again) schedule()
  }

  function schedule() {
    if (stopped) return
    timer ??= setTimeout(refresh, Math.max(0, readAt + everyMs - Date.now()))
  }

  return {
    pages,
    at: (ordinal) => pages.value.get(Math.floor(ordinal / pageSize))?.[ordinal % pageSize],
    show(from, to) {
      const first = Math.floor(from / pageSize)
      const last = Math.floor(Math.max(from, to - 1) / pageSize)
      visible = Array.from({ length: last - first + 1 }, (_, index) => first + index)
      for (const page of visible) if (!pages.value.has(page)) read(page)
    },
    changed: schedule,
    stop() {
      stopped = true
      clearTimeout(timer)
    },
  }
}
