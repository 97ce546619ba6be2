/** Of what has no mark in the step that changes it all that is followed is compared with what was told, every 10 seconds. */
import type { SubscriptionResource } from '@courier-fleet/api-types'
import type { Subscription } from '@courier-fleet/subscriptions'
import { once } from './once.ts'
import type { createRestart } from './restart.ts'

export const compareMs = 10_000
const compared: readonly SubscriptionResource[] = ['group', 'cohort', 'ownership', 'channel', 'type']

export const isCompared = (resource: SubscriptionResource): boolean => compared.includes(resource)

/** Of one subscription: with each look that comes a second or less before its time, or after it. */
export function createComparison(
  compare: ReturnType<typeof createRestart>['compare'],
  failed: (error: unknown) => void,
) {
  let comparedAt = Number.NEGATIVE_INFINITY
  let subscription: Subscription
  const comparing = once(async () => {
    await compare(subscription).catch(failed)
    comparedAt = performance.now()
  }, failed)
  return {
    run(latest: Subscription): void {
      subscription = latest
      if (isCompared(latest.resource) && performance.now() - comparedAt > compareMs - 1_000) comparing.run()
    },
    done: comparing.done,
  }
}
