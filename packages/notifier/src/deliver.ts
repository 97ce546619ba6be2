/** One resource of one subscription that was taken: looked at, and what is new of it sent. Each step is one that a successor can go on from. */

import type { Redis } from '@courier-fleet/store'
import { noteDelivery, type Subscription, type Subscriptions } from '@courier-fleet/subscriptions'
import { type Call, maxTries, type Tried } from './call.ts'
import type { EndSubscription } from './end-subscription.ts'
import type { Look } from './look.ts'
import type { Sending, Taken, Told, Work } from './work.ts'

interface DeliverDeps {
  readonly redis: Redis
  readonly work: Pick<Work, 'keep'>
  readonly subscriptions: Pick<Subscriptions, 'setFailing'>
  readonly look: Look
  readonly call: Call
  readonly nowMs: () => number
  readonly end: EndSubscription
}

export type Deliver = (subscription: Subscription, taken: Taken, nowMs: number) => Promise<void>

export function createDeliver(deps: DeliverDeps): Deliver {
  const { redis, work, subscriptions, look, call, end } = deps
  /** Who is told that there is none of a history is told no more of it: no key is given twice. */
  const toldAfter = (subscription: Subscription, before: Told | undefined, sending: Sending): Told | null => {
    const { sequence, createdMs: atMs, after: view } = sending
    if (subscription.resource === 'history' && view === null) return null
    return { sequence, atMs, view, ...(before?.whole && !sending.whole ? { whole: true } : {}) }
  }

  async function arrived(subscription: Subscription, taken: Taken, sending: Sending): Promise<void> {
    const told = toldAfter(subscription, taken.told, sending)
    await work.keep(subscription.id, taken.resource, { dueInMs: told?.whole ? 0 : 'done', told, sending: null })
    if (subscription.failing) await subscriptions.setFailing(subscription.id, undefined)
  }

  async function failed(subscription: Subscription, resource: string, sending: Sending, tried: Tried): Promise<void> {
    const { id, failing } = subscription
    const tries = sending.tries + 1
    const isLast = tried.gone || tries >= maxTries
    const next: Sending = { ...sending, tries: isLast ? 0 : tries }
    if (!(await work.keep(id, resource, { dueInMs: isLast ? 0 : tried.nextMs, sending: next }))) return
    const why = tried.why ?? ''
    if (isLast) await end(subscription, tried.gone ? 'gone' : 'failing', why)
    const nowMs = deps.nowMs()
    await subscriptions.setFailing(id, { sinceMs: failing?.sinceMs ?? nowMs, nextMs: nowMs + tried.nextMs, why })
  }

  async function send(subscription: Subscription, taken: Taken, sending: Sending): Promise<void> {
    const at = new Date(deps.nowMs()).toISOString()
    const tried = await call(subscription, sending)
    if (tried === 'stopped') return
    const { delivered, status, why, ms, nextMs } = tried
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

  return async (subscription, taken, nowMs) => {
    const sending = taken.sending ?? (await look(subscription, taken, nowMs))
    if (sending) await send(subscription, taken, sending)
  }
}
