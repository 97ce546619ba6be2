/** What became of a message, in words and in a table. */
import {
  type ChannelLedger,
  type HistoryView,
  type ReceiptView,
  type Standstill,
  takenOn,
} from '@courier-fleet/api-types'
import { channels, tellsMore } from '@courier-fleet/channels'
import { outcomeWords, personWords, sentWords, spanWords, standstillWords, wordsIn } from '@courier-fleet/words'
import { bar } from './progress.ts'
import type { Look } from './style.ts'
import { plain, table } from './table.ts'

const words = wordsIn('en')

/** At one moment. */
export interface Now {
  /** Unix ms */
  readonly ms: number
  /** the channels on which nobody is sent it */
  readonly standstills: readonly Standstill[]
  /** how long it still takes, where that is known */
  readonly leftMs: number | undefined
  readonly look: Pick<Look, 'moment'>
}

/** One line on how far it is: everyone once, then each channel. */
export function progressLine(history: HistoryView, now: Now): string {
  if (history.state === 'scheduled') {
    const seconds = Math.max(0, Math.ceil((Date.parse(history.at ?? '') - now.ms) / 1000))
    return seconds > 0 ? `scheduled, due in ${seconds} s` : 'due'
  }
  const channels = inUse(history).map(({ name, ledger }) => {
    const { accepted, pending, 'no-contact': nobody, state } = ledger
    const said = [`${name} ${accepted - pending - nobody}/${accepted}`]
    if (nobody > 0) said.push(`${nobody} no contact`)
    if (state === 'settled') said.push('done')
    return said.join(', ')
  })
  return [headOf(history, now), ...channels, ...sentencesOf(now)].join(' · ')
}

/** The same with a bar for each channel. */
export function progressBlock(history: HistoryView, now: Now): string {
  const channels = inUse(history).map(({ name, ledger }) => {
    const { accepted, pending, state } = ledger
    const counts = countsOf(name, ledger).filter(([, count]) => count > 0)
    const said = [`of ${accepted}`, ...counts.map(([what, count]) => `${count} ${what}`)].join(', ')
    return [`  ${name}`, bar(accepted - pending, accepted), state === 'settled' ? `${said}, done` : said]
  })
  if (history.state === 'scheduled' || channels.length === 0) return progressLine(history, now)
  return [headOf(history, now), table(channels), ...sentencesOf(now)].join('\n')
}

/**
 * The channels by which anybody can be sent it; of the others it is said below the table that nobody has a contact there. Who has none is
 * found out on the way, so all are told of the whole audience, which stays the same.
 */
const inUse = ({ channels }: HistoryView) =>
  Object.entries(channels).flatMap(([name, ledger]) =>
    ledger.accepted > ledger['no-contact'] ? [{ name, ledger }] : [],
  )

/** `running: 3 sent to chat, 2 being sent; about 5 seconds left`. Where nobody is sending the pace of before says nothing. */
function headOf(history: HistoryView, { standstills, leftMs }: Now): string {
  const { lines } = outcomeWords('en', history)
  if (lines.length === 0) return history.state
  const isSent = history.state === 'running' && standstills.length === 0
  const time = isSent && leftMs !== undefined ? `; about ${spanOf(leftMs)} left` : ''
  return `${history.state}: ${lines.map(({ count, short }) => words.counted(count, short)).join(', ')}${time}`
}

const sentencesOf = ({ ms, standstills, look: { moment } }: Now): string[] =>
  standstills.map((each) => standstillWords('en', each, { moment, now: ms }))

const minuteMs = 60_000
const spanOf = (ms: number) =>
  spanWords('en', ms < 2 * minuteMs ? `PT${Math.ceil(ms / 1000)}S` : `PT${Math.ceil(ms / minuteMs)}M`)

/** what is said of a message that was taken, and of which no more will be told, as channels say it: `sent to chat` first */
const finals = [...new Set(channels.flatMap(({ words: { en } }) => en.shortSent ?? []))].sort()

const always = ['delivered', 'sent to chat', 'not confirmed', 'failed', 'no contact', 'unknown', 'pending']

/** What has become of the receipts of one channel; those that are taken by what the channel can tell of them. */
function countsOf(leg: string, ledger: ChannelLedger): [what: string, count: number][] {
  const isFinal = !tellsMore(leg)
  const final = sentWords('en', leg, 'shortSent')
  return [
    ['delivered', takenOn(ledger) - ledger.sent],
    ...finals.map((what): [string, number] => [what, isFinal && what === final ? ledger.sent : 0]),
    ['not confirmed', isFinal ? 0 : ledger.sent],
    ['failed', ledger.failed],
    ['no contact', ledger['no-contact']],
    ['unknown', ledger.unknown],
    ['pending', ledger.pending],
    ['suppressed', ledger.suppressed],
    ['expired', ledger.expired],
    ['cancelled', ledger.cancelled],
  ]
}

/** A row for each channel on which anybody has a contact; the rarer columns only where somebody is in them. The others are named below. */
export function channelTable({ channels: legs }: HistoryView): string {
  const all = Object.entries(legs)
  const unused = all.flatMap(([leg, { accepted, 'no-contact': none }]) =>
    accepted > 0 && accepted === none ? [leg] : [],
  )
  const used = all.filter(([leg]) => !unused.includes(leg))
  const below = unused.length > 0 ? [`Nobody of them has a contact on: ${unused.join(', ')}`] : []
  return [...(used.length > 0 ? [tableOf(used)] : []), ...below].join('\n')
}

function tableOf(legs: readonly [leg: string, ledger: ChannelLedger][]): string {
  const rows = legs.map(([leg, ledger]) => ({ leg, counts: new Map(countsOf(leg, ledger)) }))
  const some = [...new Set(rows.flatMap(({ counts }) => [...counts.keys()]))]
  const columns = some.filter((what) => always.includes(what) || rows.some(({ counts }) => counts.get(what) !== 0))
  return table(
    [['channel', ...columns], ...rows.map(({ leg, counts }) => [leg, ...columns.map((what) => counts.get(what) ?? 0)])],
    {
      numbersFrom: 1,
    },
  )
}

/** One person, and what each of their channels says. */
export function personLine(receipt: ReceiptView, moment: Look['moment']): string {
  const { person, name } = receipt
  return plain(`${name === undefined ? person : `${name} (${person})`}: ${personWords('en', receipt, moment)}`)
}
