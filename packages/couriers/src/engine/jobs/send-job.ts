/**
 * One send job: some claims worked on together, from what is known of their recipients to their receipts.
 *
 *   choose      who is not to be sent to is settled (no contact, opted out, a contact known to be of no use), or held
 *   await       of a message that goes out when people are online, whoever has not been waits
 *   recheck     where the message names an address to be asked: who is not to be sent to is settled, or held
 *   count       whoever has had enough is refused, or held; everyone else is counted, where a rule of the message counts
 *   reserve     of the budgets that hold, what attempts are to cost: for whom they are not enough is refused
 *   mark        recipients are marked `attempting` before the provider sees any of them
 *   send        the courier answers for each
 *   settle      the answers are written; who must wait is tried again last, or handed back as a later wave
 *   finish      the claim leaves its stream together with its last receipts; whoever certainly has nothing is counted no more,
 *               and has what was reserved for them given back
 *
 * Without a window all are marked in one write, and their answers go with whatever is written next. With one each is marked as
 * soon as there is a slot for it, in the write of the answer that frees the slot: see in-flight-window.ts.
 *
 * A crash between any two steps leaves `attempting` for those whose answer is not written: docs/faults.md says who mends it.
 */
import { type Clock, grouped, sleep } from '@courier-fleet/process'
import type { Decision } from '@courier-fleet/rules'
import type { Courier } from '../../courier.ts'
import { type Claim, Fenced } from '../claims/claim.ts'
import { type ClaimBuffer, createClaimBuffer } from '../claims/claim-buffer.ts'
import type { ClaimScripts } from '../claims/claim-scripts.ts'
import { type Budgets, createBudgets } from '../rules/budgets.ts'
import { beginCounting, type Counted, countRecipients } from '../rules/counting.ts'
import { awaitPresence, isOfWaiting, type Present } from '../rules/presence.ts'
import { recheckRecipients } from '../rules/recheck-recipients.ts'
import type { Rechecks } from '../rules/rechecks.ts'
import type { Message } from '../texts/messages.ts'
import type { InFlightWindow } from './in-flight-window.ts'
import { piecesOf } from './pieces.ts'
import { createReceiptWriter, Gone, type ReceiptWriter, type ReceiptWriterDeps } from './receipt-writer.ts'
import { type Chosen, chooseRecipients, type Held, type Recipient, type RecipientsDeps, settle } from './recipients.ts'
import { type SendDeps, sendRound } from './send-round.ts'

export interface SendJobDeps extends ReceiptWriterDeps, RecipientsDeps, Omit<SendDeps, 'writer' | 'budgets'> {
  readonly courier: Courier
  readonly directory: RecipientsDeps['directory'] & SendDeps['directory']
  readonly reports: ReceiptWriterDeps['reports'] & SendDeps['reports']
  /** of the courier's window, shared by all send jobs of the process; undefined when it has none */
  readonly window: InFlightWindow | undefined
  readonly scripts: ClaimScripts
  readonly rechecks: Pick<Rechecks, 'answer'>
  /** Called when a job is about to wait until its people are counted: another may begin meanwhile. */
  readonly lendSlot: () => void
  /** measures durations: one that nobody sets */
  readonly clock: Clock
}

export interface Work {
  readonly claim: Claim
  readonly message: Message
}

interface Job extends SendJobDeps {
  readonly writer: ReceiptWriter
  readonly budgets: Budgets
  readonly buffers: readonly ClaimBuffer[]
}

/** By all rules about people, one after the other. */
interface Judged {
  readonly people: Chosen
  readonly present: Present
  readonly counted: Counted
}

/** Resolves when every claim has been let go of. What the process knows by its end is written, unless it is gone. */
export async function runSendJob(work: readonly Work[], deps: SendJobDeps): Promise<void> {
  const writer = createReceiptWriter(deps)
  const job: Job = {
    ...deps,
    writer,
    budgets: createBudgets({ ...deps, writer }),
    buffers: work.map(({ claim, message }) => createClaimBuffer(claim, message)),
  }
  // on its way while the recipients are read; whoever needs the answer asks again where this failed
  job.pacer.pausedForMs().catch(() => {})
  const ahead = beginCounting(job.buffers, job)
  try {
    const people = await chooseRecipients(
      job.buffers.filter((buffer) => !isOfWaiting(buffer)),
      job,
    )
    const present = await awaitPresence(people.chosen, job.buffers, job)
    const rechecked = await recheckRecipients(present.allowed, job)
    if (ahead) job.lendSlot()
    const counted = await countRecipients(rechecked.allowed, job.buffers, job, ahead)
    // whom a process that died left in doubt is said so before others are
    if (job.window) await job.writer.flush(job.buffers.filter(({ isDirty }) => isDirty))
    const sent = await sendAll(job, people, counted.allowed)
    const held = [...people.held, ...present.held, ...rechecked.held, ...counted.held, ...sent]
    await finish(job, held, { people, present, counted })
  } catch (error) {
    if (!(error instanceof Gone)) throw error
  }
}

/** Everyone else first, then those who must wait a little, as long as that is soon. @returns who must wait longer */
async function sendAll(job: Job, people: Chosen, allowed: readonly Recipient[]): Promise<Held[]> {
  const { clock, handBack, writer } = job
  const held: Held[] = []
  let round = allowed
  for (;;) {
    const rechecked = await recheckRecipients(round, job)
    held.push(...rechecked.held)
    const paid = await job.budgets.reserve(rechecked.allowed)
    const waiting = (await sendRound(paid, job)).filter(({ buffer }) => !buffer.lost)
    if (waiting.length === 0) return held
    await writer.flush([...new Set(waiting.map(({ buffer }) => buffer))].filter(({ isDirty }) => isDirty))
    const sorted = waiting.map((recipient) => ({ recipient, decision: decideAgain(job, people, recipient) }))
    for (const { recipient, decision } of sorted) {
      if (decision.kind === 'hold') held.push(heldBy(decision, recipient))
      if (decision.kind === 'settle') settle(recipient.buffer, recipient.ordinal, decision)
    }
    round = sorted.filter(({ decision }) => decision.kind === 'send').map(({ recipient }) => recipient)
    if (round.length === 0) return held
    await sleep(Math.max(...round.map(({ notBefore }) => notBefore)) - clock.now(), handBack)
  }
}

/** How often an endpoint was asked is counted over all waves. */
function heldBy({ cause, untilMs }: Extract<Decision, { kind: 'hold' }>, recipient: Recipient): Held {
  const held = { recipient, cause, untilMs }
  return cause === 'not-taken' ? { ...held, failed: (recipient.triesBefore ?? 0) + recipient.tries } : held
}

/** `send`: somebody is tried again by this job. */
function decideAgain({ clock, handBack }: Job, people: Chosen, recipient: Recipient): Decision {
  const { receipt, tries, notBefore, cause } = recipient
  // whoever reads it anew has the text as it is now
  if (recipient.buffer.isOutdated) return { kind: 'hold', cause: 'handed-back', untilMs: clock.now() }
  if (handBack.aborted) {
    if (cause) return { kind: 'hold', cause, untilMs: notBefore }
    // whoever is in doubt is sent to again, by whichever process is first: that resolves it
    const isThrottled = tries > 0 && receipt === 'pending'
    return isThrottled
      ? { kind: 'hold', cause: 'throttled', untilMs: notBefore }
      : { kind: 'hold', cause: 'handed-back', untilMs: clock.now() }
  }
  return people.decide(recipient, { untilMs: notBefore, tries, cause }, clock.now())
}

/** Those who were refused for what an older text said. It is written while their claims go on: once those are finished nobody would decide anew. */
async function takeUpAgain({ buffers, writer, clock }: Job): Promise<Held[]> {
  await writer.flush(buffers.filter(({ goesByText }) => goesByText))
  return buffers.flatMap((buffer) =>
    [...(buffer.refusedByOlder ?? [])].map((ordinal): Held => {
      return { recipient: { buffer, ordinal }, cause: 'handed-back', untilMs: clock.now() }
    }),
  )
}

/** Lets go of every claim: of those who wait longer as pieces of later waves, of all others for good. */
async function finish(job: Job, held: readonly Held[], judged: Judged): Promise<void> {
  const { buffers, writer, budgets } = job
  const { counted } = judged
  const all = [...held, ...(await takeUpAgain(job))]
  const waiting = grouped(all, ({ recipient }) => recipient.buffer)
  const [over, goingOn] = await Promise.all([
    writer.flush(
      buffers.filter((buffer) => !waiting.has(buffer)),
      true,
    ),
    writer.flush(
      [...waiting.keys()].filter(
        (buffer) => buffer.isDirty || counted.isSomebodyCounted(buffer) || budgets.isReservedFor(buffer),
      ),
    ),
  ])
  const standing = new Map([...over, ...goingOn])
  await Promise.all([
    writer.retryUntilGone(() => counted.giveBack(standing)),
    budgets.settle(standing),
    ...[...waiting].map(([buffer, own]) => defer(job, buffer, own, judged)),
  ])
}

async function defer(
  { scripts, writer, clock }: Job,
  buffer: ClaimBuffer,
  held: readonly Held[],
  { people: { quiet, version }, present, counted }: Judged,
): Promise<void> {
  if (buffer.lost) return
  const redisAheadMs = quiet.redisAheadMs ?? present.redisAheadMs ?? counted.redisAheadMs
  const size = quiet.sizeOf(buffer) ?? counted.sizeOf(buffer)
  const isSentNow = quiet.isSentNow(buffer)
  const pieces = piecesOf(buffer.claim, held, { nowMs: clock.now(), redisAheadMs, version, isSentNow, size })
  try {
    await writer.retryUntilGone(() => scripts.defer(buffer.claim, pieces))
  } catch (error) {
    if (!(error instanceof Fenced)) throw error
    await writer.lose(buffer)
  }
}
