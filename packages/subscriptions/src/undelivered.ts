/** How subscribers fare, for whoever watches the fleet. */
import { keys, type Redis, redisNow } from '@courier-fleet/store'
import type { Subscription } from './subscription.ts'
import type { Subscriptions } from './subscriptions.ts'

export const subscriptionStates = ['active', 'failing', 'disabled'] as const
export type SubscriptionState = (typeof subscriptionStates)[number]

export const stateOf = ({ disabled, failing }: Pick<Subscription, 'disabled' | 'failing'>): SubscriptionState =>
  disabled ? 'disabled' : failing ? 'failing' : 'active'

export interface Undelivered {
  readonly states: Readonly<Record<SubscriptionState, number>>
  /** how long the oldest change has waited of which a subscriber knows nothing yet, ms; 0 when there is none */
  readonly oldestMs: number
}

/** What is due and nobody has taken is undelivered since it was due; what fails since it first failed. */
export async function readUndelivered(redis: Redis, list: Subscriptions['list']): Promise<Undelivered> {
  const [nowMs, due, all] = await Promise.all([
    redisNow(redis, keys.subscriptionsDue),
    redis.zrange(keys.subscriptionsDue, '(0', '+inf', 'BYSCORE', 'LIMIT', 0, 1, 'WITHSCORES'),
    list(),
  ])
  const counts = { active: 0, failing: 0, disabled: 0 }
  for (const each of all) counts[stateOf(each)] += 1
  const failing = all.flatMap((each) => (stateOf(each) === 'failing' && each.failing ? [each.failing.sinceMs] : []))
  const sinceMs = Math.min(nowMs, Number(due[1] ?? nowMs), ...failing)
  return { states: counts, oldestMs: nowMs - sinceMs }
}
