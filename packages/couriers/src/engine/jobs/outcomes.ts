/** What a provider's answers lead to: receipts, a pause of the account, marked contacts, and ids that later reports will name. */
import { receiptBytes } from '@courier-fleet/api-types'
import type { Directory } from '@courier-fleet/directory'
import type { Clock } from '@courier-fleet/process'
import { digestOfContact, type UnreadMessage } from '@courier-fleet/store'
import type { Courier, Outcome } from '../../courier.ts'
import type { DeliveryReports, IndexedId } from '../delivery-reports.ts'
import type { SharedPacer } from '../pace/pacer.ts'
import type { Budgets } from '../rules/budgets.ts'
import { keepByte, meaningOf } from './outcome-meaning.ts'
import type { Note, ReceiptWriter } from './receipt-writer.ts'
import { changesMessage, type Recipient } from './recipients.ts'

export interface OutcomesDeps {
  readonly courier: Pick<Courier, 'channel' | 'foldsResends' | 'givesReports' | 'tellsRead'>
  readonly directory: Pick<Directory, 'markContact'>
  readonly pacer: Pick<SharedPacer, 'pause'>
  readonly reports: Pick<DeliveryReports, 'index' | 'noteUnread'>
  readonly writer: Pick<ReceiptWriter, 'retryUntilGone'>
  readonly budgets: Pick<Budgets, 'keep'>
  readonly clock: Clock
}

/** What was tried at this moment, and each one's answer. */
export interface Attempt {
  readonly batch: readonly Recipient[]
  readonly outcomes: readonly Outcome[]
  /** by the clock of the send job */
  readonly triedAt: number
}

/** Says what the outcomes mean. A pause is called, and contacts are marked, by then. @returns who must wait */
export async function applyOutcomes(
  { batch, outcomes, triedAt }: Attempt,
  deps: OutcomesDeps,
  say: (note: Note) => void,
): Promise<Recipient[]> {
  const { courier, pacer, writer, clock } = deps
  const waiting: Recipient[] = []
  const marks: Promise<void>[] = []
  const pauses = new Map<string | undefined, number>()
  // before anything says that they have nothing: of that it would be given back
  await deps.budgets.keep(batch.filter((_recipient, index) => isPartlyTaken(outcomes[index])))
  const nowMs = clock.now()
  for (let index = 0; index < batch.length; index += 1) {
    const recipient = batch[index] as Recipient
    const outcome = outcomes[index] ?? { kind: 'unknown', why: 'the courier gave no outcome' }
    const { byte: meant, reason, evidence, retryAfterMs, cause } = meaningOf(outcome, courier.foldsResends)
    const { buffer, ordinal } = recipient
    // an earlier try may have been accepted: that this one was not does not say that they have nothing
    const kept = meant === receiptBytes.pending && recipient.mayHaveIt ? keepByte : meant
    const byte = kept === receiptBytes.sent && recipient.correction?.mayLeaveOne ? receiptBytes.unknown : kept
    if (outcome.kind === 'sent' || outcome.kind === 'unknown') recipient.mayHaveIt = true
    const why = byte === receiptBytes.sent ? recipient.correction?.reason : reason
    const cost = isPartlyTaken(outcome) ? undefined : recipient.cost
    if (byte !== keepByte) say({ buffer, ordinal, byte, reason: why, evidence, cost })
    if (retryAfterMs !== undefined) {
      recipient.receipt = byte === keepByte ? 'attempting' : 'pending'
      if (isTry(outcome)) recipient.tries += 1
      recipient.cause = cause
      recipient.notBefore = nowMs + retryAfterMs
      waiting.push(recipient)
    }
    if (outcome.kind === 'throttled' && outcome.scope === 'account')
      pauses.set(outcome.account, Math.max(pauses.get(outcome.account) ?? 0, outcome.retryAfterMs))
    if (outcome.kind === 'rejected') marks.push(markContact(recipient, outcome, triedAt, deps))
  }
  await Promise.all([...pauses].map(([account, ms]) => writer.retryUntilGone(() => pacer.pause(ms, account))))
  await Promise.all(marks)
  return waiting
}

/** Of a text in several parts: what the provider has of it is paid for. */
const isPartlyTaken = (outcome: Outcome | undefined): boolean =>
  outcome !== undefined && 'isPartlyTaken' in outcome && outcome.isPartlyTaken === true

const isTry = (outcome: Outcome) => (outcome.kind === 'not-taken' ? outcome.wasAsked : outcome.kind !== 'not-sent')

/** A refusal of the message says nothing of the contact; any other holds for it until the person is heard again. */
async function markContact(
  { person, address, buffer }: Recipient,
  { class: state, detail: reason }: Extract<Outcome, { kind: 'rejected' }>,
  triedAt: number,
  { courier, directory, writer, clock }: OutcomesDeps,
): Promise<void> {
  if (state === 'refused' || buffer.message.urls) return
  const refusal = { state, reason, agoMs: () => clock.now() - triedAt }
  await writer.retryUntilGone(() => directory.markContact(courier.channel, person, address, refusal))
}

/** Where no reports come, an answer may still come that nobody waited for. */
function reportIdOf(outcome: Outcome | undefined, givesReports: boolean): string | undefined {
  if (outcome?.kind === 'sent') return givesReports ? (outcome.reportId ?? outcome.providerId) : undefined
  if (outcome?.kind !== 'unknown') return undefined
  return givesReports || outcome.retryAfterMs !== undefined ? outcome.providerId : undefined
}

/** Notes whom the provider's ids stand for: before or after the answer is written, what a report says stands. */
export async function indexIds(
  { batch, outcomes }: Attempt,
  { courier, reports, writer }: OutcomesDeps,
): Promise<void> {
  const { tellsRead, givesReports = false } = courier
  const ids: IndexedId[] = []
  const unread: UnreadMessage[] = []
  for (let index = 0; index < batch.length; index += 1) {
    const { buffer, ordinal, address, correction, tried } = batch[index] as Recipient
    // what was edited or deleted keeps its id, and is reported as what it was
    if (changesMessage(correction)) continue
    const outcome = outcomes[index]
    const reportId = reportIdOf(outcome, givesReports)
    const unreadId = tellsRead && outcome?.kind === 'sent' ? (outcome.reportId ?? outcome.providerId) : undefined
    // of nearly everyone of a large message neither
    if (reportId === undefined && unreadId === undefined) continue
    const { ref, leg } = buffer.claim
    const noted =
      tried === undefined ? { ref, leg, ordinal } : { ref, leg, ordinal, contact: digestOfContact(ref, address) }
    if (reportId !== undefined) ids.push({ providerId: reportId, ...noted })
    if (unreadId !== undefined) unread.push({ address, providerId: unreadId, ...noted })
  }
  if (ids.length > 0) await writer.retryUntilGone(() => reports.index(ids))
  if (unread.length > 0) await writer.retryUntilGone(() => reports.noteUnread(unread))
}
