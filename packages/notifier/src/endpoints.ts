/**
 * The breakers of subscribers' endpoints: one that is dead is called seldom, however much of what it follows has changed. What they know is
 * written by failures, and asked for while a subscription fails: who takes what comes costs nothing more.
 */

import type { Redis } from '@courier-fleet/store'
import type { Subscription } from '@courier-fleet/subscriptions'
import { breakerTiming, createBreakers, endpointOf, type Leave, leftAloneMs, type Told } from '@courier-fleet/webhooks'

export interface Endpoints {
  /** Right before it is called: how long it is left alone; a probe where this call is to find out about it. */
  ask(subscription: Subscription): Promise<Exclude<Leave, { kind: 'off' }>>
  /** What was to be a probe has become no call. */
  giveBack(subscription: Subscription): Promise<void>
  /** @param told absent: nothing is known of it @returns for how long nobody calls it from now on, ms */
  tell(
    subscription: Subscription,
    told: Pick<Told, 'answer' | 'said' | 'pauseMs'> | undefined,
    isProbe: boolean,
  ): Promise<number>
}

/** Those of one owner at one URL fail together. Messages to the same URL are told apart, for those are ended for themselves. */
const nameOf = ({ owner, url }: Pick<Subscription, 'owner' | 'url'>) => endpointOf(`subscriber:${owner}`, url)

export function createEndpoints(redis: Redis, scale: number): Endpoints {
  // a subscription is ended by what became of it
  const breakers = createBreakers(redis, { ...breakerTiming(scale), offAfterMs: Number.MAX_SAFE_INTEGER })
  return {
    async ask(subscription) {
      if (!subscription.failing) return { kind: 'go' }
      const leave = await breakers.ask(nameOf(subscription))
      return leave.kind === 'off' ? { kind: 'go' } : leave
    },

    giveBack: (subscription) => breakers.giveBack(nameOf(subscription)),

    async tell(subscription, told, isProbe) {
      if (!told && isProbe) await breakers.giveBack(nameOf(subscription))
      if (!told || (told.answer === 'ok' && !subscription.failing)) return 0
      const endpoint = nameOf(subscription)
      const state = await breakers.tell(endpoint, { ...told, isProbe })
      return state === 'open' ? leftAloneMs(redis, endpoint) : 0
    },
  }
}
