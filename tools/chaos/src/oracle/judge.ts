/** Everything that is known of one message, judged. */
import type { Expectations } from '../expectations.ts'
import type { Violation } from '../report.ts'
import { judgeNextPhones } from './judge-next-phones.ts'
import { judgeCeiling, judgeForbidden, judgeReceipts } from './judge-receipts.ts'
import { nameOf, type Watched } from './watched.ts'

export function judge(entry: Watched, expectations: Expectations): Violation[] {
  const { message, view, earliest } = entry
  const name = nameOf(message)
  const violations = message.contradictions.map((what): Violation => ({ kind: 'told-falsely', message: name, what }))
  switch (message.standing) {
    case 'accepted':
      violations.push(
        ...judgeReceipts(entry, expectations),
        ...judgeNextPhones(entry, expectations),
        ...judgePunctuality(entry, expectations),
        ...judgeCeiling(entry),
      )
      if (view?.state === 'cancelled' || message.cancellation === 'cancelled')
        violations.push(...judgeForbidden(entry, expectations, 'cancelled, so that nobody gets it'))
      break
    case 'refused':
      violations.push(...judgeForbidden(entry, expectations, 'refused'))
      break
    default:
      if (earliest)
        violations.push({ kind: 'lost', message: name, what: 'was sent, and no history of the sender tells of it' })
  }
  return violations
}

function judgePunctuality({ message, earliest }: Watched, expectations: Expectations): Violation[] {
  if (!earliest || earliest.atMs >= message.notBeforeMs - expectations.clocksApartMs) return []
  const { channel, person, atMs } = earliest
  const what = `the provider had it ${message.notBeforeMs - atMs} ms before it was due`
  return [
    { kind: 'told-falsely', message: nameOf(message), channel, person: expectations.population.idOf(person), what },
  ]
}
