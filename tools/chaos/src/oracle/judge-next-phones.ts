/** Those with two phones: which one had it, beside what their receipts say of each. */
import type { Expectations, Message, NextPhone } from '../expectations.ts'
import type { Verdict, Violation } from '../report.ts'
import { saysReached, stateOf } from './states.ts'
import { nameOf, type Watched } from './watched.ts'

type Wrong = readonly [kind: 'lost' | 'told-falsely', what: string]

/** Whether both had it is seen by how often the provider accepted it. */
export function judgeNextPhones(entry: Watched, { population }: Expectations): Violation[] {
  const { message, receipts } = entry
  if (!receipts.sms) return []
  return [...message.audience].flatMap((person, ordinal): Violation[] => {
    const first = population.contactOf('sms', person)
    const next = population.nextPhoneOf(person)
    const wrong =
      first !== undefined && next
        ? wrongOf(entry, ordinal, { first, next, isFirstReachable: population.isReachable('sms', person) })
        : ofOnePhone(entry, ordinal)
    if (!wrong) return []
    const [kind, what] = wrong
    return [{ kind, message: nameOf(message), channel: 'sms', person: population.idOf(person), what }]
  })
}

export function countNextPhones(all: readonly Watched[]): Verdict['nextPhones'] {
  const wentOn = all.flatMap(({ severalPhones }) => [...severalPhones.values()].filter(({ earlier }) => earlier))
  return { wentOn: wentOn.length, reached: wentOn.filter(({ state }) => saysReached(state)).length }
}

interface Phones {
  readonly first: string
  readonly next: NextPhone
  readonly isFirstReachable: boolean
}

function wrongOf(entry: Watched, ordinal: number, { first, next, isFirstReachable }: Phones): Wrong | undefined {
  const { earlier = [], contact } = entry.severalPhones.get(ordinal) ?? {}
  const hadNext = entry.toNextPhone.has(ordinal)
  const state = stateOf(entry.receipts.sms?.[ordinal] as number)
  if (isFirstReachable && (hadNext || earlier.length > 0))
    return ['told-falsely', 'went on to the next phone, and the first is in order']
  const before = earlier.map((each) => `${each.contact} ${each.state}`).join(', ')
  if (before !== '' && before !== `${endOf(first)} failed`)
    return ['told-falsely', `went on to the next phone after ${before}, and the first ends with ${endOf(first)}`]
  // a phone that has refused an earlier message is passed over
  const about = hadNext || before !== '' ? next.address : first
  if (saysReached(state) && contact !== endOf(about))
    return ['told-falsely', `told as ${state} by a phone that ends with ${contact}; it was ${about}`]
  if (state === 'failed' && next.isReachable && !(hasEnded(entry.message) && before === ''))
    return ['lost', 'told as failed; the next phone is in order and got nothing']
  return undefined
}

/** Then nobody's next phone is tried. */
const hasEnded = ({ mayExpire, cancellation }: Message) => mayExpire || cancellation !== undefined

const ofOnePhone = ({ severalPhones }: Watched, ordinal: number): Wrong | undefined =>
  severalPhones.has(ordinal) ? ['told-falsely', 'told of one of several phones; they have one'] : undefined

/** as receipts say which phone they are about */
const endOf = (address: string) => address.slice(-2)
