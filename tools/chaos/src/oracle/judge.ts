/** Everything that is known of one message, judged. */
import type { Book } from '../book.ts'
import type { Violation } from '../report.ts'
import { judgeForbidden, judgeReceipts } from './judge-receipts.ts'
import { nameOf, type Watched } from './watched.ts'

export function judge(entry: Watched, book: Book): Violation[] {
  const { message, view, earliest } = entry
  const name = nameOf(message)
  const violations = message.contradictions.map((what): Violation => ({ kind: 'told-falsely', message: name, what }))
  switch (message.standing) {
    case 'accepted':
      violations.push(...judgeReceipts(entry, book), ...judgePunctuality(entry, book))
      if (view?.state === 'cancelled') violations.push(...judgeForbidden(entry, book, 'cancelled before it started'))
      break
    case 'refused':
      violations.push(...judgeForbidden(entry, book, 'refused'))
      break
    default:
      if (earliest)
        violations.push({ kind: 'lost', message: name, what: 'was sent, and no history of the sender tells of it' })
  }
  return violations
}

function judgePunctuality({ message, earliest }: Watched, book: Book): Violation[] {
  if (!earliest || earliest.atMs >= message.notBeforeMs) return []
  const { channel, person, atMs } = earliest
  const what = `the provider had it ${message.notBeforeMs - atMs} ms before it was due`
  return [{ kind: 'told-falsely', message: nameOf(message), channel, person: book.population.idOf(person), what }]
}
