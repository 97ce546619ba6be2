/**
 * What send jobs know, on its way to Redis. It is kept until Redis has it: an answer that is dropped may be one that nobody else
 * can give. Once the claim has gone to another process it is reported as a provider would.
 *
 * Nobody is sent to before the replicas have the mark too; one that they do not have in time is taken back, unless it was made again. Where resends
 * are not folded no answer is let go of either before they have it. (packages/store/test/model shows what each omission costs.)
 */
import { reasonBytes, receiptBytes } from '@courier-fleet/api-types'
import { grouped, type Log, sleep } from '@courier-fleet/process'
import type { Durability } from '@courier-fleet/store'
import type { Courier } from '../../courier.ts'
import { Fenced, generationOf, writtenTogether } from '../claims/claim.ts'
import type { ClaimBuffer } from '../claims/claim-buffer.ts'
import type { ClaimScripts, Entry } from '../claims/claim-scripts.ts'
import type { DeliveryReports } from '../delivery-reports.ts'
import { type ReceiptChange, type ReceiptUpdate, updateOf } from './receipt-update.ts'

/** What is to be said of one recipient of a claim. */
export interface Note extends ReceiptChange {
  readonly buffer: ClaimBuffer
}

export interface ReceiptWriterDeps {
  readonly scripts: Pick<ClaimScripts, 'record'>
  readonly reports: Pick<DeliveryReports, 'reportAccepted'>
  readonly courier: Pick<Courier, 'foldsResends' | 'window'>
  readonly durability: Pick<Durability, 'level' | 'confirm' | 'begin'>
  /** A claim has gone: to another process, or with its master. */
  readonly onLost: () => void
  readonly log: Log
  /** aborted: whatever is not written by now is lost with this process */
  readonly gone: AbortSignal
  readonly logThrottled: (fields: object, text: string) => void
}

export interface ReceiptWriter {
  /** Repeats it until Redis has taken it. @throws Fenced, Gone */
  retryUntilGone<T>(action: () => Promise<T>): Promise<T>
  /**
   * Writes these, which one call can write, in one step: whoever looks sees all of them or none. Tried again it is the same step.
   * @returns for each the byte that stands then; undefined where the claim has been lost. @throws Gone
   */
  write(notes: readonly Note[]): Promise<(number | undefined)[]>
  /**
   * Writes what these buffers hold, and lets go of their claims when they are `done`.
   * @returns of each its receipts as they stand then; not of those that are lost. @throws Gone
   */
  flush(buffers: Iterable<ClaimBuffer>, done?: boolean): Promise<ReadonlyMap<ClaimBuffer, Buffer>>
  /** Whether replicas have what was written of these claims: asked where not each write waits for them. */
  isKept(buffers: ReadonlySet<ClaimBuffer>): Promise<boolean>
  /** Says that the claim has gone to another process. @throws Gone */
  lose(buffer: ClaimBuffer): Promise<void>
}

/** The process is about to end. */
export class Gone extends Error {}

/** why somebody is `sent` of whom a message was changed that they had */
const changes = new Set<number>([reasonBytes.edited, reasonBytes.deleted, reasonBytes.replaced])

const outdatedByte = 'v'.charCodeAt(0)
const redisRetryMs = 250
/** claims written in one call: Redis does nothing else meanwhile */
const maxClaims = 50

/** Through a window a mark is granted by the write that makes it, whether resends are folded or not. */
const isEachWriteConfirmed = ({ courier, durability }: Pick<ReceiptWriterDeps, 'courier' | 'durability'>): boolean =>
  durability.level !== 'master' && (!courier.foldsResends || courier.window !== undefined)

/** Messages, and no edit or deletion: whoever owns the claim makes that once more, and until they have a recall must wait for it. */
const acceptedIn = ({ from, bytes, evidence, reasons }: ReceiptUpdate) =>
  evidence.flatMap((line, offset) =>
    line !== '' && bytes[offset] === receiptBytes.sent && !changes.has(reasons?.[offset] ?? 0)
      ? [{ ordinal: from + offset, evidence: line }]
      : [],
  )

export function createReceiptWriter(deps: ReceiptWriterDeps): ReceiptWriter {
  const { scripts, reports, durability, onLost, log } = deps
  const retryUntilGone = bindRetry(deps)
  const waitsForReplicas = isEachWriteConfirmed(deps)
  const recordDurably = waitsForReplicas
    ? bindDurably(scripts, durability)
    : (entries: readonly Entry[]) => () => scripts.record(entries)

  /** Whoever owns the claim now decides; but that the provider has accepted something stays true, whoever says it. */
  async function reportAccepted({ claim }: ClaimBuffer, update: ReceiptUpdate): Promise<void> {
    const accepted = acceptedIn(update)
    if (accepted.length === 0) return
    await retryUntilGone(async () => {
      const confirm = durability.begin()
      await reports.reportAccepted(claim.ref, claim.leg, accepted)
      if (waitsForReplicas) await confirm()
    })
  }

  async function lose(buffer: ClaimBuffer, update = buffer.take()): Promise<void> {
    const { stream, entry } = buffer.claim
    if (!buffer.lost) log.warn({ stream, entry }, 'claim was taken over')
    buffer.lost = true
    onLost()
    await reportAccepted(buffer, update)
  }

  /**
   * The same updates at each try: what was written by one whose reply is lost follows itself as nothing. Into `written` go the receipts as they stand
   * then, of each that was not lost.
   */
  async function record(
    updates: ReadonlyMap<ClaimBuffer, ReceiptUpdate>,
    done: boolean,
    written: Map<ClaimBuffer, Buffer>,
  ): Promise<void> {
    const own = [...updates.keys()].filter(({ lost }) => !lost)
    const entries = own.map((buffer) => entryOf(buffer, updates.get(buffer) as ReceiptUpdate, done))
    const standing = entries.length > 0 ? await retryUntilGone(recordDurably(entries)) : []
    for (const [index, buffer] of own.entries()) {
      const bytes = standing[index]
      if (bytes) written.set(buffer, noteOutdated(buffer, bytes, updates.get(buffer) as ReceiptUpdate))
    }
    // answers may still come after the claim was lost
    const lost = [...updates.keys()].filter((buffer) => !written.has(buffer))
    await Promise.all(lost.map((buffer) => lose(buffer, updates.get(buffer))))
  }

  async function flush(buffers: Iterable<ClaimBuffer>, done = false): Promise<ReadonlyMap<ClaimBuffer, Buffer>> {
    // what is not confirmed when its claim is finished could be lost, and written by nobody
    if (done && waitsForReplicas) await flush([...buffers].filter(({ isDirty }) => isDirty))
    const written = new Map<ClaimBuffer, Buffer>()
    const calls: Promise<void>[] = []
    for (const own of writtenTogether(buffers, ({ claim }) => claim))
      for (let at = 0; at < own.length; at += maxClaims)
        calls.push(record(takeFrom(own.slice(at, at + maxClaims)), done, written))
    await Promise.all(calls)
    return written
  }

  return {
    retryUntilGone,
    isKept: bindIsKept(deps),
    lose,
    async write(notes) {
      const updates = new Map<ClaimBuffer, ReceiptUpdate>()
      for (const [buffer, own] of grouped(notes, ({ buffer }) => buffer)) updates.set(buffer, updateOf(own))
      const written = new Map<ClaimBuffer, Buffer>()
      await record(updates, false, written)
      return notes.map(
        ({ buffer, ordinal }) => written.get(buffer)?.[ordinal - (updates.get(buffer) as ReceiptUpdate).from],
      )
    },
    flush,
  }
}

function takeFrom(buffers: readonly ClaimBuffer[]): Map<ClaimBuffer, ReceiptUpdate> {
  const updates = new Map<ClaimBuffer, ReceiptUpdate>()
  for (const buffer of buffers) updates.set(buffer, buffer.take())
  return updates
}

const entryOf = ({ claim, message }: ClaimBuffer, update: ReceiptUpdate, done: boolean): Entry => ({
  claim,
  version: message.version,
  texts: message.texts,
  done,
  ...update,
})

/** `v` stands for whoever was not marked, or not refused, for the message has another text by now: they are as they were. */
function noteOutdated(buffer: ClaimBuffer, bytes: Buffer, { from, bytes: wanted }: ReceiptUpdate): Buffer {
  if (!bytes.includes(outdatedByte)) return bytes
  buffer.isOutdated = true
  for (const [at, byte] of bytes.entries()) {
    if (byte !== outdatedByte || wanted[at] === receiptBytes.attempting) continue
    buffer.refusedByOlder ??= new Set()
    buffer.refusedByOlder.add(from + at)
  }
  return bytes.map((byte) => (byte === outdatedByte ? receiptBytes.pending : byte)) as Buffer
}

const bindRetry =
  ({ gone, logThrottled }: Pick<ReceiptWriterDeps, 'gone' | 'logThrottled'>): ReceiptWriter['retryUntilGone'] =>
  async (action) => {
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

const bindIsKept =
  ({ durability, logThrottled }: Pick<ReceiptWriterDeps, 'durability' | 'logThrottled'>): ReceiptWriter['isKept'] =>
  async (buffers) => {
    const generations = new Set([...buffers].map(({ claim }) => generationOf(claim)))
    try {
      await Promise.all([...generations].map((generation) => durability.confirm(generation)))
      return true
    } catch (error) {
      logThrottled({ err: error }, 'No replica has the marks; nobody is sent to before one has')
      return false
    }
  }

/**
 * To be tried until it is done: what is written is confirmed, and marks that are not in time are taken back by the next try. Those of whoever
 * was attempting before are made once more: a message that was stopped meanwhile, or has another text, grants them nothing.
 * What is finished is done with, confirmed or not: where that is lost it is only looked at again.
 */
const bindDurably =
  (scripts: ReceiptWriterDeps['scripts'], durability: Pick<Durability, 'confirm'>) => (entries: readonly Entry[]) => {
    let some = entries
    return async (): Promise<(Buffer | undefined)[]> => {
      const standing = await scripts.record(some)
      const own = some.find(({ done }, index) => !done && standing[index])
      if (!own) return standing
      try {
        await durability.confirm(generationOf(own.claim))
      } catch (error) {
        some = some.map(withoutMarks)
        throw error
      }
      return standing
    }
  }

/** Nobody comes to be in doubt by it. */
function withoutMarks(entry: Entry): Entry {
  const bytes = Buffer.from(entry.bytes)
  for (const [at, byte] of bytes.entries())
    if (byte === receiptBytes.attempting && !entry.again?.has(at)) bytes[at] = receiptBytes.pending
  return { ...entry, bytes }
}
