/**
 * One send job: some claims worked on together, from what is known of their recipients to their receipts.
 *
 *   choose      who is not to be sent to is settled (no contact, opted out, a contact known to be of no use), or held
 *   mark        recipients are marked `attempting` before the provider sees any of them
 *   send        the courier answers for each
 *   settle      the answers are written; who must wait is tried again last, or handed back as a later wave
 *   finish      the claim leaves its stream together with its last receipts
 *
 * Without a window all are marked in one write, and their answers go with whatever is written next. With one each is marked as
 * soon as there is a slot for it, in the write of the answer that frees the slot: see in-flight-window.ts.
 *
 * A crash between any two steps leaves `attempting` for those whose answer is not written: docs/faults.md says who mends it.
 */
import { type Clock, sleep } from '@courier-fleet/process'
import { decide } from '@courier-fleet/rules'
import { type Claim, Fenced } from './claim.ts'
import { type ClaimBuffer, createClaimBuffer } from './claim-buffer.ts'
import type { ClaimScripts } from './claim-scripts.ts'
import type { Courier } from './courier.ts'
import { grouped } from './grouped.ts'
import type { InFlightWindow } from './in-flight-window.ts'
import type { Message } from './messages.ts'
import { piecesOf } from './pieces.ts'
import { createReceiptWriter, Gone, type ReceiptWriter, type ReceiptWriterDeps } from './receipt-writer.ts'
import { chooseRecipients, type Held, policyOf, type Recipient, type RecipientsDeps } from './recipients.ts'
import { type SendDeps, sendRound } from './send-round.ts'

export interface SendJobDeps extends ReceiptWriterDeps, RecipientsDeps, Omit<SendDeps, 'writer'> {
  readonly courier: Courier
  readonly directory: RecipientsDeps['directory'] & SendDeps['directory']
  readonly reports: ReceiptWriterDeps['reports'] & SendDeps['reports']
  /** of the courier's window, shared by all send jobs of the process; undefined when it has none */
  readonly window: InFlightWindow | undefined
  readonly scripts: ClaimScripts
  /** measures durations: one that nobody sets */
  readonly clock: Clock
}

export interface Work {
  readonly claim: Claim
  readonly message: Message
}

interface Job extends SendJobDeps {
  readonly writer: ReceiptWriter
  readonly buffers: readonly ClaimBuffer[]
}

/** Resolves when every claim has been let go of. What the process knows by its end is written, unless it is gone. */
export async function runSendJob(work: readonly Work[], deps: SendJobDeps): Promise<void> {
  const job: Job = {
    ...deps,
    writer: createReceiptWriter(deps),
    buffers: work.map(({ claim, message }) => createClaimBuffer(claim, message)),
  }
  try {
    const { chosen, held } = await chooseRecipients(job.buffers, job, job.clock.now())
    // whom a process that died left in doubt is said so before others are
    if (job.window) await job.writer.flush(job.buffers.filter(({ isDirty }) => isDirty))
    await finish(job, [...held, ...(await sendAll(job, chosen))])
  } catch (error) {
    if (!(error instanceof Gone)) throw error
  }
}

/** Everyone else first, then those who must wait a little, as long as that is soon. @returns who must wait longer */
async function sendAll(job: Job, recipients: readonly Recipient[]): Promise<Held[]> {
  const { clock, handBack, writer } = job
  const held: Held[] = []
  let round = recipients
  for (;;) {
    const waiting = (await sendRound(round, job)).filter(({ buffer }) => !buffer.lost)
    if (waiting.length === 0) return held
    await writer.flush([...new Set(waiting.map(({ buffer }) => buffer))].filter(({ isDirty }) => isDirty))
    const sorted = waiting.map((recipient) => ({ recipient, hold: holdOf(job, recipient) }))
    for (const { recipient, hold } of sorted) if (hold) held.push({ recipient, ...hold })
    round = sorted.filter(({ hold }) => !hold).map(({ recipient }) => recipient)
    if (round.length === 0) return held
    await sleep(Math.max(...round.map(({ notBefore }) => notBefore)) - clock.now(), handBack)
  }
}

/** @returns undefined for somebody who is tried again by this job */
function holdOf(
  { courier, clock, handBack, settings }: Job,
  recipient: Recipient,
): Omit<Held, 'recipient'> | undefined {
  const { receipt, contact, tries, notBefore } = recipient
  if (handBack.aborted) {
    // whoever is in doubt is sent to again, by whichever process is first: that resolves it
    const isThrottled = tries > 0 && receipt === 'pending'
    return isThrottled ? { cause: 'throttled', untilMs: notBefore } : { cause: 'handed-back', untilMs: clock.now() }
  }
  const facts = { receipt, contact, throttled: { untilMs: notBefore, tries } }
  const decision = decide(facts, policyOf(courier, recipient.buffer.message, settings.current()), clock.now())
  return decision.kind === 'hold' ? decision : undefined
}

/** Lets go of every claim: of those who wait longer as pieces of later waves, of all others for good. */
async function finish(job: Job, held: readonly Held[]): Promise<void> {
  const { buffers, writer } = job
  const waiting = grouped(held, ({ recipient }) => recipient.buffer)
  await Promise.all([
    writer.flush(
      buffers.filter((buffer) => !waiting.has(buffer)),
      true,
    ),
    writer.flush([...waiting.keys()].filter(({ isDirty }) => isDirty)),
  ])
  await Promise.all([...waiting].map(([buffer, own]) => defer(job, buffer, own)))
}

async function defer({ scripts, writer, clock }: Job, buffer: ClaimBuffer, held: readonly Held[]): Promise<void> {
  if (buffer.lost) return
  const pieces = piecesOf(buffer.claim, held, clock.now())
  try {
    await writer.retryUntilGone(() => scripts.defer(buffer.claim, pieces))
  } catch (error) {
    if (!(error instanceof Fenced)) throw error
    await writer.lose(buffer)
  }
}
