/**
 * What send jobs know, on its way to Redis. It is kept until Redis has it: an answer that is dropped may be one that nobody else
 * can give. Once the claim has gone to another process it is reported as a provider would.
 */
import { receiptBytes } from '@courier-fleet/api-types'
import { type Log, sleep } from '@courier-fleet/process'
import { Fenced } from './claim.ts'
import type { ClaimBuffer } from './claim-buffer.ts'
import type { ClaimScripts, Entry } from './claim-scripts.ts'
import type { DeliveryReports } from './delivery-reports.ts'
import { grouped } from './grouped.ts'
import { type ReceiptChange, type ReceiptUpdate, updateOf } from './receipt-update.ts'

/** What is to be said of one recipient of a claim. */
export interface Note extends ReceiptChange {
  readonly buffer: ClaimBuffer
}

export interface ReceiptWriterDeps {
  readonly scripts: Pick<ClaimScripts, 'record'>
  readonly reports: Pick<DeliveryReports, 'reportAccepted'>
  readonly log: Log
  /** aborted: whatever is not written by now is lost with this process */
  readonly gone: AbortSignal
  readonly logThrottled: (fields: object, text: string) => void
}

export interface ReceiptWriter {
  /** Repeats it until Redis has taken it. @throws Fenced, Gone */
  retryUntilGone<T>(action: () => Promise<T>): Promise<T>
  /**
   * Writes these, all of one stream, in one step: whoever looks sees all of them or none. Tried again it is the same step.
   * @returns for each the byte that stands then; undefined where the claim has been lost. @throws Gone
   */
  write(notes: readonly Note[]): Promise<(number | undefined)[]>
  /**
   * Writes what these buffers hold, and lets go of their claims when they are `done`.
   * @returns of each its receipts as they stand then; not of those that are lost. @throws Gone
   */
  flush(buffers: Iterable<ClaimBuffer>, done?: boolean): Promise<ReadonlyMap<ClaimBuffer, Buffer>>
  /** Says that the claim has gone to another process. @throws Gone */
  lose(buffer: ClaimBuffer): Promise<void>
}

/** The process is about to end. */
export class Gone extends Error {}

const redisRetryMs = 250
/** claims written in one call: Redis does nothing else meanwhile */
const maxClaims = 100

export function createReceiptWriter(deps: ReceiptWriterDeps): ReceiptWriter {
  const { scripts, reports, log, gone, logThrottled } = deps

  async function retryUntilGone<T>(action: () => Promise<T>): Promise<T> {
    for (;;) {
      if (gone.aborted) throw new Gone()
      try {
        return await action()
      } catch (error) {
        if (error instanceof Fenced) throw error
        logThrottled({ err: error }, 'Redis did not take it; trying again')
        await sleep(redisRetryMs, gone)
      }
    }
  }

  /** Whoever owns the claim now decides; but that the provider has accepted something stays true, whoever says it. */
  async function reportAccepted({ claim }: ClaimBuffer, { from, bytes, evidence }: ReceiptUpdate): Promise<void> {
    const accepted = evidence.flatMap((line, offset) =>
      line !== '' && bytes[offset] === receiptBytes.sent ? [{ ordinal: from + offset, evidence: line }] : [],
    )
    if (accepted.length > 0) await retryUntilGone(() => reports.reportAccepted(claim.ref, claim.leg, accepted))
  }

  async function lose(buffer: ClaimBuffer, update = buffer.take()): Promise<void> {
    const { stream, entry } = buffer.claim
    if (!buffer.lost) log.warn({ stream, entry }, 'claim was taken over')
    buffer.lost = true
    await reportAccepted(buffer, update)
  }

  /** The same updates at each try: what was written by one whose reply is lost follows itself as nothing. */
  async function record(
    updates: ReadonlyMap<ClaimBuffer, ReceiptUpdate>,
    done: boolean,
  ): Promise<Map<ClaimBuffer, Buffer>> {
    const own = [...updates].filter(([buffer]) => !buffer.lost)
    const entries = own.map(([{ claim }, update]): Entry => ({ claim, done, ...update }))
    const standing = entries.length > 0 ? await retryUntilGone(() => scripts.record(entries)) : []
    const written = new Map<ClaimBuffer, Buffer>()
    for (const [index, [buffer]] of own.entries()) {
      const bytes = standing[index]
      if (bytes) written.set(buffer, bytes)
    }
    // answers may still come after the claim was lost
    await Promise.all([...updates].map(([buffer, update]) => (written.has(buffer) ? undefined : lose(buffer, update))))
    return written
  }

  return {
    retryUntilGone,
    lose,
    async write(notes) {
      const updates = new Map<ClaimBuffer, ReceiptUpdate>()
      for (const [buffer, own] of grouped(notes, ({ buffer }) => buffer)) updates.set(buffer, updateOf(own))
      const written = await record(updates, false)
      return notes.map(
        ({ buffer, ordinal }) => written.get(buffer)?.[ordinal - (updates.get(buffer) as ReceiptUpdate).from],
      )
    },
    async flush(buffers, done = false) {
      const calls: Promise<Map<ClaimBuffer, Buffer>>[] = []
      for (const own of grouped(buffers, ({ claim }) => claim.stream).values())
        for (let at = 0; at < own.length; at += maxClaims) {
          const some = own.slice(at, at + maxClaims)
          calls.push(record(new Map(some.map((buffer) => [buffer, buffer.take()])), done))
        }
      return new Map((await Promise.all(calls)).flatMap((written) => [...written]))
    },
  }
}
