/** Who of a message has confirmed its newest text, by which channel and when: of a person, and beside the receipts. The one place that says so. */
import { type HistoryRef, type HistoryView, memberOf, Problem, type ReceiptView } from '@courier-fleet/api-types'
import { channels } from '@courier-fleet/channels'
import type { Redis } from '../connection/client.ts'
import { tagOf } from '../hash-tags.ts'
import { keys } from '../keys.ts'
import { flagReply } from '../replies.ts'
import { asProblem, defineScript } from '../script.ts'
import { readAudience } from './audience.ts'
import { parseRecord } from './message-record.ts'
import { readTimesBehind } from './receipt-times.ts'
import type { Snapshot } from './snapshot.ts'

/** What was confirmed by somebody who is signed in came by no channel: a place that no descriptor has, and one byte of UTF-8. */
export const signedIn = { name: 'web', number: 126 } as const
const places: readonly { readonly name: string; readonly number: number }[] = [...channels, signedIn]

type Confirmed = NonNullable<ReceiptView['confirmed']>
/** Of an ordinal; undefined for whoever has not. */
export type Confirmations = (ordinal: number) => Confirmed | undefined

export interface ConfirmedBy {
  readonly ordinal: number
  /** number of the text that was confirmed */
  readonly version: number
  /** who says so: nobody else may */
  readonly person: string
  /** or `signedIn` */
  readonly channel: string
}

const confirmScript = defineScript('confirm', {
  keys: ['history', 'confirmed', 'receipts', 'reasons', 'evidence'],
  args: ['leg', 'message', 'tag', 'ordinal', 'channelByte', 'version'],
  reply: flagReply,
})

/** @returns undefined beyond the audience, and where nothing was put */
export async function personAt(redis: Redis, { ref, record }: Snapshot, ordinal: number): Promise<string | undefined> {
  if (record === undefined) return undefined
  return (await readAudience(redis, ref, parseRecord(record).width, ordinal, ordinal + 1))[0]
}

/** The first confirmation of a person counts. @returns what is kept of them now. @throws Problem 403 `not-for-you` · 404 `unknown-confirmation` · 409 `older-text` */
export async function confirm(redis: Redis, snapshot: Snapshot, by: ConfirmedBy): Promise<Confirmed> {
  const { ref, hash } = snapshot
  const { ordinal, version, person, channel } = by
  if (snapshot.record === undefined) throw nothingToConfirm()
  const whose = await personAt(redis, snapshot, ordinal)
  if (whose !== person) throw new Problem(403, 'not-for-you', 'this message was sent to somebody else', 'address')
  const number = places.find(({ name }) => name === channel)?.number
  if (number === undefined) throw nothingToConfirm()
  const names = {
    history: keys.history(ref),
    confirmed: keys.confirmed(ref),
    receipts: keys.receipts(ref, channel),
    reasons: keys.reasons(ref, channel),
    evidence: keys.evidence(ref, channel),
  }
  const channelByte = String.fromCharCode(number + 1)
  const args = { leg: channel, message: memberOf(ref), tag: tagOf(ref.shard), ordinal, channelByte, version }
  await asProblem(confirmScript(redis, names, args), {
    UNKNOWN: [404, 'unknown-confirmation', 'token'],
    OLDER: [409, 'older-text', 'token'],
  })
  const found = (await readConfirmations(redis, { ref, hash, from: ordinal, to: ordinal + 1 }))(ordinal)
  if (!found) throw nothingToConfirm()
  return found
}

export const nothingToConfirm = (): Problem =>
  new Problem(404, 'unknown-confirmation', 'no message of ours asks for this confirmation (any more)', 'token')

interface Span {
  readonly ref: HistoryRef
  readonly hash: Snapshot['hash']
  readonly from: number
  readonly to: number
}

/** Whether each of the ordinals from … to-1 has confirmed it. Reads nothing where nobody was asked. */
export async function readConfirmations(redis: Redis, { ref, hash, from, to }: Span): Promise<Confirmations> {
  if (!hash.confirm || !hash.started || to <= from) return () => undefined
  const key = keys.confirmed(ref)
  const span = { size: Number(hash.size), startedMs: Number(hash.started), from, to }
  const [bytes, at] = await Promise.all([redis.getrangeBuffer(key, from, to - 1), readTimesBehind(redis, key, span)])
  return (ordinal) => {
    const byte = bytes[ordinal - from] ?? 0
    const ms = at(ordinal)
    const channel = places.find(({ number }) => number + 1 === byte)?.name
    return channel && ms !== undefined ? { channel, at: new Date(ms).toISOString() } : undefined
  }
}

/** Of how many people, and of how many not, it is known that they have confirmed it. */
export function confirmedOf(hash: Snapshot['hash']): NonNullable<HistoryView['confirmed']> {
  const [of, yes] = [Number(hash.size), Number(hash.confirmed ?? 0)]
  return { yes, no: of - yes, of }
}
