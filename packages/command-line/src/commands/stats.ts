import { receiptStates, type StatsDimension, type StatsView, statsDimensions } from '@courier-fleet/api-types'
import { shareWords } from '@courier-fleet/words'
import { defineCommand } from '../define-command.ts'
import { withinOf } from '../lateness.ts'
import { lengthMsOf } from '../moment.ts'
import type { Look } from '../style.ts'
import { table } from '../table.ts'
import { UsageError } from '../usage-error.ts'

export const stats = defineCommand({
  name: 'stats',
  summary: 'How much was sent and what came of it, by type, channel, reason and hour; for operators',
  options: {
    last: { type: 'string', value: 'LENGTH', about: 'the latest hours, such as 24h (when absent) or 7d; 35d at most' },
    by: {
      type: 'string',
      value: 'WHAT',
      about: `what is told apart: ${statsDimensions.join(', ')}, between commas; type when absent`,
    },
    type: { type: 'string', value: 'TYPE', about: 'of messages of this type only' },
    channel: { type: 'string', value: 'CHANNEL', about: 'receipts on this channel only' },
  },
  exits: { 0: 'told' },
  async execute({ values: { last = '24h', by = 'type', type, channel }, answer, client, look }) {
    const dimensions = dimensionsOf(by)
    const from = new Date(Date.now() - lengthMsOf('last', last)).toISOString()
    const view = await client().stats({
      from,
      by: dimensions,
      ...(type === undefined ? {} : { type }),
      ...(channel === undefined ? {} : { channel }),
    })
    answer(view, () => tell(withHours(view, look), dimensions, look))
    return 0
  },
})

function dimensionsOf(by: string): StatsDimension[] {
  return by.split(',').map((each) => {
    const known = statsDimensions.find((name) => name === each)
    if (!known) throw new UsageError(`--by takes ${statsDimensions.join(', ')} between commas, not "${by}"`)
    return known
  })
}

/** Each hour as whoever reads it has it on the clock. */
function withHours(view: StatsView, look: Look): StatsView {
  const shown = <Row extends { hour?: string | undefined }>(rows: readonly Row[]): Row[] =>
    rows.map((row) => (row.hour === undefined ? row : { ...row, hour: look.moment(row.hour) }))
  const { messages, receipts, deadlines, lateness, channelLateness } = view
  return {
    ...view,
    messages: shown(messages),
    receipts: shown(receipts),
    deadlines: shown(deadlines),
    lateness: shown(lateness),
    ...(channelLateness ? { channelLateness: shown(channelLateness) } : {}),
  }
}

function tell(
  { from, to, messages, receipts, deadlines, lateness, channelLateness = [] }: StatsView,
  dimensions: readonly StatsDimension[],
  look: Look,
): string {
  const span = [from, to].map(look.moment).join(' to ')
  if (messages.length === 0 && receipts.length === 0) return `Nothing from ${span}.`
  const ofMessages = dimensions.filter((each) => each === 'type' || each === 'hour')
  const states = receiptStates.filter((state) => receipts.some(({ came }) => came[state]))
  return [
    `From ${span}. A person counts in each state their receipt came to.`,
    table(
      [
        [...dimensions, ...states.map((state) => (state === 'pending' ? 'started' : state))],
        ...receipts.map((row) => [
          ...dimensions.map((each) => row[each] ?? '-'),
          ...states.map((each) => row.came[each] ?? 0),
        ]),
      ],
      { numbersFrom: dimensions.length },
    ),
    funnelTable(receipts, dimensions),
    deadlineTable(deadlines, dimensions),
    table(
      [
        [...ofMessages, 'accepted', 'to people', 'cancelled', 'to people'],
        ...messages.map((row) => [
          ...ofMessages.map((each) => row[each as 'type' | 'hour']),
          row.accepted,
          row.acceptedPeople,
          row.cancelled,
          row.cancelledPeople,
        ]),
      ],
      { numbersFrom: ofMessages.length },
    ),
    latenessTable(lateness, [], dimensions),
    latenessTable(channelLateness, ['channel'], dimensions),
  ]
    .filter((part) => part.includes('\n') || part.startsWith('From'))
    .join('\n\n')
}

/** Who came how far, each once; nothing where reasons are told apart. */
function funnelTable(receipts: StatsView['receipts'], dimensions: readonly StatsDimension[]): string {
  const rows = receipts.flatMap(({ passed, came, ...row }) =>
    passed ? [[...dimensions.map((each) => row[each]), came.pending ?? 0, ...Object.values(passed)]] : [],
  )
  if (rows.length === 0) return ''
  const head = [...dimensions, 'started', 'sent or further', 'delivered or further', 'read or further', 'confirmed']
  return table([head, ...rows], { numbersFrom: dimensions.length })
}

/** How late messages started: of all, or of each channel they started on. */
function latenessTable(
  rows: readonly (StatsView['lateness'][number] & { readonly channel?: string })[],
  before: readonly 'channel'[],
  dimensions: readonly StatsDimension[],
): string {
  if (rows.length === 0) return ''
  const told: readonly ('channel' | 'class' | 'hour')[] = [
    ...before,
    'class',
    ...(dimensions.includes('hour') ? (['hour'] as const) : []),
  ]
  return table(
    [
      [...told, 'started', 'late, mean', '99 % within'],
      ...rows.map((row) => [
        ...told.map((each) => row[each] ?? '-'),
        row.buckets.reduce((sum, bucket) => sum + bucket.messages, 0),
        `${row.meanSeconds.toFixed(3)} s`,
        withinOf(row.buckets),
      ]),
    ],
    { numbersFrom: told.length },
  )
}

/** Of messages with a deadline: who of those who were told was told in time. */
function deadlineTable(deadlines: StatsView['deadlines'], dimensions: readonly StatsDimension[]): string {
  if (deadlines.length === 0) return ''
  const told = dimensions.filter((each) => each !== 'reason')
  const rows = deadlines.map((row) => [
    ...told.map((each) => row[each as Exclude<StatsDimension, 'reason'>]),
    row.inTime,
    row.late,
    shareWords('en', row.inTime, row.inTime + row.late),
  ])
  return table([[...told, 'within the deadline', 'later', 'share'], ...rows], { numbersFrom: told.length })
}
