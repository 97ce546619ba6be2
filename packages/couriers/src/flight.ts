/**
 * One flight: some claims worked on together, from their contacts to their receipts.
 *
 *   sort        no contact, or a contact known to be of no use: written at once
 *   attempt     the recipients of one batch are marked `attempting` before the provider sees any of them
 *   send        the adapter answers for each
 *   settle      the answers go into the next write; who must wait is tried again last, or handed back as a later wave
 *   finish      the claim leaves its stream together with its last receipts
 *
 * A crash between any two steps leaves `attempting` for those whose answer is not written: docs/architecture.md says who mends it.
 */
import { type Clock, type Log, memberOf, readAudience, receiptBytes, sleep } from '@courier-fleet/core'
import type { Contact, Directory } from '@courier-fleet/directory'
import type { Redis } from 'ioredis'
import { type Claim, type ClaimScripts, Fenced } from './claim-scripts.ts'
import type { Courier, Item, Outcome } from './courier.ts'
import { idempotencyKey } from './idempotency.ts'
import type { Message } from './messages.ts'
import { askByte, keepByte, verdictOf } from './outcome-bytes.ts'
import type { SharedPacer } from './pacer.ts'
import { type Part, partOf, readReceiptBytes } from './part.ts'
import type { ReceiptBook } from './receipt-book.ts'

export interface FlightDeps {
  readonly redis: Redis
  readonly courier: Courier
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

interface Target {
  readonly part: Part
  readonly person: string
  readonly ordinal: number
  readonly item: Item
  attempts: number
  /** by the flight's own clock */
  notBefore: number
}

/** Who must wait longer than this is handed back as a later wave, so that the claim does not sit idle. */
const shortWaitMs = 10_000
const mostAttempts = 5
const longestDelayMs = 300_000
const redisRetryMs = 250

class Gone extends Error {}

export async function fly(work: readonly { claim: Claim; message: Message }[], deps: FlightDeps): Promise<void> {
  const { courier, directory, scripts, pacer, receiptBook, clock, log, stopping, killed, gone, complain } = deps
  const parts = work.map(({ claim, message }) => partOf(claim, message))

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

  /** @returns undefined when the claim is no longer its own */
  async function write<T>(part: Part, action: () => Promise<T>): Promise<T | undefined> {
    if (part.lost) return undefined
    try {
      return await insist(action)
    } catch (error) {
      if (!(error instanceof Fenced)) throw error
      part.lost = true
      log.warn({ stream: part.claim.stream, entry: part.claim.entry }, 'claim was taken over')
      await testify(part)
      return undefined
    }
  }

  /** Whoever owns the claim now decides; but that the provider has accepted something stays true, whoever says it. */
  async function testify(part: Part): Promise<void> {
    const { bytes, evidence } = part.take()
    await Promise.all(
      [...evidence].map(async ([ordinal, id]) => {
        if (bytes[ordinal - part.claim.from] !== receiptBytes.sent) return
        await insist(() => receiptBook.testify(part.claim.ref, ordinal, id))
      }),
    )
  }

  const flush = (part: Part, done = false) =>
    write(part, async () => {
      const { bytes, evidence } = part.take()
      try {
        return await scripts.record(part.claim, bytes, evidence, done)
      } catch (error) {
        part.putBack(bytes, evidence)
        throw error
      }
    })

  async function sort(): Promise<Target[]> {
    const people = await Promise.all(
      parts.map(({ claim, message }) => readAudience(deps.redis, claim.ref, message.width, claim.from, claim.to)),
    )
    const contacts = await directory.contactsOf(courier.channel, people.flat())
    const targets: Target[] = []
    let at = 0
    for (const [index, part] of parts.entries()) {
      const before = part.isFresh ? undefined : await readReceiptBytes(deps.redis, part, courier.channel)
      for (const [offset, person] of (people[index] as string[]).entries()) {
        const contact = contacts[at]
        at += 1
        const known = before?.[offset] ?? receiptBytes.pending
        const item = sortOne(part, part.claim.from + offset, contact, known)
        if (item) targets.push({ part, person, ordinal: part.claim.from + offset, item, attempts: 0, notBefore: 0 })
      }
    }
    return targets
  }

  /** @returns what to send, or undefined when this recipient is settled without sending */
  function sortOne(part: Part, ordinal: number, contact: Contact | undefined, known: number): Item | undefined {
    if (known === receiptBytes.attempting && !courier.foldsResends) {
      part.set(ordinal, receiptBytes.unknown, '!the process that was sending died before the answer')
      return undefined
    }
    if (known !== receiptBytes.pending && known !== receiptBytes.attempting) return undefined
    if (known === receiptBytes.pending && !contact) {
      part.set(ordinal, receiptBytes['no-contact'])
      return undefined
    }
    if (known === receiptBytes.pending && contact?.state === 'opted-out') {
      part.set(ordinal, receiptBytes.suppressed, '!opted out')
      return undefined
    }
    if (known === receiptBytes.pending && contact && contact.state !== 'active') {
      part.set(ordinal, receiptBytes.failed, `!contact ${contact.state}: ${contact.reason ?? 'no reason given'}`)
      return undefined
    }
    if (!contact) {
      part.set(ordinal, receiptBytes.unknown, '!an attempt was under way when the contact was removed')
      return undefined
    }
    const message = `${part.claim.ref.shard}:${memberOf(part.claim.ref)}`
    const place = Math.floor(ordinal / courier.keySpan)
    return {
      address: contact.address,
      text: part.message.text,
      key: part.keyAt(place, () => idempotencyKey(message, 0, courier.channel, place)),
    }
  }

  /** Writes this byte for each. @returns their bytes as they stand then; undefined where the claim is lost */
  async function mark(batch: readonly Target[], byte: number): Promise<(number | undefined)[]> {
    for (const { part, ordinal } of batch) part.set(ordinal, byte)
    const touched = [...new Set(batch.map(({ part }) => part))]
    const written = new Map(await Promise.all(touched.map(async (part) => [part, await flush(part)] as const)))
    return batch.map(({ part, ordinal }) => written.get(part)?.[ordinal - part.claim.from])
  }

  async function attempt(batch: readonly Target[]): Promise<Target[]> {
    const bytes = await mark(batch, receiptBytes.attempting)
    return batch.filter((_target, index) => bytes[index] === receiptBytes.attempting)
  }

  /** Those of a message that was neither cancelled nor has expired: nobody else is worth a later wave. */
  async function stillWanted(batch: readonly Target[]): Promise<Target[]> {
    const bytes = await mark(batch, askByte)
    return batch.filter(
      (_target, index) => bytes[index] === receiptBytes.pending || bytes[index] === receiptBytes.attempting,
    )
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
        const { person, item } = target
        marks.push(insist(() => directory.markContact(courier.channel, person, item.address, contact, reason)))
      }
    }
    if (pauseMs > 0) await insist(() => pacer.pause(pauseMs))
    await Promise.all(marks)
    if (courier.givesReceipts) await meetReceipts(batch, outcomes)
    return waiting
  }

  /** Tells the receipt book whom the provider's ids stand for, and applies receipts that were faster than the answer. */
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
    const known = early.filter((found) => found !== undefined)
    await Promise.all([...new Set(known.map(({ target }) => target.part))].map((part) => flush(part)))
    await Promise.all(
      known.map(({ target, word }) => insist(() => receiptBook.observe(target.part.claim.ref, target.ordinal, word))),
    )
  }

  /** Sends a round in batches. @returns who must wait, and for how long */
  async function sendRound(round: readonly Target[]): Promise<Target[]> {
    const waiting: Target[] = []
    for (let at = 0; at < round.length; at += courier.batchSize) {
      const batch = round.slice(at, at + courier.batchSize).filter(({ part }) => !part.lost)
      const pausedMs = await insist(() => pacer.pausedForMs())
      if (stopping.aborted || pausedMs > shortWaitMs) {
        const rest = await stillWanted(round.slice(at))
        for (const target of rest) target.notBefore = clock.now() + (stopping.aborted ? 0 : pausedMs)
        return [...waiting, ...rest]
      }
      await sleep(pausedMs, stopping)
      const granted = await attempt(batch)
      if (granted.length === 0) continue
      waiting.push(
        ...(await settle(
          granted,
          await courier.send(
            granted.map(({ item }) => item),
            killed,
          ),
        )),
      )
    }
    return waiting
  }

  /** Everyone else first, then those who must wait a little, as long as that is soon. @returns who must wait longer */
  async function sendAll(targets: readonly Target[]): Promise<Target[]> {
    const later: Target[] = []
    let round = targets
    for (;;) {
      const waiting = (await sendRound(round)).filter(({ part }) => !part.lost)
      if (waiting.length === 0) return later
      await Promise.all([...new Set(waiting.map(({ part }) => part))].map((part) => flush(part)))
      const horizon = clock.now() + shortWaitMs
      const isSoon = (target: Target) =>
        !stopping.aborted && target.notBefore <= horizon && target.attempts < mostAttempts
      later.push(...waiting.filter((target) => !isSoon(target)))
      round = waiting.filter(isSoon)
      if (round.length === 0) return later
      await sleep(Math.max(...round.map(({ notBefore }) => notBefore)) - clock.now(), stopping)
    }
  }

  async function finish(part: Part, later: readonly Target[]): Promise<void> {
    const own = later.filter((target) => target.part === part)
    if (own.length === 0) {
      await flush(part, true)
      return
    }
    await flush(part)
    const ordinals = own.map(({ ordinal }) => ordinal)
    const tries = part.claim.tries + 1
    const backOffMs = stopping.aborted ? 0 : Math.min(1000 * 2 ** tries, longestDelayMs)
    const delayMs = Math.max(backOffMs, Math.min(...own.map(({ notBefore }) => notBefore)) - clock.now())
    await write(part, () => scripts.defer(part.claim, Math.min(...ordinals), Math.max(...ordinals) + 1, tries, delayMs))
  }

  try {
    const later = await sendAll(await sort())
    await Promise.all(parts.map((part) => finish(part, later)))
  } catch (error) {
    if (!(error instanceof Gone)) throw error
  }
}
