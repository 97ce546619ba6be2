/**
 * Who has confirmed a message, the newest text of it: whoever was told so is in the history, nobody else is, and the counts are those of its people. Whoever has
 * answered an older text, too, may have been told of that one.
 */
import type { ShapedPerson } from '../shaped-messages.ts'
import { bareText } from './judge-shaped.ts'
import type { Add, Seen } from './shaped-views.ts'

/** @returns how many have confirmed it */
export function judgeConfirmed({ message, view, receipts }: Seen, add: Add): number {
  if (!message.asksToConfirm) return 0
  const confirmed = receipts.filter((receipt) => receipt.confirmed)
  const ids = new Set(confirmed.map(({ person }) => person))
  const newest = view.versions?.[1] ? message.correction : undefined
  const answersOf = (person: string) => message.answers.get(person) ?? []
  const isOfNewest = (person: ShapedPerson) =>
    !newest || answersOf(person.id).every(({ text }) => bareText(text) === newest.textFor(person))
  for (const person of message.people)
    if (message.notedOf.has(person.id) && !ids.has(person.id) && isOfNewest(person))
      add('lost', 'was told that their confirmation is noted, and the history has none', { person: person.id })
  for (const person of ids) {
    const answers = answersOf(person)
    if (answers.length === 0) add('told-falsely', 'has confirmed it, it says, and never answered', { person })
    else if (newest && answers.every(({ atMs }) => atMs < newest.askedMs))
      add('told-falsely', 'has confirmed the new text, it says, and has answered the older one alone', { person })
  }
  const { yes, no, of } = view.confirmed ?? { yes: 0, no: 0, of: 0 }
  if (yes !== ids.size || of !== message.people.length || yes + no !== of)
    add(
      'imbalance',
      `counts ${yes} who have confirmed it and ${no} who have not, of ${of}; by its receipts ${ids.size} have`,
    )
  return ids.size
}
