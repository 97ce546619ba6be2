import type { ConfirmationFilter, HistoryView, ReceiptView } from '@courier-fleet/api-types'
import type { PeopleClass } from '@courier-fleet/api-types/people-classes'
import { outcomeWords } from '@courier-fleet/words'
import { useSignal } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
import { missedFirst } from '../../missed-first.ts'
import { createReceiptRows } from '../../stores/receipt-rows.ts'
import { useStores, useWords } from '../../stores.ts'
import { useMessageWords } from '../../texts/message.ts'
import { Field } from '../field.tsx'
import { WindowedList } from '../windowed-list.tsx'
import { FoundReceipts, type Wanted } from './found-receipts.tsx'
import { ReceiptRow } from './receipt-row.tsx'

const everyone: Wanted = { class: '', channel: '', confirmed: '', name: '' }

interface Props {
  readonly history: HistoryView
  /** whom it did not reach, as far as they are named: they stand first */
  readonly missed: readonly ReceiptView[]
}

/** As a link says it. */
const wantedIn = ({ channel = '', name = '' }: Readonly<Record<string, string>> = {}): Wanted => ({
  ...everyone,
  channel,
  name,
})

/** Everyone of the audience, or some of them, and what has become of them so far. */
export function ReceiptList({ history, missed }: Props) {
  const { router } = useStores()
  const words = useWords()
  const wanted = useSignal(wantedIn(router.route.peek().query))
  const label = words.message.everyone
  const isNarrowed = Object.values(wanted.value).some((each) => each.trim() !== '')
  return (
    <section class="card" aria-labelledby="receipts">
      <h2 id="receipts">{label}</h2>
      <Filters
        history={history}
        wanted={wanted.value}
        onChange={(change) => (wanted.value = { ...wanted.value, ...change })}
      />
      {isNarrowed ? (
        <FoundReceipts history={history} label={label} wanted={wanted.value} />
      ) : (
        <Everyone history={history} missed={missed} label={label} />
      )}
    </section>
  )
}

interface FilterProps {
  readonly history: HistoryView
  readonly wanted: Wanted
  readonly onChange: (change: Partial<Wanted>) => void
}

function Filters({ history, wanted, onChange }: FilterProps) {
  const { language } = useStores()
  const words = useWords()
  const say = useMessageWords()
  const { lines } = outcomeWords(language.code.value, history)
  const size = history.audience?.size ?? 0
  return (
    <div class="receipt-filters">
      <Field id="class-shown" label={say.class}>
        {(ids) => (
          <select
            {...ids}
            value={wanted.class}
            onChange={(event) => onChange({ class: event.currentTarget.value as PeopleClass | '' })}
          >
            <option value="">{say.anyClass(size)}</option>
            {lines.map((line) => (
              <option key={line.class} value={line.class}>
                {line.words}: {words.number(line.count)}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Field id="channel-shown" label={say.channel}>
        {(ids) => (
          <select
            {...ids}
            value={wanted.channel}
            onChange={(event) => onChange({ channel: event.currentTarget.value })}
          >
            <option value="">{say.anyChannel}</option>
            {Object.keys(history.channels).map((leg) => (
              <option key={leg} value={leg}>
                {words.channelName(leg)}
              </option>
            ))}
          </select>
        )}
      </Field>
      {history.confirmed && (
        <Field id="confirmed-shown" label={say.confirmed.label}>
          {(ids) => (
            <select
              {...ids}
              value={wanted.confirmed}
              onChange={(event) => onChange({ confirmed: event.currentTarget.value as ConfirmationFilter | '' })}
            >
              <option value="">{say.anyClass(size)}</option>
              {(['yes', 'no'] as const).map((each) => (
                <option key={each} value={each}>
                  {say.confirmed[each]}: {words.number(history.confirmed?.[each] ?? 0)}
                </option>
              ))}
            </select>
          )}
        </Field>
      )}
      <Field id="name-shown" label={say.name}>
        {(ids) => (
          <input
            {...ids}
            type="search"
            maxLength={100}
            value={wanted.name}
            onInput={(event) => onChange({ name: event.currentTarget.value })}
          />
        )}
      </Field>
    </div>
  )
}

function Everyone({ history, missed, label }: Props & { readonly label: string }) {
  const { api } = useStores()
  const words = useWords()
  const rows = useMemo(() => createReceiptRows(api, history.key), [history.key])
  useEffect(() => rows.stop, [rows])
  useEffect(rows.changed, [history])

  const ordinalAt = useMemo(() => missedFirst(missed.map(({ ordinal }) => ordinal)), [missed])
  const receiptAt = (index: number) => missed[index] ?? rows.at(ordinalAt(index))
  const show = (from: number, to: number) => {
    const first = Math.max(from, missed.length)
    if (first < to) rows.show(ordinalAt(first), ordinalAt(to - 1) + 1)
  }
  // read here, so that new pages show
  rows.pages.value
  const size = history.audience?.size ?? 0
  return (
    <WindowedList
      // the region around it is called by the label alone
      label={`${label}: ${words.people(size)}`}
      count={size}
      keyOf={(index) => receiptAt(index)?.person}
      onVisible={show}
      row={(index) => {
        const receipt = receiptAt(index)
        return receipt ? <ReceiptRow receipt={receipt} history={history} /> : <span class="hint">…</span>
      }}
    />
  )
}
