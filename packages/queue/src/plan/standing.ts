/** How somebody can be reached whom nobody has tried to reach yet. */
import { unreachableReasons } from '@courier-fleet/api-types'
import type { Contact } from '@courier-fleet/directory'
import { decide, type Policy } from '@courier-fleet/rules'

export type Reason = (typeof unreachableReasons)[number]
/** of one person on one channel */
export type Standing = Reason | 'reachable'
export type Terms = Pick<Policy, 'switches' | 'needsAgreement'>

const firstTry = { foldsResends: true, maxWaitMs: 0, maxTries: 1 } satisfies Partial<Policy>

/** What the couriers would decide of somebody with this contact. */
export function standingOf(contact: Contact, terms: Terms): Standing {
  const decision = decide({ receipt: 'pending', contact }, { ...firstTry, ...terms }, 0)
  if (decision.kind !== 'settle') return 'reachable'
  return unreachableReasons.find((reason) => reason === decision.reason) ?? 'no-contact'
}
