/** Messages in steps, to be confirmed, corrected, withdrawn, merged and personal ones, and the people who answer them, beside the other traffic. */
import type { Random } from '../random.ts'
import { createClient } from './client.ts'
import { createShapedActions, putShapedTypes, type ShapedActionsDeps } from './shaped-actions.ts'
import { groupOf, shapedPhones, shapedRoster } from './shaped-people.ts'
import { planShapedRound } from './shaped-plan.ts'

export interface ShapedTraffic {
  /** CSV for `POST /v1/imports` */
  readonly roster: string
  /** Before the first round, when the roster is imported. */
  prepare(): Promise<void>
  /** Resolves when everything of the round was asked; its people go on answering. @param isLast waits for no step */
  round(index: number, random: Random, isLast: boolean): Promise<void>
  /** Resolves when nobody is about to answer any more. */
  finish(): Promise<void>
}

export interface ShapedTrafficDeps extends Omit<ShapedActionsDeps, 'client'> {
  readonly apiUrl: string
  readonly apiKey: string
}

export function createShapedTraffic(deps: ShapedTrafficDeps): ShapedTraffic {
  const client = createClient(deps)
  const { people } = deps.shaped
  const { askAgain, perform, finish } = createShapedActions({ ...deps, client })
  return {
    roster: shapedRoster(people),
    async prepare() {
      await deps.sandbox.phones(shapedPhones(people))
      await putShapedTypes(client)
    },
    async round(index, random, isLast) {
      await Promise.all([askAgain(), ...planShapedRound(groupOf(people, index), random, isLast).map(perform)])
    },
    finish,
  }
}
