/** What senders do while the fleet is in trouble: messages of every shape, sent as correct clients send them. */
import type { Expectations } from '../expectations.ts'
import type { Random } from '../random.ts'
import { createActions } from './actions.ts'
import { createClient } from './client.ts'
import { planRound } from './plan.ts'
import type { People, Phone } from './population.ts'

export { createPeople, type People, type PeopleOptions, type Phone } from './population.ts'

export interface Traffic {
  /** CSV for `POST /v1/imports` */
  readonly roster: string
  /** for `PUT /phones` of the sandbox */
  readonly phones: readonly Phone[]
  /**
   * Sends the messages of one round, spread over about two seconds. Resolves when every request was answered, or has been
   * repeated in vain for 6 to 11 s; messages that were not answered are asked once more in each later round. What happened
   * is in the expectations; it throws nothing.
   */
  round(index: number, random: Random): Promise<void>
}

/** The roster must have been imported and the phones set before the first round. @param deps.people those of the expectations */
export function createTraffic(deps: {
  apiUrl: string
  apiKey: string
  people: People
  expectations: Expectations
}): Traffic {
  const { apiUrl, apiKey, people, expectations } = deps
  const actions = createActions({ client: createClient({ apiUrl, apiKey }), expectations })
  return {
    roster: people.roster,
    phones: people.phones,
    async round(index, random) {
      await Promise.all([actions.askAgain(), ...planRound(index, random, people).map(actions.perform)])
    },
  }
}
