/** Person by person: what the receipts say beside what the providers accepted. */
import type { Channel, Expectations, Message } from '../expectations.ts'
import type { Violation } from '../report.ts'
import { failedLater } from './receipts.ts'
import { codeOf, type State, saysReached, stateOf } from './states.ts'
import { nameOf, type Watched } from './watched.ts'

const sentCode = codeOf('sent')
const deliveredCode = codeOf('delivered')

export function judgeReceipts({ message, rows, receipts }: Watched, expectations: Expectations): Violation[] {
  const violations: Violation[] = []
  const { audience } = message
  for (const channel of message.channels) {
    const told = receipts[channel]
    if (!told) continue // not a line of the ledger: the message as a whole is judged for that
    const accepted = rows[channel]
    for (let ordinal = 0; ordinal < audience.length; ordinal += 1) {
      const code = told[ordinal] as number
      const count = accepted?.[ordinal] ?? 0
      if (count === 1 && (code === sentCode || code === deliveredCode)) continue
      const person = audience[ordinal] as number
      const add = (kind: Violation['kind'], what: string) =>
        violations.push({ kind, message: nameOf(message), channel, person: expectations.population.idOf(person), what })
      if (count > 1) add('duplicated', `the provider accepted it ${count} times`)
      if (code === failedLater) {
        if (count === 0) add('told-falsely', 'told as refused after it had been sent; the provider never accepted it')
        continue
      }
      const wrong = wrongOf(stateOf(code), count > 0, channel, person, message, expectations)
      if (wrong) add(...wrong)
    }
  }
  return violations
}

/** By what the SMS centre has taken, whatever the receipts say. */
export function judgeCeiling({ message, rows }: Watched): Violation[] {
  const { ceiling } = message
  const taken = rows.sms?.reduce((sum, count) => sum + count, 0) ?? 0
  if (ceiling === undefined || taken <= ceiling) return []
  const what = `may come to ${ceiling} SMS, and the provider accepted ${taken}`
  return [{ kind: 'told-falsely', message: nameOf(message), channel: 'sms', what }]
}

/** Rows of a message that must not have reached anybody. */
export function judgeForbidden({ message, rows }: Watched, expectations: Expectations, why: string): Violation[] {
  const violations: Violation[] = []
  for (const [channel, accepted] of Object.entries(rows)) {
    for (const [ordinal, count] of accepted.entries()) {
      const person = expectations.population.idOf(message.audience[ordinal] as number)
      const about = { message: nameOf(message), channel, person }
      if (count > 0) violations.push({ kind: 'told-falsely', ...about, what: `${why}, yet the provider accepted it` })
    }
  }
  return violations
}

/** Where resends are folded, the one after it tells: only a message that has ended is not sent again. */
const wrongWithUnknown = (channel: Channel, hasEnded: boolean): Wrong | undefined =>
  channel === 'sms' || hasEnded ? undefined : ['told-falsely', 'told as unknown, and could be sent again']

type Wrong = readonly [kind: 'lost' | 'told-falsely', what: string]

function wrongOf(
  state: State,
  accepted: boolean,
  channel: Channel,
  person: number,
  { cancellation, mayExpire, ceiling }: Message,
  { population }: Expectations,
): Wrong | undefined {
  const hasContact = population.contactOf(channel, person) !== undefined
  if (state === 'pending') return ['lost', 'settled, and the receipt still says pending']
  if (saysReached(state)) {
    return accepted ? undefined : ['told-falsely', `told as ${state}; the provider never accepted it`]
  }
  if (state === 'unknown') {
    if (!hasContact) return ['told-falsely', 'told as unknown, without a contact']
    return wrongWithUnknown(channel, mayExpire || cancellation !== undefined)
  }
  if (accepted) return ['told-falsely', `told as ${state}; the provider accepted it`]
  switch (state) {
    case 'failed':
      if (!hasContact) return ['told-falsely', 'told as failed, without a contact']
      // whoever expires while it is tried again is told of as the last try was
      if (population.isReachable(channel, person) && !(channel === 'http' && mayExpire))
        return ['lost', 'told as failed; the phone is in order and got nothing']
      return undefined
    case 'no-contact':
      return hasContact ? ['told-falsely', 'told as no-contact, with one'] : undefined
    case 'cancelled':
      return cancellation === undefined ? ['told-falsely', 'told as cancelled; nobody cancelled it'] : undefined
    case 'expired':
      return mayExpire ? undefined : ['told-falsely', 'told as expired; it had a day']
    case 'suppressed':
      if (channel === 'sms' && ceiling !== undefined) return undefined
      return ['told-falsely', 'told as suppressed; nobody has opted out']
  }
}
