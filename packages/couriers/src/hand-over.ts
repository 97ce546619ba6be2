/** Hands a batch to the courier: an older text that somebody has is edited where that can be, everyone else is sent a message. */
import type { Courier, Outcome } from './courier.ts'
import type { Recipient } from './recipients.ts'

/** @returns one outcome each, in order */
export async function handOver(
  batch: readonly Recipient[],
  courier: Pick<Courier, 'send' | 'edit'>,
  signal: AbortSignal,
): Promise<Outcome[]> {
  const edited = await edit(batch, courier, signal)
  const rest = batch.filter((recipient) => !edited.has(recipient))
  if (rest.length === 0) return batch.map((recipient) => edited.get(recipient) as Outcome)
  const sent = await courier.send(rest, signal)
  const outcomes = new Map([...edited, ...rest.map((recipient, index) => [recipient, sent[index]] as const)])
  return batch.map((recipient) => outcomes.get(recipient) as Outcome)
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
    const isRefused = outcome.kind === 'rejected' && outcome.class === 'refused'
    if (!isRefused || correction.followUp === undefined) known.set(recipient, outcome)
    else follow(recipient, correction.followUp)
  }
  return known
}

/** From now on, at every try: whoever is sent a message of their own is not edited. */
function follow(recipient: Recipient, text: string): void {
  recipient.text = text
  recipient.correction = { reason: 'followed-up' }
}
