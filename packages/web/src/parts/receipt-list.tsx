import type { HistoryView } from '@courier-fleet/api-types'
import { useEffect, useMemo } from 'preact/hooks'
import { createReceiptRows } from '../stores/receipt-rows.ts'
import { useStores, useWords } from '../stores.ts'
import { ReceiptRow } from './receipt-row.tsx'
import { WindowedList } from './windowed-list.tsx'

/** Everyone of the audience, and what has become of them so far. */
export function ReceiptList({ history }: { history: HistoryView }) {
  const { api } = useStores()
  const words = useWords()
  const rows = useMemo(() => createReceiptRows(api, history.key), [history.key])
  useEffect(() => rows.stop, [rows])
  useEffect(rows.changed, [history])

  // read here, so that new pages show
  rows.pages.value
  return (
    <section class="card" aria-labelledby="receipts">
      <h2 id="receipts">{words.message.everyone}</h2>
      <WindowedList
        label={words.message.everyone}
        count={history.audience?.size ?? 0}
        onVisible={rows.show}
        row={(ordinal) => {
          const receipt = rows.at(ordinal)
          return receipt ? <ReceiptRow receipt={receipt} /> : <span class="hint">…</span>
        }}
      />
    </section>
  )
}
