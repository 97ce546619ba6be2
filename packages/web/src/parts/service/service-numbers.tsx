import type { StatsView } from '@courier-fleet/api-types'
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { useStores, useWords } from '../../stores.ts'
import { isFurther, isRare, type NumberColumn, numberColumns, useNumbersWords } from '../../texts/service-numbers.ts'
import { Failure } from '../failure.tsx'
import { useAsync } from '../use-async.ts'
import { PeopleBehind } from './people-behind.tsx'

/** the type of codes, answers and alarms */
const own = 'service'

type Row = StatsView['receipts'][number]
interface Cell {
  readonly row: Row
  readonly column: NumberColumn
  /** of these hours */
  readonly stats: StatsView
}

const spans = { day: 86_400_000, week: 7 * 86_400_000 } as const
type Span = keyof typeof spans
const fromOf = (span: Span) => new Date(Date.now() - spans[span]).toISOString()

/** What came of messages, by type and channel; each number tells why, and leads to its messages. */
export function ServiceNumbers() {
  const { api, messageTypes } = useStores()
  const said = useNumbersWords()
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
      {open.value && <Behind cell={open.value} onClose={() => (open.value = undefined)} />}
    </section>
  )
}

function Numbers({ stats, onOpen }: { stats: StatsView; onOpen: (cell: Cell) => void }) {
  const words = useWords()
  const said = useNumbersWords()
  const typeName = useTypeName()
  const rows = stats.receipts.filter((row) => numberColumns.some((column) => countOf(row, column) > 0))
  const columns = numberColumns.filter((column) => !isRare(column) || rows.some((row) => countOf(row, column) > 0))
  if (rows.length === 0) return <p class="hint">{said.nothing}</p>
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard */}
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is of fields, and the region of this name is around it */}
      <div class="wide" role="group" aria-labelledby="numbers" tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">{said.type}</th>
              <th scope="col">{said.channel}</th>
              {columns.map((column) => (
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
                {columns.map((column) => (
                  <td key={column}>
                    <NumberOf cell={{ row, column, stats }} onOpen={onOpen} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p class="hint">{said.countsHint}</p>
      <Accepted stats={stats} />
      <Lateness stats={stats} />
    </>
  )
}

function NumberOf({ cell, onOpen }: { cell: Cell; onOpen: (cell: Cell) => void }) {
  const words = useWords()
  const said = useNumbersWords()
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

/** Who was sent to, delivered to, has read or confirmed it: as far as they came or further. Of the others, whose receipt came to it. */
const countOf = ({ came, passed }: Row, column: NumberColumn): number =>
  (isFurther(column) ? passed?.[column] : came[column]) ?? 0

function Behind({ cell: { row, column, stats }, onClose }: { cell: Cell; onClose: () => void }) {
  const words = useWords()
  const said = useNumbersWords()
  const typeName = useTypeName()
  const { type, channel = '' } = row
  return (
    <PeopleBehind
      title={said.behind(said.columns[column], typeName(type), words.channelName(channel))}
      counted={{ channel, ...(type === undefined ? {} : { type }), from: stats.from, to: stats.to }}
      column={column}
      count={countOf(row, column)}
      onClose={onClose}
    />
  )
}

/** Also what has not begun yet, which no channel has counted. */
function Accepted({ stats }: { stats: StatsView }) {
  const words = useWords()
  const said = useNumbersWords()
  const typeName = useTypeName()
  const rows = stats.messages.filter(({ type, accepted, cancelled }) => type !== own && accepted + cancelled > 0)
  if (rows.length === 0) return null
  return (
    <>
      <h3>{said.accepted}</h3>
      <ul>
        {rows.map((row) => (
          <li key={row.type}>
            {said.acceptedOf(typeName(row.type), row.accepted, words.people(row.acceptedPeople), row.cancelled)}
          </li>
        ))}
      </ul>
    </>
  )
}

function Lateness({ stats }: { stats: StatsView }) {
  const words = useWords()
  const said = useNumbersWords()
  if (stats.lateness.length === 0) return null
  const latenessOf = (what: string, { buckets }: StatsView['lateness'][number]) => {
    const sum = (some: typeof buckets) => some.reduce((total, { messages }) => total + messages, 0)
    const within = sum(buckets.filter(({ atMost }) => atMost !== undefined && atMost <= 1))
    return said.latenessOf(what, words.number(within), words.number(sum(buckets)))
  }
  return (
    <>
      <h3>{said.lateness}</h3>
      <ul>
        {stats.lateness.map((row) => (
          <li key={row.class}>{latenessOf(said.classes[row.class] ?? row.class, row)}</li>
        ))}
        {stats.channelLateness?.map((row) => (
          <li key={`${row.channel} ${row.class}`}>
            {latenessOf(
              `${words.channelName(row.channel)}, ${(said.classes[row.class] ?? row.class).toLowerCase()}`,
              row,
            )}
          </li>
        ))}
      </ul>
    </>
  )
}

function useTypeName(): (type: string | undefined) => string {
  const { messageTypes, language } = useStores()
  const said = useNumbersWords()
  return (type = '') => {
    if (type === own) return said.own
    return messageTypes.all.value?.find(({ id }) => id === type)?.name[language.code.value] ?? type
  }
}
