/** Ends a subscription, and tells its owner over the fleet's own channels. Of two notifiers that end it one tells. */
import { type DisabledReason, systemSender } from '@courier-fleet/api-types'
import type { Directory } from '@courier-fleet/directory'
import type { Log } from '@courier-fleet/process'
import { fleetMessage, type Histories, newHistoryRef } from '@courier-fleet/store'
import type { Subscription, Subscriptions } from '@courier-fleet/subscriptions'
import { ownerText } from './texts.ts'

/** What is not told by then stands with the subscription. */
const lifeMs = 86_400_000

interface EndDeps {
  readonly shards: number
  readonly subscriptions: Pick<Subscriptions, 'disable'>
  readonly directory: Pick<Directory, 'findPerson'>
  readonly histories: Pick<Histories, 'put'>
  readonly nowMs: () => number
  readonly log: Log
}

export type EndSubscription = (subscription: Subscription, reason: DisabledReason, why: string) => Promise<void>

export function createEndSubscription(deps: EndDeps): EndSubscription {
  const { shards, subscriptions, directory, histories, nowMs, log } = deps
  return async (subscription, reason, why) => {
    if (!(await subscriptions.disable(subscription.id, reason, why))) return
    log.warn({ subscription: subscription.id, reason, why }, 'a subscription is disabled')
    const owner = await directory.findPerson(subscription.owner)
    if (!owner) return
    const ref = newHistoryRef(systemSender, shards)
    const text = ownerText(owner.language.startsWith('ru') ? 'ru' : 'en', subscription, reason, why)
    const expiresMs = nowMs() + lifeMs
    await histories.put(fleetMessage({ ref, text, people: [owner.id], class: 'normal', expiresMs }))
  }
}
