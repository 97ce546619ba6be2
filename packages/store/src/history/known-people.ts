/** Of whom it is known that they have a message: those of whom a receipt says delivered, read or confirmed, on any leg. */
import {
  type AboutMessage,
  erasedPerson,
  type HistoryRef,
  type ReceiptState,
  receiptBytes,
  receiptStateOf,
  refOfMember,
  reportsComeMs,
  shardNames,
  systemSender,
} from '@courier-fleet/api-types'
import type { Redis } from '../connection/client.ts'
import { keys } from '../keys.ts'
import { readAudience } from './audience.ts'
import { createAudienceBuilder } from './audience-builder.ts'
import { readConfirmations } from './confirmations.ts'
import { channelsOf } from './ledger.ts'
import { parseRecord } from './message-record.ts'
import type { PackedAudience } from './packed-audience.ts'
import { readReceiptTimes } from './receipt-times.ts'
import type { Snapshot } from './snapshot.ts'
import { readToldByVoice } from './told-by-voice.ts'

const knownBytes: ReadonlySet<number | undefined> = new Set([
  receiptBytes.delivered,
  receiptBytes.read,
  receiptBytes.confirmed,
])
const isKnown = (byte: number | undefined) => knownBytes.has(byte)
const endsWithout: ReadonlySet<ReceiptState> = new Set([
  'failed',
  'suppressed',
  'no-contact',
  'expired',
  'cancelled',
  'unknown',
])
/** Whether one such receipt, on whatever leg, leaves its person out; where nothing is written it is still to be sent. */
const leavesOut: Readonly<Record<AboutMessage, (byte: number | undefined) => boolean>> = {
  unconfirmed: isKnown,
  unreached: (byte = receiptBytes.pending) => !endsWithout.has(receiptStateOf(byte)),
}
const knownFields = [...knownBytes].map((byte) => String.fromCharCode(byte as number))

/** ordinals read in one go: others are served in between */
const pageSize = 20_000
/** histories looked at in one go */
const atOnce = 50
/** so long after a message was over a report may come, and a little longer */
const reportsMs = reportsComeMs + 86_400_000
/** what one question may have to be read for */
const usual = { messages: 50_000, people: 5_000_000 }

/** Whoever of its audience is not known to have it (has not confirmed it, where it asks for that), or was not reached. `undefined` where the people are not kept: it was cancelled before it started. */
export async function peopleWithout(
  redis: Redis,
  { ref, hash, record }: Snapshot,
  kind: AboutMessage,
): Promise<PackedAudience | undefined> {
  if (record === undefined || hash.state === 'cancelled') return undefined
  const [size, { width }, legs] = [Number(hash.size), parseRecord(record), channelsOf(hash)]
  const builder = createAudienceBuilder()
  // of whom it asks to confirm it, it is that which is to be known
  const isToConfirm = kind === 'unconfirmed' && hash.confirm !== undefined
  // it has not begun: everybody is still to be sent to
  if (legs.length === 0 && kind === 'unreached') return builder.finish()
  // who was told by voice is without it, and needs it no more
  const told = kind === 'unreached' ? await readToldByVoice(redis, ref, hash) : undefined
  for (let from = 0; from < size; from += pageSize) {
    const to = Math.min(size, from + pageSize)
    const [people, isLeftOut] = await Promise.all([
      readAudience(redis, ref, width, from, to),
      isToConfirm
        ? readConfirmations(redis, { ref, hash, from, to })
        : readAny(redis, ref, legs, { from, to, isSuch: leavesOut[kind] }),
    ])
    builder.add(
      people.filter((id, index) => id !== erasedPerson && !isLeftOut(from + index) && !told?.has(from + index)),
    )
  }
  return builder.finish()
}

/**
 * Everyone who is known to have got something since then, of one sender's messages or of everybody's but the fleet's own.
 * `undefined` when that is more to read than one question is worth.
 */
export async function peopleReached(
  { redis, shards }: { redis: Redis; shards: number },
  sender: string | undefined,
  sinceMs: number,
  most = usual,
): Promise<PackedAudience | undefined> {
  const messages = await messagesOf(redis, shardNames(shards), sender, sinceMs - reportsMs)
  if (messages.count > most.messages) return undefined
  const refs = await messages.read()
  const builder = createAudienceBuilder()
  let people = 0
  for (let at = 0; at < refs.length; at += atOnce) {
    const some = refs.slice(at, at + atOnce)
    const hashes = await Promise.all(some.map((ref) => redis.hgetall(keys.history(ref))))
    for (const [index, ref] of some.entries()) {
      const hash = hashes[index] as Record<string, string>
      const legs = legsWithKnown(hash)
      if (legs.length === 0 || Number(hash.settled ?? sinceMs) < sinceMs - reportsMs) continue
      people += Number(hash.size)
      if (people > most.people) return undefined
      await addReached(redis, { ref, hash, legs }, sinceMs, (ids) => builder.add(ids))
    }
  }
  return builder.finish()
}

async function addReached(
  redis: Redis,
  { ref, hash, legs }: { ref: HistoryRef; hash: Snapshot['hash']; legs: readonly string[] },
  sinceMs: number,
  add: (ids: string[]) => void,
): Promise<void> {
  const record = await redis.get(keys.record(ref))
  // purged since its hash was read
  if (record === null) return
  const [size, { width }] = [Number(hash.size), parseRecord(record)]
  for (let from = 0; from < size; from += pageSize) {
    const to = Math.min(size, from + pageSize)
    const since = { sinceMs, size, started: hash.started }
    const isReached = await readAny(redis, ref, legs, { from, to, isSuch: isKnown, since })
    const people = await readAudience(redis, ref, width, from, to)
    add(people.filter((id, index) => id !== erasedPerson && isReached(from + index)))
  }
}

interface Span {
  readonly from: number
  readonly to: number
  readonly isSuch: (byte: number | undefined) => boolean
  /** only receipts that have come to their state since then */
  readonly since?: { readonly sinceMs: number; readonly size: number; readonly started: string | undefined }
}

/** Who has such a receipt, on any of the legs. */
async function readAny(
  redis: Redis,
  ref: HistoryRef,
  legs: readonly string[],
  { from, to, isSuch, since }: Span,
): Promise<(ordinal: number) => boolean> {
  const found = await Promise.all(
    legs.map(async (leg) => {
      const [states, at] = await Promise.all([
        redis.getrangeBuffer(keys.receipts(ref, leg), from, to - 1),
        since && readReceiptTimes(redis, ref, leg, { size: since.size, startedMs: Number(since.started), from, to }),
      ])
      return (ordinal: number) =>
        isSuch(states[ordinal - from]) && (!since || !at || (at(ordinal) ?? 0) >= since.sinceMs)
    }),
  )
  return (ordinal) => found.some((isOnLeg) => isOnLeg(ordinal))
}

const legsWithKnown = (hash: Snapshot['hash']) =>
  channelsOf(hash).filter((leg) => knownFields.some((state) => Number(hash[`${leg}:${state}`] ?? 0) > 0))

interface Messages {
  readonly count: number
  read(): Promise<HistoryRef[]>
}

/** All that is kept of one sender's; of everybody's those that were not over by then, each shard in one step, for what settles meanwhile moves. */
async function messagesOf(
  redis: Redis,
  shards: readonly string[],
  sender: string | undefined,
  overMs: number,
): Promise<Messages> {
  const eachShard = async <T>(ask: (shard: string) => Promise<T>) => Promise.all(shards.map(ask))
  const sum = (counts: readonly number[]) => counts.reduce((all, count) => all + count, 0)
  if (sender !== undefined) {
    return {
      count: sum(await eachShard((shard) => redis.xlen(keys.sent(shard, sender)))),
      read: async () =>
        (
          await eachShard(async (shard) => {
            const entries = await redis.xrange(keys.sent(shard, sender), '-', '+')
            return entries.map(([, fields]): HistoryRef => ({ shard, sender, id: fields[1] as string }))
          })
        ).flat(),
    }
  }
  return {
    count: sum(await eachShard((shard) => redis.zcount(keys.retention(shard), overMs, '+inf'))),
    read: async () => {
      const members = await eachShard(async (shard) => {
        const found = await redis.zrangebyscore(keys.retention(shard), overMs, '+inf')
        return found.map((member) => refOfMember(shard, member))
      })
      return members.flat().filter((ref) => ref.sender !== systemSender)
    },
  }
}
