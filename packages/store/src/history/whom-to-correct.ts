/** Whom a correction is for, by what the leg of the older text says of each: docs/decisions/0066. */
import { type HistoryRef, type Reason, reasonBytes, receiptBytes } from '@courier-fleet/api-types'
import type { Redis } from '../connection/client.ts'
import { keys } from '../keys.ts'
import { idInEvidence, readEvidence } from './evidence.ts'

/** How somebody is corrected, or what they have is taken back. */
export interface HowCorrected {
  /** why their receipt says `sent` once it is done */
  readonly reason: Extract<Reason, 'edited' | 'followed-up' | 'deleted' | 'replaced'>
  /** what the provider calls the message they have; absent: it is not edited */
  readonly edits?: string
  /** what the provider calls the messages they have that are to be deleted, commas between them */
  readonly recalls?: string
  /** they may have another, which nobody knows the name of: once it is done it is not said to be */
  readonly mayLeaveOne?: true
  /** the text of a message of their own where it cannot be edited; absent: they are sent none */
  readonly followUp?: string
}

export type Correcting =
  /** without a text it is taken back, and says what a notice says in their language where it cannot be deleted */
  | { readonly kind: 'correct'; readonly text?: string; readonly correction: HowCorrected }
  /** an attempt with an older text, or an edit, is under way */
  | { readonly kind: 'wait' }
  /** they have not been sent an older text after all */
  | { readonly kind: 'nothing' }
  /** the channel cannot edit it, and no message of its own is wanted; or it cannot delete it */
  | { readonly kind: 'stays' }

const isAny = (states: string) => new Set([...states].map((state) => state.charCodeAt(0)))
export const isOpen = isAny('ab')
export const hasIt = isAny('sdrc')
export const mayHaveIt = isAny('uw')

/** Ordinals of a message, from … to-1. */
export interface Span {
  readonly ref: HistoryRef
  readonly from: number
  readonly to: number
}

interface Corrected {
  readonly channel: string
  /** the number of the new text */
  readonly version: number
  readonly text: string
  /** the text of a message of its own; absent: none is wanted */
  readonly followUp?: string | undefined
  /** the channel can */
  readonly canEdit: boolean
}

/** @returns of an ordinal of the span what a correction is to do */
export async function readWhomToCorrect(
  redis: Redis,
  span: Span,
  { channel, version, text, followUp, canEdit }: Corrected,
): Promise<(ordinal: number) => Correcting> {
  const { ref, from, to } = span
  const [first, ids, wasFollowed] = await Promise.all([
    redis.getrangeBuffer(keys.receipts(ref, channel), from, to - 1),
    canEdit ? readIds(redis, span, channel) : [],
    readFollowed(redis, span, messageLegsOf(channel, version)),
  ])
  return (ordinal) => {
    const place = ordinal - from
    const byte = first[place] ?? receiptBytes.pending
    if (isOpen.has(byte)) return { kind: 'wait' }
    if (!hasIt.has(byte) && !mayHaveIt.has(byte)) return { kind: 'nothing' }
    const id = hasIt.has(byte) && !wasFollowed(place) ? ids[place] : undefined
    if (id !== undefined) {
      return { kind: 'correct', text, correction: { reason: 'edited', edits: id, ...(followUp ? { followUp } : {}) } }
    }
    return followUp ? { kind: 'correct', text: followUp, correction: { reason: 'followed-up' } } : { kind: 'stays' }
  }
}

/** None where others went with the message: whatever changes what the provider has would change their texts, too. */
export async function readIds(redis: Redis, { ref, from, to }: Span, leg: string): Promise<(string | undefined)[]> {
  if (await redis.hexists(keys.history(ref), `${leg}:carries`)) return []
  const ordinals = Array.from({ length: to - from }, (_, place) => from + place)
  return (await readEvidence(redis, ref, leg, ordinals)).map((line) => idInEvidence(line ?? ''))
}

/** The leg of messages of its own that tell of the edits of a correction. */
export const toldLegOf = (leg: string): string => `${leg}~told`

/** By which messages of its own may have gone to somebody, of the corrections before this version. */
export const messageLegsOf = (channel: string, version: number): string[] =>
  Array.from({ length: version - 2 }, (_, at) => `${channel}~${at + 2}`).flatMap((leg) => [leg, toldLegOf(leg)])

/** Whoever has, or may have, a message of its own of a correction before has a text that no edit of the first one changes. */
async function readFollowed(redis: Redis, span: Span, legs: readonly string[]): Promise<(place: number) => boolean> {
  const found = await Promise.all(legs.map((leg) => readOutcomes(redis, span, leg)))
  return (place) =>
    found.some(
      ({ states, reasons }) => mayHaveIt.has(states[place] ?? 0) || reasons[place] === reasonBytes['followed-up'],
    )
}

async function readOutcomes(redis: Redis, { ref, from, to }: Span, leg: string) {
  const [states, reasons] = await Promise.all([
    redis.getrangeBuffer(keys.receipts(ref, leg), from, to - 1),
    redis.getrangeBuffer(keys.reasons(ref, leg), from, to - 1),
  ])
  return { states, reasons }
}

interface Told {
  /** of the edits */
  readonly leg: string
  /** the text of a message of its own */
  readonly followUp: string
}

/** @returns of an ordinal of the span whether it is to be told of its edit, too */
export async function readWhomToTell(
  redis: Redis,
  span: Span,
  { leg, followUp }: Told,
): Promise<(ordinal: number) => Correcting> {
  const { states, reasons } = await readOutcomes(redis, span, leg)
  return (ordinal) => {
    const place = ordinal - span.from
    const byte = states[place] ?? receiptBytes.pending
    if (byte === receiptBytes.pending || isOpen.has(byte)) return { kind: 'wait' }
    return hasIt.has(byte) && reasons[place] === reasonBytes.edited
      ? { kind: 'correct', text: followUp, correction: { reason: 'followed-up' } }
      : { kind: 'nothing' }
  }
}
