/** One resource of one subscription that was taken: looked at, and what is new of it sent. Each step is one that a successor can go on from. */
import type { Figures, Redis, Sending, Told } from '@courier-fleet/store'
import { noteDelivery, type Subscription, type Subscriptions } from '@courier-fleet/subscriptions'
import { type Call, maxTries, type Tried } from './call.ts'
import type { EndSubscription } from './end-subscription.ts'
import type { Endpoints } from './endpoints.ts'
import { isPurged } from './is-purged.ts'
import type { Look } from './look.ts'
import type { Taken, Work } from './work.ts'

interface DeliverDeps {
  readonly redis: Redis
  readonly work: Pick<Work, 'keep'>
  readonly subscriptions: Pick<Subscriptions, 'setFailing'>
  readonly look: Look
  readonly call: Call
  readonly endpoints: Endpoints
  readonly figures: Pick<Figures, 'count'>
  readonly nowMs: () => number
  readonly end: EndSubscription
  /** from the first failure to the last try */
  readonly endsAfterMs: number
}

/** @param isProbe its endpoint was left alone, and this is to find out whether it is well again */
export type Deliver = (subscription: Subscription, taken: Taken, nowMs: number, isProbe: boolean) => Promise<void>

export function createDeliver(deps: DeliverDeps): Deliver {
  const { redis, work, subscriptions, look, call, endpoints, figures, end, endsAfterMs } = deps
  /** Who was told that there is none may only have lost the right to read it: the sequence stays, for when they have it again. */
  async function toldAfter({ resource }: Subscription, taken: Taken, sending: Sending): Promise<Told | null> {
    const { sequence, createdMs: atMs, after: view } = sending
    if (view === null && (await isPurged(redis, resource, taken.resource))) return null
    return { sequence, atMs, view, ...(taken.told?.whole && !sending.whole ? { whole: true } : {}) }
  }

  async function arrived(subscription: Subscription, taken: Taken, sending: Sending): Promise<void> {
    const told = await toldAfter(subscription, taken, sending)
    await work.keep(subscription.id, taken.resource, { dueInMs: told?.whole ? 0 : 'done', told, sending: null })
    if (subscription.failing) await subscriptions.setFailing(subscription.id, undefined)
  }

  async function failed(subscription: Subscription, resource: string, sending: Sending, tried: Tried): Promise<void> {
    const { id, failing } = subscription
    const tries = sending.tries + 1
    const nowMs = deps.nowMs()
    const sinceMs = failing?.sinceMs ?? nowMs
    // one that is left alone tries few of what waits for it, and each of those not often enough to come to its last try
    const isLast = tried.gone || tries >= maxTries || nowMs - sinceMs >= endsAfterMs
    const next: Sending = { ...sending, tries: isLast ? 0 : tries }
    if (!(await work.keep(id, resource, { dueInMs: isLast ? 0 : tried.nextMs, sending: next }))) return
    const why = tried.why ?? ''
    if (isLast) await end(subscription, tried.gone ? 'gone' : 'failing', why)
    await subscriptions.setFailing(id, { sinceMs, nextMs: nowMs + tried.nextMs, why })
  }

  async function send(subscription: Subscription, taken: Taken, sending: Sending, isProbe: boolean): Promise<void> {
    const at = new Date(deps.nowMs()).toISOString()
    const answered = await call(subscription, sending)
    if (answered === 'stopped') return isProbe ? endpoints.giveBack(subscription) : undefined
    const leftAloneMs = await endpoints.tell(subscription, answered.told, isProbe)
    const tried = { ...answered, nextMs: Math.max(answered.nextMs, leftAloneMs) }
    const { delivered, status, why, ms, nextMs } = tried
    figures.count('subscription_deliveries', [delivered ? 'delivered' : 'failed'])
    if (delivered) await arrived(subscription, taken, sending)
    else await failed(subscription, taken.resource, sending, tried)
    await noteDelivery(redis, subscription.id, {
      id: sending.id,
      at,
      resource_id: taken.resource,
      sequence: sending.sequence,
      attempt: sending.tries + 1,
      delivered,
      ...(status === undefined ? {} : { status }),
      ...(why === undefined ? {} : { why }),
      ms,
      ...(delivered ? {} : { next: new Date(deps.nowMs() + nextMs).toISOString() }),
      body: sending.body,
    })
  }

  return async (subscription, taken, nowMs, isProbe) => {
    const sending = await look(subscription, taken, nowMs)
    if (sending) await send(subscription, taken, sending, isProbe)
    else if (isProbe) await endpoints.giveBack(subscription)
  }
}
