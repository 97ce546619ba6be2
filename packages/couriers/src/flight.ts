/**
 * One flight: some claims worked on together, from their contacts to their receipts.
 *
 *   sort        no contact, or a contact known to be of no use: written at once
 *   attempt     the recipients of one batch are marked `attempting` before the provider sees any of them
 *   send        the adapter answers for each
 *   settle      the answers go into the next write; who must wait is tried again last, or handed back as a later wave
 *   finish      the claim leaves its stream together with its last receipts
 *
 * A crash between any two steps leaves `attempting` for those whose answer is not written: docs/faults.md says who mends it.
 */
import { type Clock, type Log, memberOf, receiptBytes, sleep } from '@courier-fleet/core'
import type { Contact, Directory } from '@courier-fleet/directory'
import type { Redis } from 'ioredis'
import { type Claim, type ClaimScripts, Fenced } from './claim-scripts.ts'
import type { Courier, Item, Outcome } from './courier.ts'
import { grouped } from './grouped.ts'
import { idempotencyKey } from './idempotency.ts'
import type { Message } from './messages.ts'
import { askByte, keepByte, verdictOf } from './outcome-bytes.ts'
import type { SharedPacer } from './pacer.ts'
import { type Findings, type Part, partOf } from './part.ts'
import { createPlaces, type Places } from './places.ts'
import type { ReceiptBook } from './receipt-book.ts'
import { readRecipients } from './recipients.ts'

export interface FlightDeps {
  readonly redis: Redis
  readonly courier: Courier
  /** of the courier's window, shared by all flights of the process; undefined when it has none */
  readonly places: Places | undefined
  readonly directory: Pick<Directory, 'contactsOf' | 'markContact'>
  readonly scripts: ClaimScripts
  readonly pacer: SharedPacer
  readonly receiptBook: ReceiptBook
  /** measures durations: one that nobody sets */
  readonly clock: Clock
  readonly log: Log
  /** aborted: finish the batch in flight, hand back the rest */
  readonly stopping: AbortSignal
  /** aborted: the adapter gives up, and what it knows is written */
  readonly killed: AbortSignal
  /** aborted: whatever is not written by now is lost with this process */
  readonly gone: AbortSignal
  readonly complain: (fields: object, text: string) => void
}

/** A recipient who is to be sent to; the adapter sees the Item of it. */
interface Target extends Item {
  readonly part: Part
  readonly person: string
  readonly ordinal: number
  attempts: number
  /** by the flight's own clock */
  notBefore: number
}

/** Who must wait longer than this is handed back as a later wave, so that the claim does not sit idle. */
const shortWaitMs = 10_000
const mostAttempts = 5
const longestDelayMs = 300_000
const redisRetryMs = 250
/** A window is refilled by so many parts of it: as each is answered, and not all at once when the last is. */
const piecesAWindow = 10
/** Most one-person claims to write in one call: Redis does nothing else meanwhile. */
const claimsAtOnce = 100

class Gone extends Error {}

export async function fly(work: readonly { claim: Claim; message: Message }[], deps: FlightDeps): Promise<void> {
  const { courier, directory, scripts, pacer, receiptBook, clock, log, stopping, killed, gone, complain } = deps
  const parts = work.map(({ claim, message }) => partOf(claim, message))
  const { window } = courier
  const pieceSize = window === undefined ? courier.batchSize : Math.max(1, Math.floor(window / piecesAWindow))
  const places = deps.places ?? createPlaces(pieceSize)

  /** What this process knows it keeps until Redis has it: an answer that is dropped may be one that nobody else can give. */
  async function insist<T>(action: () => Promise<T>): Promise<T> {
    for (;;) {
      if (gone.aborted) throw new Gone()
      try {
        return await action()
      } catch (error) {
        if (error instanceof Fenced) throw error
        complain({ err: error }, 'Redis did not take it; trying again')
        await sleep(redisRetryMs, gone)
      }
    }
  }

  async function lose(part: Part): Promise<void> {
    part.lost = true
    log.warn({ stream: part.claim.stream, entry: part.claim.entry }, 'claim was taken over')
    await testify(part)
  }

  /** Whoever owns the claim now decides; but that the provider has accepted something stays true, whoever says it. */
  async function testify(part: Part): Promise<void> {
    const { bytes, evidence } = part.take()
    await Promise.all(
      evidence.map(async (line, place) => {
        if (line === '' || bytes[place] !== receiptBytes.sent) return
        await insist(() => receiptBook.testify(part.claim.ref, part.claim.from + place, line))
      }),
    )
  }

  /** Writes what is known of these, as far as they are still this process's own. */
  async function flush(some: Iterable<Part>, done = false): Promise<void> {
    const calls: Promise<void>[] = []
    for (const own of grouped(some, ({ claim }) => claim.stream).values())
      for (let at = 0; at < own.length; at += claimsAtOnce) calls.push(write(own.slice(at, at + claimsAtOnce), done))
    await Promise.all(calls)
  }

  async function write(some: readonly Part[], done: boolean): Promise<void> {
    const own = some.filter(({ lost }) => !lost)
    const written = await insist(async () => {
      const taken = own.map((part) => part.take())
      const putBack = (index: number) => (own[index] as Part).putBack(taken[index] as Findings)
      try {
        const entries = own.map(({ claim }, index) => ({ claim, done, ...(taken[index] as Findings) }))
        const found = await scripts.record(entries)
        for (const [index, bytes] of found.entries()) if (!bytes) putBack(index)
        return found
      } catch (error) {
        for (const index of own.keys()) putBack(index)
        throw error
      }
    })
    // answers may still come after the claim was lost
    const lateAnswers = some.filter((part) => part.lost && !own.includes(part)).map(testify)
    const lost: Part[] = []
    for (const [index, part] of own.entries()) {
      const bytes = written[index]
      if (bytes) part.standing = bytes
      else lost.push(part)
    }
    await Promise.all([...lateAnswers, ...lost.map(lose)])
  }

  async function sort(): Promise<Target[]> {
    const recipients = await readRecipients(deps.redis, courier.channel, parts)
    const everyone = [...recipients.values()].flatMap(({ people }) => people)
    const contacts = await directory.contactsOf(courier.channel, everyone)
    const targets: Target[] = []
    let at = 0
    for (const [part, { people, before }] of recipients) {
      for (const [offset, person] of people.entries()) {
        const contact = contacts[at]
        at += 1
        const known = before?.[offset] ?? receiptBytes.pending
        const ordinal = part.claim.from + offset
        if (!mayBeSent(part, ordinal, contact, known)) continue
        targets.push({
          address: contact.address,
          text: part.message.text,
          key: keyOf(part, ordinal),
          part,
          person,
          ordinal,
          attempts: 0,
          notBefore: 0,
        })
      }
    }
    return targets
  }

  /** @returns false when this recipient is settled without sending */
  function mayBeSent(part: Part, ordinal: number, contact: Contact | undefined, known: number): contact is Contact {
    if (known === receiptBytes.attempting && !courier.foldsResends) {
      part.set(ordinal, receiptBytes.unknown, '!the process that was sending died before the answer')
      return false
    }
    if (known !== receiptBytes.pending && known !== receiptBytes.attempting) return false
    if (known === receiptBytes.pending && !contact) {
      part.set(ordinal, receiptBytes['no-contact'])
      return false
    }
    if (known === receiptBytes.pending && contact?.state === 'opted-out') {
      part.set(ordinal, receiptBytes.suppressed, '!opted out')
      return false
    }
    if (known === receiptBytes.pending && contact && contact.state !== 'active') {
      part.set(ordinal, receiptBytes.failed, `!contact ${contact.state}: ${contact.reason ?? 'no reason given'}`)
      return false
    }
    if (!contact) {
      part.set(ordinal, receiptBytes.unknown, '!an attempt was under way when the contact was removed')
      return false
    }
    return true
  }

  function keyOf(part: Part, ordinal: number): bigint {
    const { ref } = part.claim
    const place = Math.floor(ordinal / courier.keySpan)
    return part.keyAt(place, () => idempotencyKey(`${ref.shard}:${memberOf(ref)}`, 0, courier.channel, place))
  }

  const partsOf = (batch: readonly Target[]) => new Set(batch.map(({ part }) => part))
  const standingOf = ({ part, ordinal }: Target) => (part.lost ? undefined : part.standingAt(ordinal))

  /** Writes this byte for each: afterwards their parts say how they stand. */
  async function mark(batch: readonly Target[], byte: number): Promise<void> {
    for (const { part, ordinal } of batch) part.set(ordinal, byte)
    await flush(partsOf(batch))
  }

  async function attempt(batch: readonly Target[]): Promise<Target[]> {
    await mark(batch, receiptBytes.attempting)
    return batch.filter((target) => standingOf(target) === receiptBytes.attempting)
  }

  /** Those of a message that was neither cancelled nor has expired: nobody else is worth a later wave. */
  async function stillWanted(batch: readonly Target[]): Promise<Target[]> {
    await mark(batch, askByte)
    return batch.filter((target) => {
      const byte = standingOf(target)
      return byte === receiptBytes.pending || byte === receiptBytes.attempting
    })
  }

  async function settle(batch: readonly Target[], outcomes: readonly Outcome[]): Promise<Target[]> {
    const waiting: Target[] = []
    let pauseMs = 0
    const marks: Promise<void>[] = []
    for (const [index, target] of batch.entries()) {
      const outcome = outcomes[index] ?? { kind: 'unknown', why: 'the adapter gave no outcome' }
      const { byte, evidence, retryAfterMs } = verdictOf(outcome, courier.foldsResends)
      if (byte !== keepByte) target.part.set(target.ordinal, byte, evidence)
      if (retryAfterMs !== undefined) {
        target.attempts += 1
        target.notBefore = clock.now() + retryAfterMs
        waiting.push(target)
      }
      if (outcome.kind === 'throttled' && outcome.scope === 'account') pauseMs = Math.max(pauseMs, outcome.retryAfterMs)
      if (outcome.kind === 'rejected' && outcome.contact) {
        const reason = `${outcome.code}: ${outcome.reason}`
        const { contact } = outcome
        const { person, address } = target
        marks.push(insist(() => directory.markContact(courier.channel, person, address, contact, reason)))
      }
    }
    if (pauseMs > 0) await insist(() => pacer.pause(pauseMs))
    await Promise.all(marks)
    return waiting
  }

  /**
   * Tells the receipt book whom the provider's ids stand for, and applies receipts that were faster than the answer: before
   * or after it is written, for a receipt's word stands either way.
   */
  async function meetReceipts(batch: readonly Target[], outcomes: readonly Outcome[]): Promise<void> {
    const early = await Promise.all(
      batch.map(async (target, index) => {
        const outcome = outcomes[index]
        const id = outcome?.kind === 'sent' || outcome?.kind === 'unknown' ? outcome.providerId : undefined
        if (id === undefined) return undefined
        const word = await insist(() => receiptBook.handOver(id, target.part.claim.ref, target.ordinal))
        return word ? { target, word } : undefined
      }),
    )
    await Promise.all(
      early.map(
        (found) =>
          found && insist(() => receiptBook.observe(found.target.part.claim.ref, found.target.ordinal, found.word)),
      ),
    )
  }

  /** Sends a round, each piece as soon as there is room for it. @returns who must wait, and for how long */
  async function sendRound(round: readonly Target[]): Promise<Target[]> {
    const sent: Promise<Target[]>[] = []
    for (let at = 0; at < round.length; at += pieceSize) {
      const piece = round.slice(at, at + pieceSize)
      const hasRoom = await places.take(piece.length, stopping)
      const pausedMs = await insist(() => pacer.pausedForMs())
      if (stopping.aborted || pausedMs > shortWaitMs) {
        if (hasRoom) places.give(piece.length)
        const waiting = (await Promise.all(sent)).flat()
        const rest = await stillWanted(round.slice(at))
        for (const target of rest) target.notBefore = clock.now() + (stopping.aborted ? 0 : pausedMs)
        return [...waiting, ...rest]
      }
      await sleep(pausedMs, stopping)
      const sending = sendPiece(piece)
      sending.catch(() => {}) // thrown below
      sent.push(sending)
    }
    return (await Promise.all(sent)).flat()
  }

  /** The room it takes is free again once its answers are written: what is in doubt never exceeds it. @returns who must wait */
  async function sendPiece(piece: readonly Target[]): Promise<Target[]> {
    let meeting: Promise<void> | undefined
    try {
      const granted = await attempt(piece.filter(({ part }) => !part.lost))
      if (granted.length === 0) return []
      const outcomes = await courier.send(granted, killed)
      if (courier.givesReceipts) meeting = meetReceipts(granted, outcomes)
      meeting?.catch(() => {}) // thrown below
      const waiting = await settle(granted, outcomes)
      // without a window nobody waits for the room: the answers are written with whatever is written next
      if (window !== undefined) await flush(partsOf(granted))
      return waiting
    } finally {
      places.give(piece.length)
      await meeting
    }
  }

  /** Everyone else first, then those who must wait a little, as long as that is soon. @returns who must wait longer */
  async function sendAll(targets: readonly Target[]): Promise<Target[]> {
    const later: Target[] = []
    let round = targets
    for (;;) {
      const waiting = (await sendRound(round)).filter(({ part }) => !part.lost)
      if (waiting.length === 0) return later
      await flush(partsOf(waiting))
      const horizon = clock.now() + shortWaitMs
      const isSoon = (target: Target) =>
        !stopping.aborted && target.notBefore <= horizon && target.attempts < mostAttempts
      later.push(...waiting.filter((target) => !isSoon(target)))
      round = waiting.filter(isSoon)
      if (round.length === 0) return later
      await sleep(Math.max(...round.map(({ notBefore }) => notBefore)) - clock.now(), stopping)
    }
  }

  /** Lets go of every claim: of those who wait longer as a later wave, of all others for good. */
  async function finish(later: readonly Target[]): Promise<void> {
    const waiting = partsOf(later)
    await Promise.all([
      flush(
        parts.filter((part) => !waiting.has(part)),
        true,
      ),
      flush(waiting),
    ])
    await Promise.all(
      [...waiting].map((part) =>
        defer(
          part,
          later.filter((target) => target.part === part),
        ),
      ),
    )
  }

  async function defer(part: Part, later: readonly Target[]): Promise<void> {
    if (part.lost) return
    const ordinals = later.map(({ ordinal }) => ordinal)
    const tries = part.claim.tries + 1
    const backOffMs = stopping.aborted ? 0 : Math.min(1000 * 2 ** tries, longestDelayMs)
    const delayMs = Math.max(backOffMs, Math.min(...later.map(({ notBefore }) => notBefore)) - clock.now())
    try {
      await insist(() => scripts.defer(part.claim, Math.min(...ordinals), Math.max(...ordinals) + 1, tries, delayMs))
    } catch (error) {
      if (!(error instanceof Fenced)) throw error
      await lose(part)
    }
  }

  try {
    await finish(await sendAll(await sort()))
  } catch (error) {
    if (!(error instanceof Gone)) throw error
  }
}
