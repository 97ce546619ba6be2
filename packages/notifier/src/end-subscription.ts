/**
 * Ends a subscription, and tells its owner over the fleet's own channels: once, however many notifiers see it, for the message has an id made of
 * the subscription and of when it was disabled. A crash leaves
 *
 *   disabled, no message yet    a subscription that is due at once: whoever looks next tells
 *   a message, not noted yet    whoever looks next puts the same message again, which changes nothing, and notes it
 */
import { hash } from 'node:crypto'
import { type DisabledReason, systemSender } from '@courier-fleet/api-types'
import type { Directory } from '@courier-fleet/directory'
import type { Log } from '@courier-fleet/process'
import { fleetMessage, type Histories } from '@courier-fleet/store'
import type { Subscription, Subscriptions } from '@courier-fleet/subscriptions'
import { ownerText } from './texts.ts'

/** What is not told by then stands with the subscription. */
const lifeMs = 86_400_000

interface EndDeps {
  readonly subscriptions: Pick<Subscriptions, 'disable' | 'get' | 'told'>
  readonly directory: Pick<Directory, 'findPerson'>
  readonly histories: Pick<Histories, 'place' | 'put'>
  readonly nowMs: () => number
  readonly log: Log
}

export type EndSubscription = (subscription: Subscription, reason: DisabledReason, why: string) => Promise<void>
/** Does nothing where its owner has been told. */
export type TellEnd = (subscription: Subscription) => Promise<void>

const idOf = (subscription: string, sinceMs: number) =>
  hash('sha256', `${subscription} ${sinceMs}`, 'base64url').slice(0, 22)

export function createTellEnd({ subscriptions, directory, histories, nowMs }: Omit<EndDeps, 'log'>): TellEnd {
  return async (subscription) => {
    const { id, disabled } = subscription
    if (!disabled || disabled.isTold) return
    const { sinceMs, reason, why } = disabled
    const expiresMs = sinceMs + lifeMs
    const owner = await directory.findPerson(subscription.owner)
    if (owner && nowMs() < expiresMs) {
      const placed = await histories.place(systemSender, idOf(id, sinceMs))
      const text = ownerText(owner.language.startsWith('ru') ? 'ru' : 'en', subscription, reason, why)
      await histories.put(fleetMessage({ ...placed, text, people: [owner.id], class: 'normal', expiresMs }))
    }
    await subscriptions.told(id, sinceMs)
  }
}

export function createEndSubscription(deps: EndDeps): EndSubscription {
  const { subscriptions, log } = deps
  const tell = createTellEnd(deps)
  return async ({ id }, reason, why) => {
    if (await subscriptions.disable(id, reason, why))
      log.warn({ subscription: id, reason, why }, 'a subscription is disabled')
    const ended = await subscriptions.get(id)
    if (ended) await tell(ended)
  }
}
