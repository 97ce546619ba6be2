/** What the API says of a message of many shapes, beyond what it says of every message: own types, read from its documentation. */

import type { Violation } from '../report.ts'
import type { ShapedChannel, ShapedMessage } from '../shaped-messages.ts'
import type { History, Receipt } from './api.ts'
import type { NowOf, Shown } from './phones.ts'
import type { State } from './states.ts'

type Counts<Name extends string> = Readonly<Record<Name, number>>

/** How many a correction concerns on a channel. */
export interface Corrected extends Counts<'edited' | 'followedUp' | 'pending' | 'unknown' | 'uncorrected'> {
  /** of those who were edited; both absent where nobody was to be told besides */
  readonly alsoTold?: number
  readonly toBeTold?: number
}

export interface ShapedHistory extends History {
  readonly confirmed?: { readonly yes: number; readonly no: number; readonly of: number }
  readonly deadline?: { readonly inTime: number; readonly late: number }
  readonly versions?: readonly {
    readonly text?: string
    readonly at: string
    readonly corrected?: Readonly<Record<string, Corrected>>
  }[]
  readonly recalled?: {
    readonly at: string
    readonly channels: Readonly<Record<string, Counts<'deleted' | 'replaced' | 'pending' | 'remaining'>>>
  }
}

export interface ShapedReceipt extends Receipt {
  readonly channels: Readonly<
    Record<
      string,
      { readonly state: State; readonly reason?: string; readonly at?: string; readonly sentWith?: string }
    >
  >
  readonly confirmed?: { readonly channel: string; readonly at: string }
}

/** Everything that is known of one message when it has settled. */
export interface Seen {
  readonly message: ShapedMessage
  readonly view: ShapedHistory
  /** in the order of its people */
  readonly receipts: readonly ShapedReceipt[]
  /** what providers took of it, in their order */
  readonly shown: readonly Shown[]
  readonly nowOf: NowOf
  /** how far Redis's clocks may be from each other, and from ours */
  readonly clocksApartMs: number
}

/** of a message, perhaps on a channel and of a person */
export type Add = (kind: Violation['kind'], what: string, where?: { channel?: ShapedChannel; person?: string }) => void

/** What was taken for somebody on a channel. */
export const shownTo = ({ shown }: Pick<Seen, 'shown'>, channel: ShapedChannel, person: string): readonly Shown[] =>
  shown.filter((each) => each.channel === channel && each.person.id === person)

/**
 * A mark is written before the provider sees anything: a process may be frozen, a provider slow or Redis away between the two, for no longer than this. What
 * was taken later than that after something was recorded was marked after it, too.
 */
export const markToTakenMs = 25_000
