/** Receipts by what they say, and since which hour. */
import type { Channel } from '../expectations.ts'
import type { Receipt } from './api.ts'
import type { State } from './states.ts'

export interface Since {
  readonly channel: Channel
  readonly state: State
  /** when the hour began in which they came to it, as the API writes it */
  readonly hour: string
  /** empty for none */
  readonly reason: string
}

/** how many say the same; nobody who is pending */
export type SinceCounts = Map<string, number>

/** Statistics know no such hour, so that they agree with no receipt that does not say when. */
const never = 'never'

export const hourOf = (at: string) => `${at.slice(0, 13)}:00:00.000Z`

export function addSince(counts: SinceCounts, channel: Channel, receipt: Receipt['channels'][string]): void {
  const { state, reason = '', at } = receipt
  if (state === 'pending') return
  const name = [channel, state, at === undefined ? never : hourOf(at), reason].join(' ')
  counts.set(name, (counts.get(name) ?? 0) + 1)
}

export function* readSince(counts: SinceCounts): Generator<Since & { readonly people: number }> {
  for (const [name, people] of counts) {
    const [channel, state, hour, reason] = name.split(' ') as [Channel, State, string, string]
    yield { channel, state, hour, reason, people }
  }
}
