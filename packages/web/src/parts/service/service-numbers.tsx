import type { HistoryView, StatsView } from '@courier-fleet/api-types'
import { reasonWords } from '@courier-fleet/words'
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { everybody } from '../../stores/history-list.ts'
import { useStores, useWords } from '../../stores.ts'
import { type NumberColumn, numberColumns, useServiceWords } from '../../texts/service.ts'
import { Anchor } from '../anchor.tsx'
import { Dialog } from '../dialog.tsx'
import { Failure } from '../failure.tsx'
import { useAsync } from '../use-async.ts'

/** the type of codes, answers and alarms */
const own = 'service'

type Row = StatsView['receipts'][number]
interface Cell {
  readonly row: Row
  readonly column: NumberColumn
}

const spans = { day: 86_400_000, week: 7 * 86_400_000 } as const
type Span = keyof typeof spans
const fromOf = (span: Span) => new Date(Date.now() - spans[span]).toISOString()

/** What came of messages, by type and channel; each number tells why, and leads to its messages. */
export function ServiceNumbers() {
  const { api, messageTypes } = useStores()
  const said = useServiceWords()
  const span = useSignal<Span>('day')
  const stats = useSignal<StatsView | undefined>(undefined)
  const open = useSignal<Cell | undefined>(undefined)
  const loading = useAsync(async () => {
    const [found] = await Promise.all([
      api.stats({ from: fromOf(span.value), by: ['type', 'channel'] }),
      messageTypes.load(),
    ])
    stats.value = found
  })
  useEffect(() => {
    loading.run()
  }, [span.value])
  return (
    <section aria-labelledby="numbers">
      <h2 id="numbers">{said.numbers}</h2>
      <div class="actions">
        {(Object.keys(spans) as Span[]).map((each) => (
          <button key={each} type="button" aria-pressed={span.value === each} onClick={() => (span.value = each)}>
            {said[each]}
          </button>
        ))}
      </div>
      <Failure error={loading.error.value} retry={loading.run} />
      {stats.value && <Numbers stats={stats.value} onOpen={(cell) => (open.value = cell)} />}
      {open.value && <Behind cell={open.value} span={span.value} onClose={() => (open.value = undefined)} />}
    </section>
  )
}

function Numbers({ stats, onOpen }: { stats: StatsView; onOpen: (cell: Cell) => void }) {
  const words = useWords()
  const said = useServiceWords()
  const typeName = useTypeName()
  const rows = stats.receipts.filter((row) => numberColumns.some((column) => countOf(row, column) > 0))
  if (rows.length === 0) return <p class="hint">{said.nothing}</p>
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard */}
      <section class="wide" aria-labelledby="numbers" tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">{said.type}</th>
              <th scope="col">{said.channel}</th>
              {numberColumns.map((column) => (
                <th key={column} scope="col">
                  {said.columns[column]}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={`${row.type} ${row.channel}`}>
                <th scope="row">{typeName(row.type)}</th>
                <td>{words.channelName(row.channel ?? '')}</td>
                {numberColumns.map((column) => (
                  <td key={column}>
                    <NumberOf cell={{ row, column }} onOpen={onOpen} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <p class="hint">{said.countsHint}</p>
      <Lateness stats={stats} />
    </>
  )
}

function NumberOf({ cell, onOpen }: { cell: Cell; onOpen: (cell: Cell) => void }) {
  const words = useWords()
  const said = useServiceWords()
  const typeName = useTypeName()
  const { row, column } = cell
  const count = countOf(row, column)
  const number = words.number(count)
  // what the fleet itself says nobody reads
  if (count === 0 || row.type === own) return <>{number}</>
  const label = said.open(number, said.columns[column], typeName(row.type), words.channelName(row.channel ?? ''))
  return (
    <button type="button" class="link" aria-label={label} onClick={() => onOpen(cell)}>
      {number}
    </button>
  )
}

/** Who was sent to, delivered to, has read it: as far as they came or further. Of the others, whose receipt came to it. */
function countOf({ came, passed }: Row, column: NumberColumn): number {
  if (column === 'sent' || column === 'delivered' || column === 'read') return passed?.[column] ?? 0
  return came[column] ?? 0
}

function Lateness({ stats }: { stats: StatsView }) {
  const words = useWords()
  const said = useServiceWords()
  if (stats.lateness.length === 0) return null
  return (
    <>
      <h3>{said.lateness}</h3>
      <ul>
        {stats.lateness.map(({ class: cls, buckets }) => {
          const sum = (some: typeof buckets) => some.reduce((total, { messages }) => total + messages, 0)
          const within = sum(buckets.filter(({ atMost }) => atMost !== undefined && atMost <= 1))
          return (
            <li key={cls}>
              {said.latenessOf(said.classes[cls] ?? cls, words.number(within), words.number(sum(buckets)))}
            </li>
          )
        })}
      </ul>
    </>
  )
}

/** pages of messages that are looked through */
const maxPages = 5

/** Why, and in which messages. */
function Behind({ cell: { row, column }, span, onClose }: { cell: Cell; span: Span; onClose: () => void }) {
  const { api, language } = useStores()
  const words = useWords()
  const said = useServiceWords()
  const typeName = useTypeName()
  const reasons = useSignal<readonly Row[]>([])
  const found = useSignal<{ readonly messages: readonly HistoryView[]; readonly looked: number } | undefined>(undefined)
  const { type, channel = '' } = row
  const loading = useAsync(async () => {
    const from = fromOf(span)
    const question = { from, by: ['reason'] as const, channel, ...(type === undefined ? {} : { type }) }
    reasons.value = (await api.stats(question)).receipts
    const messages: HistoryView[] = []
    let looked = 0
    let before: string | undefined
    for (let page = 0; page < maxPages; page += 1) {
      const { histories, next } = await api.histories({ sender: everybody, limit: 100, ...(before ? { before } : {}) })
      looked += histories.length
      messages.push(
        ...histories.filter((each) => (each.type?.id ?? 'general') === type && inLedger(each, channel, column)),
      )
      before = next
      if (next === undefined || (histories.at(-1)?.acceptedAt ?? '') < from) break
    }
    found.value = { messages, looked }
  })
  useEffect(() => {
    loading.run()
  }, [])
  const why = reasons.value.flatMap(({ reason, came }) => {
    const count = came[column] ?? 0
    return reason && count > 0 ? [{ reason, count }] : []
  })
  return (
    <Dialog title={said.behind(said.columns[column], typeName(type), words.channelName(channel))} onClose={onClose}>
      <Failure error={loading.error.value} retry={loading.run} />
      <ul>
        {why.map(({ reason, count }) => (
          <li key={reason}>
            {reasonWords(language.code.value, reason)}: {words.people(count)}
          </li>
        ))}
      </ul>
      <h3>{said.inMessages}</h3>
      {!found.value && <p>{words.loading}</p>}
      {found.value?.messages.length === 0 && <p>{said.noneFound(found.value.looked)}</p>}
      <ul>
        {found.value?.messages.map((each) => (
          <li key={each.key}>
            <Anchor to={{ view: 'message', key: each.key }}>{(each.text ?? words.known.textGone).slice(0, 80)}</Anchor>:{' '}
            {words.people(inLedger(each, channel, column))}
          </li>
        ))}
      </ul>
    </Dialog>
  )
}

const further = {
  sent: ['sent', 'delivered', 'read', 'confirmed'],
  delivered: ['delivered', 'read', 'confirmed'],
  read: ['read', 'confirmed'],
} as const

/** people of a message who are there now, on any leg of the channel */
function inLedger({ channels }: HistoryView, channel: string, column: NumberColumn): number {
  const states =
    column in further
      ? further[column as keyof typeof further]
      : [column as Exclude<NumberColumn, keyof typeof further>]
  return Object.entries(channels)
    .filter(([leg]) => leg.split('~')[0] === channel)
    .reduce((sum, [, ledger]) => states.reduce((total, state) => total + (ledger[state] ?? 0), sum), 0)
}

function useTypeName(): (type: string | undefined) => string {
  const { messageTypes, language } = useStores()
  const said = useServiceWords()
  return (type = '') => {
    if (type === own) return said.own
    return messageTypes.all.value?.find(({ id }) => id === type)?.name[language.code.value] ?? type
  }
}
