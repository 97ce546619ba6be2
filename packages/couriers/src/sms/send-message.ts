/** Sends one message, segment by segment, and says what became of the whole. */
import { sleep } from '@courier-fleet/process'
import type { Item, Outcome, Pacer } from '../courier.ts'
import type { Answer, Submission, Transport } from './answer.ts'
import { maxSegments, segmentsOf } from './segments.ts'

export interface SendLimits {
  /** a message that could not begin by then is put off */
  readonly begin: AbortSignal
  /** a message that is not complete by then is unknown, or put off when that much is certain */
  readonly end: AbortSignal
}

/**
 * The first segment goes alone: if the provider will not take it, nothing of the message lies there. The middle ones go
 * together, in order. The last goes once all others are accepted, and it alone asks for a receipt: so one receipt, under the
 * one id the message is known by, speaks for the whole, and none can come for a message that is not complete.
 */
export async function sendMessage(
  item: Item,
  { transport, pacer, account }: { readonly transport: Transport; readonly pacer: Pacer; readonly account: string },
  limits: SendLimits,
): Promise<Outcome> {
  const segments = segmentsOf(item.text, item.key)
  if (segments.length > maxSegments)
    return {
      kind: 'rejected',
      class: 'refused',
      detail: `TOO_LONG: ${segments.length} SMS parts; a phone takes ${maxSegments}`,
    }
  try {
    await pacer.take(segments.length, item.class, limits.begin, account)
  } catch {
    return {
      kind: 'throttled',
      retryAfterMs: 100,
      scope: 'account',
      isOwn: true,
      reason: 'the rate allows no more for now',
    }
  }
  const submissions = segments.map((segment, index) => ({
    address: item.address,
    segment,
    key: item.key,
    wantsReceipt: index === segments.length - 1,
  }))
  const steps = [submissions.slice(0, 1), submissions.slice(1, -1), submissions.slice(1).slice(-1)]

  let last: Extract<Answer, { kind: 'accepted' }> = { kind: 'accepted', id: '' }
  for (const [index, step] of steps.entries()) {
    const submit = index === 0 ? transport.submit : submitUntilTaken
    const answers = await Promise.all(step.map((submission) => submit(submission, limits.end)))
    const trouble = worst(answers)
    if (trouble) return segments.length === 1 ? trouble : inOneOf(segments.length, trouble, index > 0)
    for (const answer of answers) if (answer.kind === 'accepted') last = answer
  }
  return { kind: 'sent', providerId: last.id, ...(last.reportId === undefined ? {} : { reportId: last.reportId }) }

  /** Earlier segments lie with the provider: this one is tried until it is taken. */
  async function submitUntilTaken(submission: Submission, limit: AbortSignal): Promise<Answer> {
    for (;;) {
      const answer = await transport.submit(submission, limit)
      if (answer.kind !== 'throttled' || limit.aborted) return answer
      await sleep(answer.retryAfterMs, limit)
    }
  }
}

type Trouble = Exclude<Answer, { kind: 'accepted' }>

/** One refused segment makes the message impossible; one unanswered makes it uncertain; one put off, incomplete. */
function worst(answers: readonly Answer[]): Trouble | undefined {
  const kinds = ['rejected', 'unknown', 'throttled', 'not-sent'] as const
  for (const kind of kinds) for (const answer of answers) if (answer.kind === kind) return answer as Trouble
  return undefined
}

function inOneOf(total: number, trouble: Trouble, isPartlyTaken: boolean): Outcome {
  const note = `, in one of ${total} parts`
  const taken = isPartlyTaken ? ({ isPartlyTaken } as const) : {}
  if (trouble.kind === 'unknown') return { ...trouble, why: trouble.why + note }
  if (trouble.kind === 'not-sent') return { ...trouble, ...taken, why: trouble.why + note }
  if (trouble.kind === 'throttled') return { ...trouble, ...taken, reason: trouble.reason + note }
  return { ...trouble, ...taken, detail: trouble.detail + note }
}
