/** Some people of a message, found over its whole audience: read page after page as far as it is scrolled. */
import type { ReceiptView } from '@courier-fleet/api-types'
import type { Client, ReceiptFilter } from '@courier-fleet/client'
import { type Signal, signal } from '@preact/signals'

interface FoundReceipts {
  readonly rows: Signal<readonly ReceiptView[]>
  /** whether there may be more */
  readonly more: Signal<boolean>
  readonly reading: Signal<boolean>
  readonly error: Signal<unknown>
  /** Looks anew; what was found before stays until the first page is here. */
  search(filter: ReceiptFilter): void
  /** Reads on; nothing happens while a page is being read, or at the end. */
  next(): void
  stop(): void
}

const pageSize = 200

export function createFoundReceipts(api: Client, key: string): FoundReceipts {
  const rows = signal<readonly ReceiptView[]>([])
  const more = signal(false)
  const reading = signal(false)
  const error = signal<unknown>(undefined)
  let wanted: ReceiptFilter = {}
  let from: number | undefined = 0
  let turn = 0

  async function read(before: readonly ReceiptView[]) {
    const own = turn
    reading.value = true
    error.value = undefined
    try {
      const found: ReceiptView[] = []
      // a page may be empty: the service looks through a limited number of people a call
      while (from !== undefined && found.length === 0) {
        const page = await api.receipts(key, { ...wanted, from, limit: pageSize })
        if (own !== turn) return
        found.push(...page.receipts)
        from = page.next
      }
      rows.value = [...before, ...found]
      more.value = from !== undefined
    } catch (cause) {
      if (own !== turn) return
      error.value = cause
      more.value = false
    }
    reading.value = false
  }

  return {
    rows,
    more,
    reading,
    error,
    search(filter) {
      turn += 1
      wanted = filter
      from = 0
      read([])
    },
    next() {
      if (more.value && !reading.value) read(rows.value)
    },
    stop() {
      turn += 1
    },
  }
}
