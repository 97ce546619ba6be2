/** What a correction or a recall would find if it were made now: nothing is written. docs/decisions/0101. */
import { type PersonalText, Problem, receiptBytes } from '@courier-fleet/api-types'
import type { Redis } from '../connection/client.ts'
import { keys } from '../keys.ts'
import { readAudience } from './audience.ts'
import { lastsMs, maxAgeMs, requireCorrectable } from './correct.ts'
import { channelsOf, correctionLegsOf } from './ledger.ts'
import { type MessageRecord, parseRecord } from './message-record.ts'
import { readReceiptTimes } from './receipt-times.ts'
import type { Snapshot } from './snapshot.ts'
import { readTries } from './tried.ts'
import { type Correcting, readWhomToCorrect, type Span } from './whom-to-correct.ts'
import { readWhomToRecall } from './whom-to-recall.ts'

/** One of the people of a message on one channel. */
export interface Found {
  readonly person: string
  readonly correcting: Correcting
  /** they are still to be sent it */
  readonly isPending: boolean
  /** when they came to have it, Unix ms, as far as that is known */
  readonly atMs: number | undefined
  /** the contact that has it, of whoever had several: digestOfContact() */
  readonly wentTo: string | undefined
}

/** What would be changed, and the people of each channel on which it has begun, some at a time. */
export interface ChangeFound {
  readonly record: MessageRecord
  readonly version: number
  readonly people: number
  readonly channels: readonly { readonly channel: string; readonly found: AsyncIterable<readonly Found[]> }[]
}

/** people whose receipts and contacts are read in one go: other requests are served in between */
const pageSize = 250

export interface WantedText extends PersonalText {
  /** what a message of its own says; absent: none is wanted */
  readonly followUp?: PersonalText | undefined
  /** of a channel: what it carries of this text */
  readonly on: (channel: string, record: MessageRecord, text: string) => string
  readonly canEdit: (channel: string) => boolean
  /** Unix ms */
  readonly nowMs: number
}

/** @throws Problem as correct() would */
export function findCorrected(redis: Redis, snapshot: Snapshot, how: WantedText): ChangeFound {
  const { hash } = snapshot
  const record = recordOf(snapshot)
  requireCorrectable(record, how)
  if (hash.cancelled) throw new Problem(409, 'was-cancelled', 'the message was cancelled')
  requireInTime(hash, how.nowMs)
  if (hash.state !== 'settled' && how.nowMs >= expiryOf(hash))
    throw new Problem(409, 'has-expired', 'the message is not sent any more')
  if (correctionLegsOf(hash).some((leg) => hash[`${leg}:settled`] === undefined))
    throw new Problem(409, 'in-progress', 'another correction is under way')
  const { text, on, canEdit } = how
  return changeOf(redis, snapshot, record, (channel, version) => {
    const followUp = how.followUp && on(channel, record, how.followUp.text)
    const wanted = { channel, version, text: on(channel, record, text), followUp, canEdit: canEdit(channel) }
    return (span) => readWhomToCorrect(redis, span, wanted)
  })
}

/** @throws Problem as recall() would; 409 `was-cancelled` where it is being taken back already */
export function findRecalled(
  redis: Redis,
  snapshot: Snapshot,
  { canRecall, nowMs }: { readonly canRecall: (channel: string) => boolean; readonly nowMs: number },
): ChangeFound {
  const record = recordOf(snapshot)
  if (snapshot.hash.recalled) throw new Problem(409, 'was-cancelled', 'the message is being taken back already')
  requireInTime(snapshot.hash, nowMs)
  return changeOf(
    redis,
    snapshot,
    record,
    (channel, version) => (span) => readWhomToRecall(redis, span, { channel, version, canRecall: canRecall(channel) }),
  )
}

function recordOf({ record }: Snapshot): MessageRecord {
  if (record === undefined) throw new Problem(404, 'unknown-key', 'nothing was put under this key', 'key')
  return parseRecord(record)
}

function requireInTime({ state, settled }: Snapshot['hash'], nowMs: number): void {
  if (state === 'settled' && nowMs - Number(settled) > maxAgeMs)
    throw new Problem(409, 'has-expired', 'the message settled too long ago')
}

/** as correct.lua has it */
const expiryOf = ({ expires, due }: Snapshot['hash']) => Number(expires ?? Number(due) + lastsMs)

type ReadSpan = (span: Span) => Promise<(ordinal: number) => Correcting>

function changeOf(
  redis: Redis,
  snapshot: Snapshot,
  record: MessageRecord,
  readOn: (channel: string, version: number) => ReadSpan,
): ChangeFound {
  const { hash } = snapshot
  const version = (record.correction?.version ?? 1) + 1
  const hasBegun = hash.state === 'running' || hash.state === 'settled'
  const channels = hasBegun ? channelsOf(hash) : []
  return {
    record,
    version,
    people: Number(hash.size),
    channels: channels.map((channel) => ({
      channel,
      found: readFound(redis, snapshot, { channel, width: record.width, read: readOn(channel, version) }),
    })),
  }
}

async function* readFound(
  redis: Redis,
  { ref, hash }: Snapshot,
  { channel, width, read }: { readonly channel: string; readonly width: number; readonly read: ReadSpan },
): AsyncGenerator<readonly Found[]> {
  const size = Number(hash.size)
  for (let from = 0; from < size; from += pageSize) {
    const to = Math.min(from + pageSize, size)
    const span = { ref, from, to }
    const ordinals = Array.from({ length: to - from }, (_, place) => from + place)
    const [people, bytes, timeOf, correctingOf, tries] = await Promise.all([
      readAudience(redis, ref, width, from, to),
      redis.getrangeBuffer(keys.receipts(ref, channel), from, to - 1),
      readReceiptTimes(redis, ref, channel, { size, startedMs: Number(hash.started), from, to }),
      read(span),
      hash[`${channel}:tried`] ? readTries(redis, ref, channel, ordinals) : [],
    ])
    yield people.map((person, place) => ({
      person,
      correcting: correctingOf(from + place),
      isPending: (bytes[place] ?? receiptBytes.pending) === receiptBytes.pending,
      atMs: timeOf(from + place),
      wentTo: tries[place]?.at(-1)?.digest,
    }))
  }
}
