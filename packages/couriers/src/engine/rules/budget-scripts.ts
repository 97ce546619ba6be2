/** The scripts of budgets: each in the slot of its budget, which is another than that of the message. */
import { defineScript, flagReply, listReply, numberReply, type Redis } from '@courier-fleet/store'

const reserveScript = defineScript('reserve-budget', {
  keys: ['budget'],
  args: ['limit', 'keptS'],
  reply: listReply(flagReply),
})
const settleScript = defineScript('settle-budget', { keys: ['budget'], args: [], reply: numberReply })

/** An attempt at somebody, as a budget knows it: see nameOf(). */
export interface Reservation {
  /** key of the budget */
  readonly budget: string
  readonly name: string
  readonly cost: number
  /** delivery count of the claim */
  readonly deliveries: number
}

/** As it stands in the budget. */
export const standsAs = ({ cost, deliveries }: Reservation): string => `${cost} ${deliveries}`

/** people a call: Redis does nothing else meanwhile */
const maxPeople = 500

/** In order. @returns of each whether it is reserved */
export async function reserveBudget(
  redis: Redis,
  { budget, limit, keptS }: { readonly budget: string; readonly limit: number; readonly keptS: number },
  wanted: readonly Reservation[],
): Promise<boolean[]> {
  const answers: boolean[] = []
  for (let at = 0; at < wanted.length; at += maxPeople) {
    const more = wanted.slice(at, at + maxPeople).flatMap(({ name, cost, deliveries }) => [name, cost, deliveries])
    answers.push(...(await reserveScript(redis, { budget }, { limit, keptS }, more)))
  }
  return answers
}

export interface Ending {
  readonly name: string
  /** as standsAs() has it */
  readonly stands: string
  /** it certainly came to nothing */
  readonly isGivenBack: boolean
}

/** @returns how many were ended */
export async function settleBudget(redis: Redis, budget: string, endings: readonly Ending[]): Promise<number> {
  let ended = 0
  for (let at = 0; at < endings.length; at += maxPeople) {
    const some = endings.slice(at, at + maxPeople)
    const more = some.flatMap(({ name, stands, isGivenBack }) => [name, stands, isGivenBack ? 1 : 0])
    ended += await settleScript(redis, { budget }, {}, more)
  }
  return ended
}
