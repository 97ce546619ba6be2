/** Who has confirmed a message: whoever was told so is in the history, nobody else is, and the counts are those of its people. */
import type { Add, Seen } from './shaped-views.ts'

/** @returns how many have confirmed it */
export function judgeConfirmed({ message, view, receipts }: Seen, add: Add): number {
  if (!message.asksToConfirm) return 0
  const confirmed = receipts.filter((receipt) => receipt.confirmed)
  const ids = new Set(confirmed.map(({ person }) => person))
  for (const person of message.notedOf)
    if (!ids.has(person)) add('lost', 'was told that their confirmation is noted, and the history has none', { person })
  for (const person of ids)
    if (!message.answeredBy.has(person))
      add('told-falsely', 'has confirmed it, it says, and never answered', { person })
  const { yes, no, of } = view.confirmed ?? { yes: 0, no: 0, of: 0 }
  if (yes !== ids.size || of !== message.people.length || yes + no !== of)
    add(
      'imbalance',
      `counts ${yes} who have confirmed it and ${no} who have not, of ${of}; by its receipts ${ids.size} have`,
    )
  return ids.size
}
