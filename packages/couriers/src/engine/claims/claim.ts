import type { HistoryRef, MessageClass, WaveCause } from '@courier-fleet/api-types'
import { grouped } from '@courier-fleet/process'

/** An entry of a work stream that this process owns for the time of its lease: a range of one message's recipients on one leg. */
export interface Claim {
  readonly stream: string
  readonly entry: string
  /** under which it was read: `<process>`, and where another Redis may take the master's place `<process>@<its generation>` */
  readonly consumer: string
  /** the delivery count under which it is owned: the fence */
  readonly deliveries: number
  readonly ref: HistoryRef
  readonly class: MessageClass
  /** the channel, or of a correction the channel and the version of the text */
  readonly leg: string
  /** ordinals from … to-1 */
  readonly from: number
  readonly to: number
  /** how often sending to this range has failed for now */
  readonly tries: number
  /** why the range has waited for a later wave; absent when it has not */
  readonly cause?: WaveCause
  /** condition: who has the message by another leg is not sent to; empty for none. See lua/record.lua */
  readonly unless: string
  /** messages that go with it, `<sender>:<id>` each; absent for none */
  readonly carries?: readonly string[]
}

/** Of a correction, the number of its text: its leg is a channel and that. */
export const versionOf = ({ leg }: Pick<Claim, 'leg'>): number | undefined => {
  const [, version] = leg.split('~')
  return version === undefined ? undefined : Number(version)
}

/** Of messages of its own that tell of the edits of a correction, the leg of the edits; see toldLegOf(). */
export const editsOf = ({ leg }: Pick<Claim, 'leg'>): string | undefined => {
  const [channel, version, told] = leg.split('~')
  return told === undefined ? undefined : `${channel}~${version}`
}

/** Claims with the same are written by one call. */
export const writtenBy = ({ stream, consumer }: Claim): string => `${stream} ${consumer}`

/** What belongs to claims, in groups that one call writes: without a name of both for each. */
export const writtenTogether = <T>(items: Iterable<T>, claimOf: (item: T) => Claim): T[][] =>
  [...grouped(items, (item) => claimOf(item).stream).values()].flatMap((own) => [
    ...grouped(own, (item) => claimOf(item).consumer).values(),
  ])

/** Under which master it was read; empty where there is only one. */
export const generationOf = ({ consumer }: Claim): string => /@(\w+)$/.exec(consumer)?.[1] ?? ''

export const peopleOf = ({ from, to }: Claim): number => to - from

/** The claim has gone to another process: whatever this one still knows must not be recorded. */
export class Fenced extends Error {}
