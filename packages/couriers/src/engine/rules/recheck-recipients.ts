/**
 * Of a send job: the addresses that its messages want asked right before they are sent, after all else is decided and before anybody is
 * counted. An answer is good for five seconds: whoever is not marked by then is asked about anew. Of a message that wants none nothing
 * is asked, and nobody waits.
 */
import { historyKeyOf, type Reason, type Recheck, receiptBytes, recheckPageSize } from '@courier-fleet/api-types'
import { type Clock, grouped } from '@courier-fleet/process'
import { mark } from '../jobs/mark.ts'
import { openReceipt } from '../jobs/open-receipt.ts'
import { askByte } from '../jobs/outcome-meaning.ts'
import type { ReceiptWriter } from '../jobs/receipt-writer.ts'
import { type Held, hasCome, type Recipient } from '../jobs/recipients.ts'
import type { Message } from '../texts/messages.ts'
import type { HeldAnswer, Rechecks } from './rechecks.ts'

export interface RecheckDeps {
  readonly rechecks: Pick<Rechecks, 'answer'>
  readonly writer: ReceiptWriter
  readonly clock: Clock
  readonly handBack: AbortSignal
}

/** Who of them may be sent to, and who waits. Who is refused is settled in their buffers. */
export interface Rechecked {
  readonly allowed: readonly Recipient[]
  readonly held: readonly Held[]
}

/** An address that is still being asked is looked at again so soon. */
const stillAskedMs = 1_000
const [firstBackOffMs, longestBackOffMs] = [10_000, 600_000]

/** There was no answer yet, or it holds no more. Whoever was marked before was allowed then. */
const isToBeAsked = ({ buffer, receipt, recheckedUntilMs }: Recipient, nowMs: number) =>
  buffer.message.recheck !== undefined && receipt === 'pending' && hasCome(recheckedUntilMs, nowMs)

export async function recheckRecipients(people: readonly Recipient[], deps: RecheckDeps): Promise<Rechecked> {
  const nowMs = deps.clock.now()
  const asked = new Set(people.filter((each) => isToBeAsked(each, nowMs)))
  if (asked.size === 0) return { allowed: people, held: [] }
  const wanted = await stillWanted([...asked], deps.writer)
  const verdicts = await judgeAll(wanted, deps)
  const of = (kind: Verdict['kind']) => wanted.filter((recipient) => verdicts.get(recipient)?.kind === kind)
  // one that was cancelled meanwhile is that, whatever the address says
  for (const recipient of await stillWanted(of('refuse'), deps.writer)) refuse(recipient, verdicts.get(recipient))
  return {
    allowed: people.filter((each) => !asked.has(each) || verdicts.get(each)?.kind === 'allow'),
    held: [...verdicts].flatMap(([recipient, verdict]) => (verdict.kind === 'hold' ? [{ recipient, ...verdict }] : [])),
  }
}

type Verdict =
  | { readonly kind: 'allow' }
  | { readonly kind: 'refuse'; readonly reason: Reason }
  | ({ readonly kind: 'hold' } & Omit<Held, 'recipient'>)

/** Who is cancelled or has expired is settled. @returns the others, of claims that are not lost */
async function stillWanted(people: readonly Recipient[], writer: ReceiptWriter): Promise<Recipient[]> {
  const standing = people.length > 0 ? await mark(people, askByte, writer) : []
  return people.filter((_recipient, index) => openReceipt(standing[index]) !== undefined)
}

async function judgeAll(people: readonly Recipient[], deps: RecheckDeps): Promise<Map<Recipient, Verdict>> {
  const verdicts = new Map<Recipient, Verdict>()
  const messages = grouped(people, ({ buffer }) => historyKeyOf(buffer.claim.ref))
  const pages = [...messages.values()].flatMap((own) => [...grouped(own, pageOf)])
  await Promise.all(
    pages.map(async ([page, own]) => {
      const [{ buffer }] = own as [Recipient]
      const { recheck, width } = buffer.message as Message & { recheck: Recheck }
      const question = { ref: buffer.claim.ref, recheck, page, width }
      const found = await deps.writer.retryUntilGone(() => deps.rechecks.answer(question, deps.handBack))
      for (const recipient of own) verdicts.set(recipient, judge(recipient, found, deps))
    }),
  )
  return verdicts
}

function judge(recipient: Recipient, found: HeldAnswer | undefined, { clock, handBack }: RecheckDeps): Verdict {
  const nowMs = clock.now()
  if (!found && handBack.aborted) return { kind: 'hold', cause: 'handed-back', untilMs: nowMs }
  if (!found) return { kind: 'hold', cause: 'recheck', untilMs: nowMs + stillAskedMs }
  const { claim, message } = recipient.buffer
  const said = saidOf(recipient, found)
  const { onSilence } = message.recheck as Recheck
  if (said === 'ok' || (said === 'silent' && onSilence === 'send')) {
    recipient.recheckedUntilMs = found.untilMs
    return { kind: 'allow' }
  }
  if (said === 'error') return { kind: 'refuse', reason: 'recheck-said-no' }
  if (onSilence === 'drop') return { kind: 'refuse', reason: 'recheck-dropped' }
  const before = claim.cause === 'recheck' ? claim.tries : 0
  const untilMs = nowMs + Math.min(firstBackOffMs * 2 ** before, longestBackOffMs)
  return { kind: 'hold', cause: 'recheck', untilMs, failed: before + 1 }
}

function saidOf({ ordinal }: Recipient, { answer }: HeldAnswer): 'ok' | 'error' | 'silent' {
  if (answer.kind !== 'some') return answer.kind
  return answer.places.has(ordinal % recheckPageSize) ? 'ok' : 'error'
}

/** of the audience; 0 where one answer is for everyone */
const pageOf = ({ buffer: { message }, ordinal }: Recipient): number =>
  message.recheck?.per === 'recipient' ? Math.floor(ordinal / recheckPageSize) : 0

function refuse({ buffer, ordinal }: Recipient, verdict: Verdict | undefined): void {
  if (verdict?.kind === 'refuse') buffer.set({ ordinal, byte: receiptBytes.suppressed, reason: verdict.reason })
}
