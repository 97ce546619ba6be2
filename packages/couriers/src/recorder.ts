/**
 * What flights know, on its way to Redis. It is kept until Redis has it: an answer that is dropped may be one that nobody else
 * can give. Once the claim has gone to another process it is told as a provider's receipt would be.
 */

import { receiptBytes } from '@courier-fleet/api-types'
import { type Log, sleep } from '@courier-fleet/process'
import { type ClaimScripts, type Entry, Fenced } from './claim-scripts.ts'
import { grouped } from './grouped.ts'
import { blankFindings, type Part, type RangeFindings } from './part.ts'
import type { ReceiptBook } from './receipt-book.ts'

/** What is to be said of one recipient. */
export interface Note {
  readonly part: Part
  readonly ordinal: number
  readonly byte: number
  readonly evidence?: string | undefined
}

export interface RecorderDeps {
  readonly scripts: Pick<ClaimScripts, 'record'>
  readonly receiptBook: Pick<ReceiptBook, 'testify'>
  readonly log: Log
  /** aborted: whatever is not written by now is lost with this process */
  readonly gone: AbortSignal
  readonly complain: (fields: object, text: string) => void
}

export interface Recorder {
  /** Repeats it until Redis has taken it. @throws Fenced, Gone */
  insist<T>(action: () => Promise<T>): Promise<T>
  /**
   * Writes these, all of one stream, in one step: whoever looks sees all of them or none. Tried again it is the same step.
   * @returns for each the byte that stands then; undefined where the claim has been lost. @throws Gone
   */
  write(notes: readonly Note[]): Promise<(number | undefined)[]>
  /**
   * Writes what these parts hold, and lets go of their claims when they are `done`.
   * @returns of each its receipts as they stand then; not of those that are lost. @throws Gone
   */
  flush(parts: Iterable<Part>, done?: boolean): Promise<ReadonlyMap<Part, Buffer>>
  /** Says that the claim has gone to another process. @throws Gone */
  lose(part: Part): Promise<void>
}

/** The process is about to end. */
export class Gone extends Error {}

const redisRetryMs = 250
/** Most one-person claims to write in one call: Redis does nothing else meanwhile. */
const claimsAtOnce = 100

export function createRecorder({ scripts, receiptBook, log, gone, complain }: RecorderDeps): Recorder {
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

  /** Whoever owns the claim now decides; but that the provider has accepted something stays true, whoever says it. */
  async function testify(part: Part, { from, bytes, evidence }: RangeFindings): Promise<void> {
    const accepted = evidence.flatMap((line, offset) =>
      line !== '' && bytes[offset] === receiptBytes.sent ? [{ ordinal: from + offset, evidence: line }] : [],
    )
    if (accepted.length > 0) await insist(() => receiptBook.testify(part.claim.ref, accepted))
  }

  async function lose(part: Part, findings = part.take()): Promise<void> {
    if (!part.lost) log.warn({ stream: part.claim.stream, entry: part.claim.entry }, 'claim was taken over')
    part.lost = true
    await testify(part, findings)
  }

  /** The same findings at each try: what was written by one whose reply is lost follows itself as nothing. */
  async function record(found: ReadonlyMap<Part, RangeFindings>, done: boolean): Promise<Map<Part, Buffer>> {
    const own = [...found].filter(([part]) => !part.lost)
    const entries = own.map(
      ([{ claim }, { from, ...findings }]): Entry => ({ claim: { ...claim, from }, done, ...findings }),
    )
    const standing = entries.length > 0 ? await insist(() => scripts.record(entries)) : []
    const written = new Map<Part, Buffer>()
    for (const [index, [part]] of own.entries()) {
      const bytes = standing[index]
      if (bytes) written.set(part, bytes)
    }
    // answers may still come after the claim was lost
    await Promise.all([...found].map(([part, findings]) => (written.has(part) ? undefined : lose(part, findings))))
    return written
  }

  return {
    insist,
    lose,
    async write(notes) {
      const found = new Map<Part, RangeFindings>()
      for (const [part, own] of grouped(notes, ({ part }) => part)) found.set(part, findingsOf(own))
      const written = await record(found, false)
      return notes.map(({ part, ordinal }) => written.get(part)?.[ordinal - (found.get(part) as RangeFindings).from])
    },
    async flush(parts, done = false) {
      const calls: Promise<Map<Part, Buffer>>[] = []
      for (const own of grouped(parts, ({ claim }) => claim.stream).values())
        for (let at = 0; at < own.length; at += claimsAtOnce) {
          const some = own.slice(at, at + claimsAtOnce)
          calls.push(record(new Map(some.map((part) => [part, part.take()])), done))
        }
      return new Map((await Promise.all(calls)).flatMap((written) => [...written]))
    },
  }
}

/** The shortest range that holds these notes, all of one part. */
function findingsOf(notes: readonly Note[]): RangeFindings {
  const ordinals = notes.map(({ ordinal }) => ordinal)
  const from = Math.min(...ordinals)
  const found = blankFindings(from, Math.max(...ordinals) + 1)
  for (const { ordinal, byte, evidence } of notes) found.set(ordinal, byte, evidence)
  return found.findings()
}
