import type { ConfirmationFilter, HistoryView } from '@courier-fleet/api-types'
import type { PeopleClass } from '@courier-fleet/api-types/people-classes'
import type { ReceiptFilter } from '@courier-fleet/client'
import { useEffect, useMemo } from 'preact/hooks'
import { createFoundReceipts } from '../../stores/found-receipts.ts'
import { useStores } from '../../stores.ts'
import { useMessageWords } from '../../texts/message.ts'
import { Failure } from '../failure.tsx'
import { WindowedList } from '../windowed-list.tsx'
import { ReceiptRow } from './receipt-row.tsx'

export interface Wanted {
  readonly class: PeopleClass | ''
  readonly channel: string
  readonly confirmed: ConfirmationFilter | ''
  readonly name: string
}

interface Props {
  readonly history: HistoryView
  readonly label: string
  readonly wanted: Wanted
}

/** people type several letters in a row, and a message changes several times a second */
const pauseMs = 300

/** Whoever of the audience fits, wherever in it they are. */
export function FoundReceipts({ history, label, wanted }: Props) {
  const { api } = useStores()
  const words = useMessageWords()
  const found = useMemo(() => createFoundReceipts(api, history.key), [history.key])
  useEffect(() => found.stop, [found])
  const filter = filterOf(wanted)
  const asked = JSON.stringify(filter)
  useEffect(() => {
    const timer = setTimeout(() => found.search(filter), pauseMs)
    return () => clearTimeout(timer)
  }, [asked, JSON.stringify(history.people), history.confirmed?.yes])

  const rows = found.rows.value
  const counted = wanted.class && !wanted.channel && !wanted.name ? history.people?.[wanted.class] : undefined
  return (
    <>
      <p class="hint" role="status">
        {saidOf()}
      </p>
      <Failure error={found.error.value} retry={() => found.search(filter)} />
      {rows.length > 0 && (
        <WindowedList
          label={`${label}: ${saidOf()}`}
          count={rows.length}
          keyOf={(index) => rows[index]?.person}
          onVisible={(_from, to) => to >= rows.length && found.next()}
          row={(index) => {
            const receipt = rows[index]
            return receipt && <ReceiptRow receipt={receipt} history={history} />
          }}
        />
      )}
    </>
  )

  function saidOf(): string {
    if (rows.length === 0) return found.reading.value || found.error.value ? '' : words.none
    return found.more.value ? words.foundSome(rows.length, counted) : words.found(rows.length)
  }
}

const filterOf = ({ class: name, channel, confirmed, name: text }: Wanted): ReceiptFilter => ({
  ...(name ? { class: name } : {}),
  ...(channel ? { channel } : {}),
  ...(confirmed ? { confirmed } : {}),
  ...(text.trim() ? { name: text.trim() } : {}),
})
