/**
 * One flight: some claims worked on together, from their contacts to their receipts.
 *
 *   sort        no contact, or a contact known to be of no use: written without sending
 *   attempt     recipients are marked `attempting` before the provider sees any of them
 *   send        the adapter answers for each
 *   settle      the answers are written; who must wait is tried again last, or handed back as a later wave
 *   finish      the claim leaves its stream together with its last receipts
 *
 * Without a window all are marked in one write, and their answers go with whatever is written next. With one each is marked as
 * soon as there is a place for it, in the write of the answer that frees the place: see places.ts.
 *
 * A crash between any two steps leaves `attempting` for those whose answer is not written: docs/faults.md says who mends it.
 */

import { receiptBytes } from '@courier-fleet/api-types'
import type { Directory } from '@courier-fleet/directory'
import { type Clock, type Log, sleep } from '@courier-fleet/process'
import type { Redis } from 'ioredis'
import { type Claim, type ClaimScripts, Fenced } from './claim-scripts.ts'
import type { Courier, Outcome } from './courier.ts'
import type { Message } from './messages.ts'
import { askByte, keepByte, verdictOf } from './outcome-bytes.ts'
import type { SharedPacer } from './pacer.ts'
import { type Part, partOf } from './part.ts'
import type { Guest, Places } from './places.ts'
import type { ReceiptBook } from './receipt-book.ts'
import { createRecorder, Gone, type Note } from './recorder.ts'
import { findTargets, type Target } from './targets.ts'

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

/** Who must wait longer than this is handed back as a later wave, so that the claim does not sit idle. */
const shortWaitMs = 10_000
const mostAttempts = 5
const longestDelayMs = 300_000

export async function fly(work: readonly { claim: Claim; message: Message }[], deps: FlightDeps): Promise<void> {
  const { courier, places, directory, scripts, pacer, receiptBook, clock, stopping, killed } = deps
  const { insist, write, flush, lose } = createRecorder(deps)
  const parts = work.map(({ claim, message }) => partOf(claim, message))

  const partsOf = (targets: readonly Target[]) => new Set(targets.map(({ part }) => part))

  /** Writes this byte for each. @returns how they stand then; undefined where the claim is lost */
  async function mark(targets: readonly Target[], byte: number): Promise<(number | undefined)[]> {
    for (const { part, ordinal } of targets) part.set(ordinal, byte)
    const standing = await flush(partsOf(targets))
    return targets.map(({ part, ordinal }) => standing.get(part)?.[ordinal - part.claim.from])
  }

  /** Those of a message that was neither cancelled nor has expired: nobody else is worth a later wave. */
  async function stillWanted(targets: readonly Target[]): Promise<Target[]> {
    const standing = await mark(targets, askByte)
    const { pending, attempting } = receiptBytes
    return targets.filter((_target, index) => standing[index] === pending || standing[index] === attempting)
  }

  /** Says what the outcomes mean. A pause is called, and contacts are marked, by then. @returns who must wait */
  async function judge(
    batch: readonly Target[],
    outcomes: readonly Outcome[],
    say: (target: Target, byte: number, evidence: string | undefined) => void,
  ): Promise<Target[]> {
    const waiting: Target[] = []
    let pauseMs = 0
    const marks: Promise<void>[] = []
    for (let index = 0; index < batch.length; index += 1) {
      const target = batch[index] as Target
      const outcome = outcomes[index] ?? { kind: 'unknown', why: 'the adapter gave no outcome' }
      const { byte, evidence, retryAfterMs } = verdictOf(outcome, courier.foldsResends)
      const { person, address } = target
      if (byte !== keepByte) say(target, byte, evidence)
      if (retryAfterMs !== undefined) {
        target.attempts += 1
        target.notBefore = clock.now() + retryAfterMs
        waiting.push(target)
      }
      if (outcome.kind === 'throttled' && outcome.scope === 'account') pauseMs = Math.max(pauseMs, outcome.retryAfterMs)
      if (outcome.kind === 'rejected' && outcome.class !== 'refused') {
        const { class: state, detail } = outcome
        marks.push(insist(() => directory.markContact(courier.channel, person, address, state, detail)))
      }
    }
    if (pauseMs > 0) await insist(() => pacer.pause(pauseMs))
    await Promise.all(marks)
    return waiting
  }

  /** Tells the receipt book whom the provider's ids stand for: before or after the answer is written, a receipt's word stands. */
  async function handOver(batch: readonly Target[], outcomes: readonly Outcome[]): Promise<void> {
    if (!courier.givesReceipts) return
    const ids = batch.flatMap(({ part, ordinal }, index) => {
      const outcome = outcomes[index]
      const providerId = outcome?.kind === 'sent' || outcome?.kind === 'unknown' ? outcome.providerId : undefined
      return providerId === undefined ? [] : [{ providerId, ref: part.claim.ref, ordinal }]
    })
    if (ids.length > 0) await insist(() => receiptBook.handOver(ids))
  }

  /** All in one write; their answers go with whatever is written next. @returns who must wait */
  async function sendTogether(batch: readonly Target[]): Promise<Target[]> {
    const standing = await mark(batch, receiptBytes.attempting)
    const granted = batch.filter((_target, index) => standing[index] === receiptBytes.attempting)
    if (granted.length === 0) return []
    const outcomes = await courier.send(granted, killed)
    const [waiting] = await Promise.all([
      judge(granted, outcomes, ({ part, ordinal }, byte, evidence) => part.set(ordinal, byte, evidence)),
      handOver(granted, outcomes),
    ])
    return waiting
  }

  /** They have their places, and give them back with their answers. @returns who must wait */
  async function visit(granted: readonly Target[], window: Places): Promise<Target[]> {
    let outcomes: readonly Outcome[] = []
    const notes: Note[] = []
    try {
      outcomes = await courier.send(granted, killed)
      return await judge(granted, outcomes, ({ part, ordinal }, byte, evidence) =>
        notes.push({ part, ordinal, byte, evidence }),
      )
    } finally {
      // first of all the places: others wait for them
      await Promise.all([window.leave(notes, granted.length, { write }), handOver(granted, outcomes)])
    }
  }

  /** Everyone once, as the window and the provider allow. @returns who must wait, and for how long */
  async function sendRound(round: readonly Target[]): Promise<Target[]> {
    const sent: Promise<Target[]>[] = []
    const begin = (sending: Promise<Target[]>) => {
      sending.catch(() => {}) // thrown below
      sent.push(sending)
    }
    const guest = (window: Places): Guest<Target> => ({
      write,
      isHeldUp: () => pacer.isPaused(),
      enter(granted) {
        for (const target of granted) begin(visit([target], window))
      },
    })
    let rest = round
    while (rest.length > 0) {
      const pausedMs = await insist(() => pacer.pausedForMs())
      if (stopping.aborted || pausedMs > shortWaitMs) {
        const waiting = (await Promise.all(sent)).flat()
        const wanted = await stillWanted(rest)
        for (const target of wanted) target.notBefore = clock.now() + (stopping.aborted ? 0 : pausedMs)
        return [...waiting, ...wanted]
      }
      await sleep(pausedMs, stopping)
      if (places) {
        rest = await places.letIn(rest, guest(places), stopping)
      } else {
        sent.push(Promise.resolve(await sendTogether(rest.slice(0, courier.batchSize))))
        rest = rest.slice(courier.batchSize)
      }
    }
    return (await Promise.all(sent)).flat()
  }

  /** Everyone else first, then those who must wait a little, as long as that is soon. @returns who must wait longer */
  async function sendAll(targets: readonly Target[]): Promise<Target[]> {
    const later: Target[] = []
    let round = targets
    for (;;) {
      const waiting = (await sendRound(round)).filter(({ part }) => !part.lost)
      if (waiting.length === 0) return later
      await flush([...partsOf(waiting)].filter(({ isDirty }) => isDirty))
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
    const targets = await findTargets(parts, deps)
    // whom a process that died left in doubt is said so before others are
    if (places) await flush(parts.filter(({ isDirty }) => isDirty))
    await finish(await sendAll(targets))
  } catch (error) {
    if (!(error instanceof Gone)) throw error
  }
}
