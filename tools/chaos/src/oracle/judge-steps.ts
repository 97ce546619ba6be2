/** Who was spared a step, and who was sent it: nobody is whose receipt, or confirmation, was recorded before they were marked. */
import type { ShapedPerson } from '../shaped-messages.ts'
import { type Add, markToTakenMs, type Seen, type ShapedReceipt, shownTo } from './shaped-views.ts'
import { saysReached } from './states.ts'

/** @returns how many people were spared */
export function judgeSteps(seen: Seen, add: Add): number {
  const { message, receipts } = seen
  if (!message.steps) return 0
  let spared = 0
  for (const [ordinal, person] of message.people.entries()) {
    const receipt = receipts[ordinal]
    if (receipt && judgeStep(seen, person, receipt, add)) spared += 1
  }
  return spared
}

/** Since when somebody is reached, as the second step understands it: a receipt has the time of its state, which may have come after an earlier one that sufficed. */
function reachedMsOf({ message }: Seen, { channels, confirmed }: ShapedReceipt): number | undefined {
  const [first] = message.channels
  const receipt = first && channels[first]
  const byReceipt = message.steps?.unless === 'sent' && receipt && saysReached(receipt.state) ? receipt.at : undefined
  const times = [byReceipt, confirmed?.at].flatMap((at) => (at === undefined ? [] : [Date.parse(at)]))
  return times.length > 0 ? Math.min(...times) : undefined
}

/** @returns whether they were spared */
function judgeStep(seen: Seen, person: ShapedPerson, receipt: ShapedReceipt, add: Add): boolean {
  const { message } = seen
  const [first, second] = message.channels as [(typeof message.channels)[number], (typeof message.channels)[number]]
  const { state, reason } = receipt.channels[second] ?? {}
  const where = { channel: second, person: person.id }
  const reachedMs = reachedMsOf(seen, receipt)
  const isSpared = state === 'cancelled' && reason === 'reached-elsewhere'
  if (isSpared && reachedMs === undefined) add('lost', 'spared this step, and nobody had reached them', where)
  const [sent] = shownTo(seen, second, person.id)
  if (!sent || reachedMs === undefined) return isSpared
  const [before] = shownTo(seen, first, person.id)
  const dueMs = before ? before.at + (message.steps?.afterMs ?? 0) - seen.clocksApartMs : Number.POSITIVE_INFINITY
  // nobody is marked before the step is due
  if (before && reachedMs < dueMs && sent.at >= reachedMs + seen.clocksApartMs)
    add('told-falsely', `was sent this step though they were reached ${dueMs - reachedMs} ms before it was due`, where)
  else if (reachedMs < sent.at - markToTakenMs - seen.clocksApartMs)
    add(
      'told-falsely',
      `was sent this step ${sent.at - reachedMs} ms after it was recorded that they were reached`,
      where,
    )
  return isSpared
}
