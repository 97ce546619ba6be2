/** Subscriptions as routes answer them, and whose they are. */
import { Problem, type SubscriptionView } from '@courier-fleet/api-types'
import { hasRole } from '@courier-fleet/directory'
import { type Subscription, type Subscriptions, stateOf, validSecrets } from '@courier-fleet/subscriptions'
import type { Caller } from '../access/callers.ts'
import { unknown } from '../http/unknown.ts'

const iso = (ms: number) => new Date(ms).toISOString()

export function viewOf(subscription: Subscription, nowMs: number): SubscriptionView {
  const { id, owner, url, resource, resourceId, createdMs, failing, disabled } = subscription
  return {
    id,
    owner,
    url,
    resource,
    ...(resourceId === undefined ? {} : { resource_id: resourceId }),
    created: iso(createdMs),
    secrets: validSecrets(subscription, nowMs).length,
    state: stateOf(subscription),
    ...(failing && !disabled
      ? { failing: { since: iso(failing.sinceMs), next: iso(failing.nextMs), why: failing.why } }
      : {}),
    ...(disabled ? { disabled: { since: iso(disabled.sinceMs), reason: disabled.reason, why: disabled.why } } : {}),
  }
}

/**
 * One's own. Operators read and remove everybody's; its secret and what it is sent are its owner's alone. Whose another is is not told.
 * @throws Problem 404 `unknown-subscription`
 */
export async function subscriptionFor(
  subscriptions: Pick<Subscriptions, 'get'>,
  caller: Caller,
  id: string,
  purpose: 'oversee' | 'manage',
): Promise<Subscription> {
  const found = await subscriptions.get(id)
  if (found?.owner === caller.owner || (found && purpose === 'oversee' && hasRole(caller, 'operator'))) return found
  return unknown('subscription', id)
}

/** @throws Problem 403 `not-allowed` */
export function ownersMeant(caller: Caller, owner: string = caller.owner): string | undefined {
  if (owner !== caller.owner && !hasRole(caller, 'operator'))
    throw new Problem(403, 'not-allowed', 'subscriptions of others are for operators to see', 'owner')
  return owner === '*' ? undefined : owner
}
