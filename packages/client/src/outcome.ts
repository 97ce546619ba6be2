/** What became of a message, in words and in a table. */
import type { ChannelLedger, HistoryView, ReceiptView, TrackerReport } from '@courier-fleet/core'

const reached = ({ sent, delivered, read, confirmed }: ChannelLedger) => sent + delivered + read + confirmed

/** One line on how far it is. */
export function progressLine(history: HistoryView, nowMs: number): string {
  if (history.state === 'scheduled') {
    const seconds = Math.max(0, Math.ceil((Date.parse(history.at ?? '') - nowMs) / 1000))
    return seconds > 0 ? `scheduled, due in ${seconds} s` : 'due'
  }
  const channels = Object.entries(history.channels).map(([name, ledger]) => {
    const possible = ledger.accepted - ledger['no-contact']
    return `${name} ${reached(ledger)}/${possible}${ledger.state === 'settled' ? ' done' : ''}`
  })
  return [history.state, ...channels].join(' · ')
}

const always = ['sent', 'failed', 'no contact', 'unknown', 'pending'] as const
const sometimes = ['suppressed', 'expired', 'cancelled'] as const

/** A row for each channel; the rarer columns only where somebody is in them. */
export function channelTable({ channels }: HistoryView): string {
  const ledgers = Object.entries(channels)
  const rare = sometimes.filter((state) => ledgers.some(([, ledger]) => ledger[state] > 0))
  const rows = ledgers.map(([name, ledger]) => [
    name,
    reached(ledger),
    ledger.failed,
    ledger['no-contact'],
    ledger.unknown,
    ledger.pending,
    ...rare.map((state) => ledger[state]),
  ])
  const table = [['channel', ...always, ...rare], ...rows].map((row) => row.map(String))
  const widths = (table[0] as string[]).map((_, column) =>
    Math.max(...table.map((row) => (row[column] as string).length)),
  )
  const lineOf = (row: string[]) =>
    row
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[0] as number) : cell.padStart(widths[column] as number),
      )
      .join('  ')
  return table.map(lineOf).join('\n')
}

const reachedStates = new Set(['sent', 'delivered', 'read', 'confirmed'])

export function isReached({ channels }: ReceiptView): boolean {
  return Object.values(channels).some(({ state }) => reachedStates.has(state))
}

/** Who did not get it, and why, channel by channel; one without a contact anywhere is said so once. */
export function unreachedLine({ person, name, channels }: ReceiptView): string {
  const entries = Object.entries(channels)
  const why = entries
    .filter(([, { state }]) => state !== 'no-contact')
    .map(([channel, { state, reason }]) => `${channel} ${state}${reason === undefined ? '' : ` (${reason})`}`)
  const who = name === undefined ? person : `${name} (${person})`
  if (entries.length === 0) return `${who}: no channel has begun`
  return `${who}: ${why.length > 0 ? why.join(', ') : 'no contact'}`
}

/** 0 only when everyone with a contact got it. */
export function exitCodeOf({ settled, ending }: TrackerReport): 0 | 1 {
  return settled && ending === 'everyone' ? 0 : 1
}
