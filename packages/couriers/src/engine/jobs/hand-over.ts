/** Hands a batch to the courier: what somebody has is deleted or edited where that can be, everyone else is sent a message. */
import type { Courier, Edit, Outcome } from '../../courier.ts'
import { changesMessage, type Recipient } from './recipients.ts'

/** @returns one outcome each, in order */
export async function handOver(
  batch: readonly Recipient[],
  courier: Pick<Courier, 'send' | 'edit' | 'recall'>,
  signal: AbortSignal,
): Promise<Outcome[]> {
  if (!batch.some(({ correction }) => changesMessage(correction))) return courier.send(batch, signal)
  const changed = new Map([...(await edit(batch, courier, signal)), ...(await recall(batch, courier, signal))])
  const rest = batch.filter((recipient) => !changed.has(recipient))
  const sent = rest.length > 0 ? await courier.send(rest, signal) : []
  for (const [index, recipient] of rest.entries()) changed.set(recipient, sent[index] as Outcome)
  return batch.map((recipient) => changed.get(recipient) as Outcome)
}

/** @returns of whoever is not to be sent a message of their own instead */
async function edit(
  batch: readonly Recipient[],
  courier: Pick<Courier, 'edit'>,
  signal: AbortSignal,
): Promise<Map<Recipient, Outcome>> {
  const known = new Map<Recipient, Outcome>()
  const edits = batch.flatMap((recipient) => {
    const { correction } = recipient
    return correction?.edits === undefined
      ? []
      : [{ ...recipient, providerId: correction.edits, recipient, correction }]
  })
  if (edits.length === 0 || !courier.edit) return known
  const outcomes = await courier.edit(edits, signal)
  for (const [index, { recipient, correction }] of edits.entries()) {
    const outcome = outcomes[index] as Outcome
    if (!isRefused(outcome) || correction.followUp === undefined) known.set(recipient, outcome)
    else follow(recipient, correction.followUp)
  }
  return known
}

/** From now on, at every try: whoever is sent a message of their own is not edited. */
function follow(recipient: Recipient, text: string): void {
  recipient.text = text
  recipient.correction = { reason: 'followed-up' }
}

const isRefused = (outcome: Outcome) => outcome.kind === 'rejected' && outcome.class === 'refused'

/** @returns of whoever has what is withdrawn: nobody of them is sent a message */
async function recall(
  batch: readonly Recipient[],
  courier: Pick<Courier, 'edit' | 'recall'>,
  signal: AbortSignal,
): Promise<Map<Recipient, Outcome>> {
  const known = new Map<Recipient, Outcome>()
  const whose = batch.filter(({ correction }) => correction?.recalls !== undefined)
  if (whose.length === 0 || !courier.recall) return known
  const outcomes = await courier.recall(whose.flatMap(messagesOf), signal)
  for (const [index, recipient] of whose.entries()) known.set(recipient, outcomes[index] as Outcome)
  const left = whose.filter((recipient) => isRefused(known.get(recipient) as Outcome))
  if (left.length === 0 || !courier.edit) return known
  for (const [recipient, outcome] of await replace(left, courier.edit, signal)) {
    known.set(recipient, outcome)
    recipient.correction = { ...recipient.correction, reason: outcome.kind === 'sent' ? 'replaced' : 'deleted' }
  }
  return known
}

const messagesOf = (recipient: Recipient): Edit[] => {
  const { recalls: providerId } = recipient.correction ?? {}
  return providerId === undefined ? [] : [{ ...recipient, providerId }]
}

/** What cannot be deleted any more says that it was withdrawn: each message, for an edit is of one. */
async function replace(
  left: readonly Recipient[],
  edit: NonNullable<Courier['edit']>,
  signal: AbortSignal,
): Promise<Map<Recipient, Outcome>> {
  const edits = left.flatMap((recipient) =>
    messagesOf(recipient).flatMap((message) =>
      message.providerId.split(',').map((providerId) => ({ ...message, providerId, recipient })),
    ),
  )
  const outcomes = await edit(edits, signal)
  const known = new Map<Recipient, Outcome>()
  for (const [index, { recipient }] of edits.entries()) {
    const before = known.get(recipient)
    if (before === undefined || before.kind === 'sent') known.set(recipient, outcomes[index] as Outcome)
  }
  return known
}
