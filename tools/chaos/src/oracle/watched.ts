/** What the oracle has seen of one message: compactly, for there are thousands of them with millions of recipients. */
import { type Audience, type Channel, channels, type Expectations, type Message, markerIn } from '../expectations.ts'
import type { AcceptedRow, History } from './api.ts'
import type { Findings } from './findings.ts'
import type { Receipts, SeveralPhones } from './receipts.ts'
import type { SinceCounts } from './since.ts'

export interface Watched {
  readonly message: Message
  /** what providers accepted, by ordinal in the audience; 255 is "that or more" */
  readonly rows: Partial<Record<Channel, Uint8Array>>
  /** ordinals of those of whom a provider accepted it for their next phone */
  readonly toNextPhone: Set<number>
  /** the first row of all */
  earliest: { readonly atMs: number; readonly channel: Channel; readonly person: number } | undefined
  /** the view of the last poll, while it is open */
  view: History | undefined
  /** open: to be waited for · overdue: waited for in vain · closed: it has settled, or does not exist */
  standing: 'open' | 'overdue' | 'closed'
  /** as read last: when it settled, and at the end */
  receipts: Receipts
  severalPhones: SeveralPhones
  /** how many of these say what, and since which hour */
  since: SinceCounts
}

export const watch = (message: Message): Watched => ({
  message,
  rows: {},
  toNextPhone: new Set(),
  earliest: undefined,
  view: undefined,
  standing: 'open',
  receipts: {},
  severalPhones: new Map(),
  since: new Map(),
})

/** What a violation calls the message. */
export const nameOf = ({ key, marker }: Message) => key ?? `m${marker} (no key was told)`

/** @returns the ordinal of this person; -1 when not in the audience */
export function ordinalOf(audience: Audience, person: number): number {
  let [low, high] = [0, audience.length - 1]
  while (low <= high) {
    const middle = (low + high) >> 1
    const found = audience[middle] as number
    if (found === person) return middle
    if (found < person) low = middle + 1
    else high = middle - 1
  }
  return -1
}

/** Counts a row of `/accepted` for whom it went to; tells of rows that nobody asked for. Rows of others are left alone. */
export function countRow(
  row: AcceptedRow,
  watched: readonly Watched[],
  expectations: Expectations,
  findings: Findings,
): void {
  const entry = watched[markerIn(row.text) ?? -1]
  if (!entry) return
  const { message, rows } = entry
  const falsely = (what: string, channel?: Channel) =>
    findings.add({
      kind: 'told-falsely',
      message: nameOf(message),
      ...(channel ? { channel } : {}),
      person: row.address,
      what,
    })
  const channel = channels.find((name) => name === row.channel)
  const person = channel && expectations.population.personAt(channel, row.address)
  const ordinal = person === undefined ? -1 : ordinalOf(message.audience, person)
  if (!channel || person === undefined || ordinal < 0 || !message.channels.includes(channel)) {
    falsely(`went to ${row.address} on ${row.channel}, whom nobody asked to reach there`, channel)
    return
  }
  if (channel === 'sms' && row.address !== expectations.population.contactOf(channel, person))
    entry.toNextPhone.add(ordinal)
  if (row.text !== message.text) falsely(`arrived as another text: ${JSON.stringify(row.text.slice(0, 80))}`, channel)
  rows[channel] ??= new Uint8Array(message.audience.length)
  const counts = rows[channel]
  counts[ordinal] = Math.min(255, (counts[ordinal] as number) + 1)
  if (!entry.earliest || row.at < entry.earliest.atMs) entry.earliest = { atMs: row.at, channel, person }
}
