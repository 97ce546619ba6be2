/** A message in the fleet's own words: to people it concerns, of the type that no rule holds back. */
import { type HistoryRef, type MessageClass, serviceType } from '@courier-fleet/api-types'
import type { PutInput } from './histories.ts'

interface OwnWords {
  /** of the sender `system`; the same for what is said once */
  readonly ref: HistoryRef
  /** as PutInput has it, of what is said once */
  readonly laidBy?: number
  readonly text: string
  /** ids, sorted */
  readonly people: readonly string[]
  readonly class: MessageClass
  /** Unix ms */
  readonly expiresMs: number
  /** only these; every channel when absent */
  readonly channels?: readonly string[]
}

/** As put() takes it, due at once. */
export function fleetMessage({ ref, people, ...said }: OwnWords): PutInput {
  const to = people.map((id) => `user:${id}`)
  const rules = { type: serviceType }
  return { ref, issued: false, digest: ref.id, source: 'api', to, audience: people, rules, dueMs: 0, ...said }
}
