/** Whom a correction is for, by what the leg of the older text says of each: docs/decisions/0066. */
import { type Reason, reasonBytes, receiptBytes } from '@courier-fleet/api-types'
import { idInEvidence, keys, type Redis, readEvidence } from '@courier-fleet/store'
import type { Courier } from '../../courier.ts'
import { type Claim, versionOf } from '../claims/claim.ts'
import type { ClaimBuffer } from '../claims/claim-buffer.ts'

/** How somebody is corrected, or what they have is taken back. */
export interface Correction {
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
  | { readonly kind: 'correct'; readonly text?: string; readonly correction: Correction }
  /** an attempt with an older text, or an edit, is under way */
  | { readonly kind: 'wait' }
  /** they have not been sent an older text after all */
  | { readonly kind: 'nothing' }
  /** the channel cannot edit it, and no message of its own is wanted; or it cannot delete it */
  | { readonly kind: 'stays' }

/** before the answer to an attempt with an older text is looked for again */
export const openAttemptMs = 1_000

const isAny = (states: string) => new Set([...states].map((state) => state.charCodeAt(0)))
export const isOpen = isAny('ab')
export const hasIt = isAny('sdrc')
export const mayHaveIt = isAny('uw')

/** @returns of an ordinal of this claim what is to be done; `undefined` where the claim is of no correction */
export async function readCorrections(
  buffer: ClaimBuffer,
  { redis, courier }: { readonly redis: Redis; readonly courier: Pick<Courier, 'channel' | 'edit'> },
): Promise<((ordinal: number) => Correcting) | undefined> {
  const { claim, message } = buffer
  const version = versionOf(claim)
  if (version === undefined) return undefined
  const { channel } = courier
  const [first, ids, wasFollowed] = await Promise.all([
    redis.getrangeBuffer(keys.receipts(claim.ref, channel), claim.from, claim.to - 1),
    courier.edit ? readIds(redis, claim, channel) : [],
    readFollowed(redis, claim, `${channel}~${version - 1}`),
  ])
  const { text, followUp } = message
  return (ordinal) => {
    const place = ordinal - claim.from
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
export async function readIds(redis: Redis, { ref, from, to }: Claim, leg: string): Promise<(string | undefined)[]> {
  if (await redis.hexists(keys.history(ref), `${leg}:carries`)) return []
  const ordinals = Array.from({ length: to - from }, (_, place) => from + place)
  return (await readEvidence(redis, ref, leg, ordinals)).map((line) => idInEvidence(line ?? ''))
}

/** Whoever has, or may have, a message of its own of the correction before has a text that no edit of the first one changes. */
async function readFollowed(redis: Redis, { ref, from, to }: Claim, leg: string): Promise<(place: number) => boolean> {
  const [states, reasons] = await Promise.all([
    redis.getrangeBuffer(keys.receipts(ref, leg), from, to - 1),
    redis.getrangeBuffer(keys.reasons(ref, leg), from, to - 1),
  ])
  return (place) => mayHaveIt.has(states[place] ?? 0) || reasons[place] === reasonBytes['followed-up']
}
