/**
 * Messages that go out when people are online, in one send job. Whoever may be sent to otherwise is asked about: who was reported online a
 * moment ago, or has been called since, is sent to; everyone else waits in a wave until the message expires. Whoever is called out of
 * that wave has an entry of their own, so a claim of the wave sends to nobody: it ends those who are left. Nothing is read for other
 * messages.
 */
import { receiptBytes } from '@courier-fleet/api-types'
import { type Clock, grouped } from '@courier-fleet/process'
import {
  type AwaitingMessage,
  awaitOnline,
  callOnline,
  keys,
  type LiveSettings,
  type Redis,
  redisNow,
} from '@courier-fleet/store'
import { type Claim, versionOf } from '../claims/claim.ts'
import type { ClaimBuffer } from '../claims/claim-buffer.ts'
import { type Held, type Recipient, settle } from '../jobs/recipients.ts'

export interface PresenceDeps {
  readonly redis: Redis
  readonly settings: Pick<LiveSettings, 'current'>
  /** of the job */
  readonly clock: Clock
}

/** Who of a send job need not wait, or no longer, and who does. */
export interface Present {
  readonly allowed: readonly Recipient[]
  readonly held: readonly Held[]
  /** Redis's clock less the job's; undefined where nothing was read */
  readonly redisAheadMs: number | undefined
}

/** What is known of a message, and of the people of one claim. */
interface Terms extends AwaitingMessage {
  readonly isCancelled: boolean
  /** somebody has cancelled those who wait; has had it sent to them now */
  readonly cancelsWaiting: boolean
  readonly isSentNow: boolean
  /** one of each, as lua/lib/presence.lua has them; missing at the end: not asked yet */
  readonly bytes: Buffer
}

const waits = 'w'.charCodeAt(0)
const called = new Set([...'kc'].map((byte) => byte.charCodeAt(0)))
const dayMs = 86_400_000

/** Of the wave of those who wait to be online. */
export const isOfWaiting = ({ claim }: ClaimBuffer): boolean => claim.cause === 'online'

/** @param buffers claims of the wave, and others; who is ended is set in them */
export async function awaitPresence(
  chosen: readonly Recipient[],
  buffers: readonly ClaimBuffer[],
  deps: PresenceDeps,
): Promise<Present> {
  const asking = buffers.filter(
    ({ claim, message }) => message.online && claim.cause !== 'sent-again' && versionOf(claim) === undefined,
  )
  if (asking.length === 0) return { allowed: chosen, held: [], redisAheadMs: undefined }
  const presence = await readPresence(asking, deps)
  const held = [
    ...(await endWaiting(asking.filter(isOfWaiting), presence, deps)),
    ...(await ask(chosen, presence, deps)),
  ]
  const kept = new Set(held.map(({ recipient }) => recipient))
  const isElsewhere = ({ buffer, ordinal }: Recipient) => presence.byteOf(buffer, ordinal) === waits
  const allowed = chosen.filter((each) => !kept.has(each) && !presence.ended.has(each) && !isElsewhere(each))
  return { allowed, held, redisAheadMs: presence.redisAheadMs }
}

interface Presence {
  readonly redisAheadMs: number
  /** by Redis's clock, when all of it was read */
  readonly nowMs: number
  termsOf(buffer: ClaimBuffer): Terms | undefined
  byteOf(buffer: ClaimBuffer, ordinal: number): number
  readonly ended: Set<Recipient>
}

async function readPresence(buffers: readonly ClaimBuffer[], { redis, clock }: PresenceDeps): Promise<Presence> {
  // the time before all else: nobody is called once the message has expired, so who waits then is known for good
  const [nowMs, terms] = await Promise.all([
    redisNow(redis, keys.fleet),
    Promise.all(buffers.map(async (buffer) => [buffer, await readTerms(redis, buffer.claim)] as const)),
  ])
  const known = new Map(terms)
  return {
    redisAheadMs: nowMs - clock.now(),
    nowMs,
    termsOf: (buffer) => known.get(buffer),
    byteOf: (buffer, ordinal) => known.get(buffer)?.bytes[ordinal - buffer.claim.from] ?? 0,
    ended: new Set(),
  }
}

async function readTerms(redis: Redis, { ref, leg, from, to }: Claim): Promise<Terms> {
  const said = ['due', 'expires', 'accepted', 'cancelled', 'cancelled:online', 'sent-now:online']
  // that they are cancelled is read before who waits: nobody is called after it
  const [[due, expires, accepted, cancelled, cancelsWaiting, sentNow], bytes] = await Promise.all([
    redis.hmget(keys.history(ref), ...said) as Promise<[string, ...(string | null)[]]>,
    redis.getrangeBuffer(keys.presence(ref, leg), from, to - 1),
  ])
  return {
    ref,
    dueMs: Number(due),
    expiresMs: expires ? Number(expires) : Number(due) + dayMs,
    accepted: accepted ?? '',
    isCancelled: cancelled != null,
    cancelsWaiting: cancelsWaiting != null,
    isSentNow: sentNow != null,
    bytes,
  }
}

/** Of the wave: who is over is told so, who is to be sent to in spite of it is called, and everyone else waits on. */
async function endWaiting(
  buffers: readonly ClaimBuffer[],
  { nowMs, termsOf, redisAheadMs }: Presence,
  { redis }: PresenceDeps,
): Promise<Held[]> {
  const held: Held[] = []
  for (const buffer of buffers) {
    const terms = termsOf(buffer) as Terms
    const { ref, from } = buffer.claim
    const own = [...terms.bytes.keys()].filter((offset) => terms.bytes[offset] === waits).map((offset) => from + offset)
    const untilMs = terms.expiresMs - redisAheadMs
    if (terms.isCancelled || terms.cancelsWaiting) {
      for (const ordinal of own) buffer.set({ ordinal, byte: receiptBytes.cancelled })
    } else if (nowMs >= terms.expiresMs) {
      for (const ordinal of own) settle(buffer, ordinal, { kind: 'settle', state: 'expired', reason: 'not-online' })
    } else {
      const isCalled = terms.isSentNow ? await callOnline(redis, ref, own) : []
      const left = own.filter((_ordinal, index) => !isCalled[index])
      held.push(...left.map((ordinal): Held => ({ recipient: { buffer, ordinal }, cause: 'online', untilMs })))
    }
  }
  return held
}

/** @returns who waits from now on */
async function ask(chosen: readonly Recipient[], presence: Presence, deps: PresenceDeps): Promise<Held[]> {
  const asked = chosen.filter((each) => {
    const terms = presence.termsOf(each.buffer)
    if (!terms || each.receipt !== 'pending' || terms.isSentNow) return false
    // whoever is cancelled, or has expired, is told so when they are to be marked
    if (terms.isCancelled || presence.nowMs >= terms.expiresMs) return false
    const byte = presence.byteOf(each.buffer, each.ordinal)
    return byte !== waits && !called.has(byte)
  })
  const held: Held[] = []
  await Promise.all(
    [...grouped(asked, ({ buffer }) => buffer)].map(async ([buffer, own]) => {
      const terms = presence.termsOf(buffer) as Terms
      if (terms.cancelsWaiting) {
        for (const each of own) {
          presence.ended.add(each)
          buffer.set({ ordinal: each.ordinal, byte: receiptBytes.cancelled })
        }
        return
      }
      const intervalMs = deps.settings.current().onlineIntervalSeconds * 1000
      const { online } = buffer.message
      // of a message to URLs somebody is named whose presence it is
      const awaited = typeof online === 'string' ? own.map((each) => ({ ...each, person: online })) : own
      const isCalled = await awaitOnline(deps.redis, terms, awaited, intervalMs)
      const untilMs = terms.expiresMs - presence.redisAheadMs
      for (const [index, recipient] of own.entries())
        if (!isCalled[index]) held.push({ recipient, cause: 'online', untilMs })
    }),
  )
  return held
}
