/** What became of a message, in words and in a table. */
import { type HistoryView, type ReceiptView, reachedOn, type TrackerReport } from '@courier-fleet/api-types'
import { bar } from './progress.ts'
import { reasonWords } from './reason-words.ts'
import { plain, table } from './table.ts'

/** One line on how far it is. */
export function progressLine(history: HistoryView, nowMs: number): string {
  if (history.state === 'scheduled') {
    const seconds = Math.max(0, Math.ceil((Date.parse(history.at ?? '') - nowMs) / 1000))
    return seconds > 0 ? `scheduled, due in ${seconds} s` : 'due'
  }
  const channels = Object.entries(history.channels).map(([name, ledger]) => {
    const possible = ledger.accepted - ledger['no-contact']
    return `${name} ${reachedOn(ledger)}/${possible}${ledger.state === 'settled' ? ' done' : ''}`
  })
  return [history.state, ...channels].join(' · ')
}

/** The same with a bar for each channel. */
export function progressBlock(history: HistoryView, nowMs: number): string {
  const channels = Object.entries(history.channels).map(([name, ledger]) => {
    const possible = ledger.accepted - ledger['no-contact']
    const over = possible - ledger.pending
    const troubles = [ledger.failed && `${ledger.failed} failed`, ledger.unknown && `${ledger.unknown} unknown`]
    const words = [`${reachedOn(ledger)} of ${possible}`, ...troubles.filter(Boolean)].join(', ')
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
    reachedOn(ledger),
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
      const said = [reason && reasonWords[reason], detail].filter(Boolean).join(': ')
      return `${channel} ${state}${said && ` (${said})`}`
    })
  const who = name === undefined ? person : `${name} (${person})`
  if (entries.length === 0) return plain(`${who}: no channel has begun`)
  return plain(`${who}: ${why.length > 0 ? why.join(', ') : 'no contact'}`)
}

/** 0 only when everyone with a contact got it. */
export function exitCodeOf({ settled, ending }: TrackerReport): 0 | 1 {
  return settled && ending === 'everyone' ? 0 : 1
}
