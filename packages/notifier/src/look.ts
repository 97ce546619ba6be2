/** Looks at a resource that was taken: what is new of it becomes a body, which is kept before it is sent. */
import { parseHistoryKey } from '@courier-fleet/api-types'
import { keys, type LiveSettings, type Redis } from '@courier-fleet/store'
import type { Subscription, Views } from '@courier-fleet/subscriptions'
import { bodyOf } from './bodies.ts'
import type { EndSubscription } from './end-subscription.ts'
import type { Sending, Taken, Work } from './work.ts'

export interface LookDeps {
  readonly redis: Redis
  readonly work: Pick<Work, 'keep'>
  readonly views: Views
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

export function createLook({ redis, work, views, settings, end, runningMs }: LookDeps): Look {
  /** when histories that run were last read, by subscription and key, Unix ms by Redis's clock */
  const reads = new Map<string, number>()

  /** How long this one waits, for it was told of a moment ago and has not come to another state. */
  async function pauseOf({ id, resource }: Subscription, taken: Taken, nowMs: number): Promise<number> {
    const view = taken.told?.view
    if (resource !== 'history' || !taken.told || view?.state !== 'running') return 0
    const readMs = reads.get(`${id} ${taken.resource}`) ?? 0
    const pauseMs = Math.max(readMs, taken.told.atMs) + runningMs - nowMs
    if (pauseMs <= 0) return 0
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

  return async (subscription, taken, nowMs) => {
    const { id, resource } = subscription
    const pauseMs = await pauseOf(subscription, taken, nowMs)
    if (pauseMs > 0) {
      await work.keep(id, taken.resource, { dueInMs: pauseMs })
      return undefined
    }
    const reader = await views.readerOf(subscription)
    if (!reader) {
      await end(subscription, 'owner', 'its owner or API key may have no subscriptions any more')
      return undefined
    }
    if (resource === 'history') noteRead(`${id} ${taken.resource}`, nowMs)
    if (resource === 'type') await settings.look()
    const after = await views.viewOf(reader, resource, taken.resource)
    const sending = bodyOf(subscription, taken.resource, taken.told, after, nowMs)
    if (sending) return (await work.keep(id, taken.resource, { sending })) ? sending : undefined
    await work.keep(id, taken.resource, { dueInMs: 'done' })
    return undefined
  }
}
