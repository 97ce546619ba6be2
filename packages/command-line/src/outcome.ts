/** What became of a message, in words and in a table. */
import {
  type HistoryView,
  type ReceiptView,
  type TrackerReport,
  takenOn,
  withContactOf,
} from '@courier-fleet/api-types'
import { wordsIn } from '@courier-fleet/words'
import { bar } from './progress.ts'
import { plain, table } from './table.ts'

/** One line on how far it is. */
export function progressLine(history: HistoryView, nowMs: number): string {
  if (history.state === 'scheduled') {
    const seconds = Math.max(0, Math.ceil((Date.parse(history.at ?? '') - nowMs) / 1000))
    return seconds > 0 ? `scheduled, due in ${seconds} s` : 'due'
  }
  const channels = Object.entries(history.channels).map(([name, ledger]) => {
    const possible = ledger.accepted - ledger['no-contact']
    return `${name} ${takenOn(ledger)}/${possible}${ledger.state === 'settled' ? ' done' : ''}`
  })
  return [history.state, ...channels].join(' · ')
}

/** The same with a bar for each channel. */
export function progressBlock(history: HistoryView, nowMs: number): string {
  const channels = Object.entries(history.channels).map(([name, ledger]) => {
    const possible = ledger.accepted - ledger['no-contact']
    const over = possible - ledger.pending
    const troubles = [ledger.failed && `${ledger.failed} failed`, ledger.unknown && `${ledger.unknown} unknown`]
    const words = [`${takenOn(ledger)} of ${possible}`, ...troubles.filter(Boolean)].join(', ')
    return [`  ${name}`, bar(over, possible), ledger.state === 'settled' ? `${words}, done` : words]
  })
  if (history.state === 'scheduled' || channels.length === 0) return progressLine(history, nowMs)
  return `${history.state}\n${table(channels)}`
}

const always = ['sent', 'failed', 'no contact', 'unknown', 'pending'] as const
const sometimes = ['suppressed', 'expired', 'cancelled'] as const

/** A row for each channel; the rarer columns only where somebody is in them. */
export function channelTable({ channels }: HistoryView): string {
  const ledgers = Object.entries(channels)
  const rare = sometimes.filter((state) => ledgers.some(([, ledger]) => ledger[state] > 0))
  const rows = ledgers.map(([name, ledger]) => [
    name,
    takenOn(ledger),
    ledger.failed,
    ledger['no-contact'],
    ledger.unknown,
    ledger.pending,
    ...rare.map((state) => ledger[state]),
  ])
  return table([['channel', ...always, ...rare], ...rows], { numbersFrom: 1 })
}

/** Who did not get it, and why, channel by channel; one without a contact anywhere is said so once. */
export function unreachedLine({ person, name, channels }: ReceiptView): string {
  const entries = Object.entries(channels)
  const why = entries
    .filter(([, { state }]) => state !== 'no-contact')
    .map(([channel, { state, reason, detail }]) => {
      const said = [reason && wordsIn('en').whys[reason], detail].filter(Boolean).join(': ')
      return `${channel} ${state}${said && ` (${said})`}`
    })
  const who = name === undefined ? person : `${name} (${person})`
  if (entries.length === 0) return plain(`${who}: no channel has begun`)
  return plain(`${who}: ${why.length > 0 ? why.join(', ') : 'no contact'}`)
}

export const outcomeExits = {
  0: 'everyone with a contact got it, or it is in their chat',
  1: 'somebody did not, or nobody has a contact',
  3: 'of somebody it is not known, or not confirmed',
  4: 'it is still being sent',
} as const

/** As told of those with a contact; what is still under way comes first, for it may turn out either way. */
export function exitCodeOf({ history: { state, people } }: TrackerReport): 0 | 1 | 3 | 4 {
  if (!people) return state === 'cancelled' ? 1 : 4
  if (people.pending > 0) return 4
  if (people.notDelivered > 0 || withContactOf(people) === 0) return 1
  return people.unknown > 0 || people.handedOver > 0 ? 3 : 0
}
