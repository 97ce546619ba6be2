/**
 * Looks at a resource that was taken: what is new of it becomes a body, which is kept before it is sent. What is on its way already stays as it
 * is, as long as its subscription's owner may read all of it.
 */
import { parseHistoryKey, type Role } from '@courier-fleet/api-types'
import { hasRole, type Reader } from '@courier-fleet/directory'
import { keys, type LiveSettings, type Redis, type Sending, toldWithout, type View } from '@courier-fleet/store'
import type { Subscription, Subscriptions, Views } from '@courier-fleet/subscriptions'
import { bodyOf } from './bodies.ts'
import type { EndSubscription } from './end-subscription.ts'
import { isPurged } from './is-purged.ts'
import type { Taken, Work } from './work.ts'

export interface LookDeps {
  readonly redis: Redis
  readonly work: Pick<Work, 'keep'>
  readonly views: Views
  readonly subscriptions: Pick<Subscriptions, 'setFailing'>
  readonly settings: Pick<LiveSettings, 'look'>
  readonly end: EndSubscription
  /** a history that runs is told of once in so long, but for the changes of its state */
  readonly runningMs: number
}

/** Whether a history runs, or is being stopped; undefined when neither. */
export async function progressOf(redis: Redis, history: string): Promise<'running' | 'stopping' | undefined> {
  const [state, cancelled] = await redis.hmget(keys.history(parseHistoryKey(history)), 'state', 'cancelled')
  return state !== 'running' ? undefined : cancelled ? 'stopping' : 'running'
}

/** @returns what is to be sent; undefined when that is nothing, or another notifier works at it by now */
export type Look = (subscription: Subscription, taken: Taken, nowMs: number) => Promise<Sending | undefined>

export function createLook({ redis, work, views, subscriptions, settings, end, runningMs }: LookDeps): Look {
  /** when histories that run were last read, by subscription and key, Unix ms by Redis's clock */
  const reads = new Map<string, number>()

  /** How long this one waits, for it was told of a moment ago and has not come to another state. */
  async function pauseOf({ id, resource }: Subscription, taken: Taken, nowMs: number): Promise<number> {
    const view = taken.told?.view
    if (resource !== 'history' || !taken.told || view?.state !== 'running') return 0
    const readMs = reads.get(`${id} ${taken.resource}`) ?? 0
    const pauseMs = Math.max(readMs, taken.told.atMs) + runningMs - nowMs
    // more is left than it is ever put off: Redis's clock was set back since
    if (pauseMs <= 0 || pauseMs > runningMs) return 0
    const now = await progressOf(redis, taken.resource)
    return now === (view.cancelledAt === undefined ? 'running' : 'stopping') ? pauseMs : 0
  }

  function noteRead(key: string, nowMs: number): void {
    for (const [old, atMs] of reads) {
      if (atMs + runningMs > nowMs) break
      reads.delete(old)
    }
    reads.delete(key)
    reads.set(key, nowMs)
  }

  async function viewOf(reader: Reader, { resource }: Subscription, id: string): Promise<View | undefined> {
    if (resource === 'type') await settings.look()
    return views.viewOf(reader, resource, id)
  }

  async function readerOf(subscription: Subscription): Promise<Reader | undefined> {
    const reader = await views.readerOf(subscription)
    if (!reader) await end(subscription, 'owner', 'its owner or API key may have no subscriptions any more')
    return reader
  }

  /**
   * It may have arrived, or not: what is told instead goes by what is known to have been told. Of what is only there they are told that it is
   * not, and no more: they may never have known it, and must not now. Nor may who has less of a role than it was read by: of a person, say,
   * addresses are for operators.
   */
  async function onItsWay(subscription: Subscription, { resource, told }: Taken, sending: Sending, nowMs: number) {
    const reader = await readerOf(subscription)
    if (!reader) return undefined
    const mayReadAsMuch = sending.role === undefined || hasRole(reader, sending.role)
    if (!sending.after || (mayReadAsMuch && (await viewOf(reader, subscription, resource)))) return sending
    const before = toldWithout(sending, told, nowMs)
    if (await work.keep(subscription.id, resource, { dueInMs: 0, told: before, sending: null }))
      // what has failed is not sent any more: it is no reason to give the subscription up at the next failure
      await subscriptions.setFailing(subscription.id, undefined)
    return undefined
  }

  return async (subscription, taken, nowMs) => {
    const { id, resource } = subscription
    if (taken.sending) return onItsWay(subscription, taken, taken.sending, nowMs)
    const pauseMs = await pauseOf(subscription, taken, nowMs)
    if (pauseMs > 0) {
      await work.keep(id, taken.resource, { dueInMs: pauseMs })
      return undefined
    }
    const reader = await readerOf(subscription)
    if (!reader) return undefined
    if (resource === 'history') noteRead(`${id} ${taken.resource}`, nowMs)
    const after = await viewOf(reader, subscription, taken.resource)
    const sending = bodyOf(subscription, taken, after, { role: reader.role as Role, nowMs })
    if (sending) return (await work.keep(id, taken.resource, { sending })) ? sending : undefined
    // of one that they might not read any more by the time it was purged
    const isOver = taken.told?.view === null && (await isPurged(redis, resource, taken.resource))
    await work.keep(id, taken.resource, { dueInMs: 'done', ...(isOver ? { told: null } : {}) })
    return undefined
  }
}
