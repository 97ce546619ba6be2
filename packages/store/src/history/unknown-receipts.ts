/** Whom a decision about unknown receipts concerns, and what becomes of them. */
import { Problem, receiptStateOf } from '@courier-fleet/api-types'
import type { Redis } from '../connection/client.ts'
import { audienceIn, readAudience } from './audience.ts'
import { channelsOf, receiptChunks } from './ledger.ts'
import { parseRecord } from './message-record.ts'
import type { Snapshot } from './snapshot.ts'
import { resendUnknown, resolveUnknown } from './unknown-scripts.ts'

export interface UnknownReceipts {
  readonly channel: string
  /** those named; or everyone who is unknown there */
  readonly people: readonly string[] | 'all'
  readonly by: string
}

/** @returns how many were unknown. @throws Problem 404 · 422 `unknown-channel` `not-in-audience` */
export async function resolve(
  redis: Redis,
  snapshot: Snapshot,
  { channel, people, by }: UnknownReceipts,
  outcome: 'delivered' | 'failed',
): Promise<number> {
  const ordinals = await ordinalsOf(redis, snapshot, channel, people)
  return resolveUnknown(redis, { ref: snapshot.ref, leg: channel, ordinals, by }, outcome)
}

/** @returns how many were unknown. @throws Problem 404 · 409 `was-cancelled` `has-expired` · 422 as resolve() */
export async function resend(
  redis: Redis,
  snapshot: Snapshot,
  { channel, people, by }: UnknownReceipts,
): Promise<number> {
  const ordinals = await ordinalsOf(redis, snapshot, channel, people)
  return resendUnknown(redis, { ref: snapshot.ref, leg: channel, ordinals, by })
}

/** Ascending. */
async function ordinalsOf(
  redis: Redis,
  snapshot: Snapshot,
  channel: string,
  people: readonly string[] | 'all',
): Promise<number[]> {
  const channels = channelsOf(snapshot.hash)
  if (!channels.includes(channel)) {
    const right = channels.length === 0 ? 'it has not started' : `it goes by ${channels.join(', ')}`
    throw new Problem(422, 'unknown-channel', `the message does not go by ${channel}: ${right}`, 'channel')
  }
  if (people === 'all') return unknownOn(redis, snapshot, channel)
  const found = await Promise.all([...new Set(people)].map((person) => ordinalOf(redis, snapshot, person)))
  return found.sort((a, b) => a - b)
}

async function unknownOn(redis: Redis, { ref, hash }: Snapshot, channel: string): Promise<number[]> {
  const ordinals: number[] = []
  let at = 0
  for await (const { states } of receiptChunks(redis, ref, channel, Number(hash.size))) {
    for (const byte of states) {
      if (receiptStateOf(byte) === 'unknown') ordinals.push(at)
      at += 1
    }
  }
  return ordinals
}

/** The audience is in order. @throws Problem 422 */
export async function ordinalOf(redis: Redis, snapshot: Snapshot, person: string): Promise<number> {
  const found = await findOrdinal(redis, snapshot, person)
  if (found === undefined) throw new Problem(422, 'not-in-audience', `the message is not for "${person}"`, 'people')
  return found
}

/** Nothing is read of a small audience, and of a large one as many ids as halvings lead to one. */
export async function findOrdinal(
  redis: Redis,
  { ref, hash, record = '' }: Snapshot,
  person: string,
): Promise<number | undefined> {
  const { width } = parseRecord(record)
  const all = audienceIn(record, width)
  if (all) return placeOf(person, all)
  // where somebody was erased the ids are not in order any more
  if (hash.erased) return placeOf(person, await readAudience(redis, ref, width, 0, Number(hash.size)))
  let [from, to] = [0, Number(hash.size)]
  while (from < to) {
    const middle = (from + to) >> 1
    const [found = ''] = await readAudience(redis, ref, width, middle, middle + 1)
    if (found === person) return middle
    if (found < person) from = middle + 1
    else to = middle
  }
  return undefined
}

function placeOf(person: string, everyone: readonly string[]): number | undefined {
  const place = everyone.indexOf(person)
  return place < 0 ? undefined : place
}
