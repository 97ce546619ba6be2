/** Tells whoever has subscribed what has changed: reads marks, and works at every subscription that no other notifier works at. */
import { setMaxListeners } from 'node:events'
import type { SubscriptionResource } from '@courier-fleet/api-types'
import type { Directory } from '@courier-fleet/directory'
import { alignedInterval, type Clock, createThrottledLog, type Log } from '@courier-fleet/process'
import {
  type Figures,
  type Histories,
  hints,
  type LiveSettings,
  type Redis,
  type Subscriber,
  whenServed,
} from '@courier-fleet/store'
import { createSubscriptions, createViews, type Subscriptions } from '@courier-fleet/subscriptions'
import { type GuardedClient, type SealingKey, scheduleMs } from '@courier-fleet/webhooks'
import { createCall } from './call.ts'
import { compareMs, isCompared } from './comparison.ts'
import { createDeliver } from './deliver.ts'
import { createEndSubscription, createTellEnd } from './end-subscription.ts'
import { createEndpoints } from './endpoints.ts'
import { createExisting } from './existing.ts'
import { createLook } from './look.ts'
import { createMarks } from './marks.ts'
import { once } from './once.ts'
import { createRestart } from './restart.ts'
import { createWork } from './work.ts'
import { createWorker, type Worker } from './worker.ts'

/** What no hint told of is found after so long; the lease of what is in hand is renewed as often. */
const pollMs = 1_000
/** Marks that no hint told of, in each shard and bucket, are found after so long, where anybody has subscribed. */
const marksPollMs = 10_000
/** All are looked at: those of a fleet of an older version are not known to be due. */
const mendMs = 60_000
/** Nobody is given up sooner, whatever the schedule is scaled by. */
const shortestEndMs = 60_000

export interface NotifierDeps {
  readonly redis: Redis
  readonly subscriber: Subscriber
  readonly shards: number
  /** a name that no other process has, or has ever had */
  readonly name: string
  readonly directory: Directory
  readonly apiKeys: Parameters<typeof createViews>[0]['apiKeys']
  readonly histories: Pick<Histories, 'place' | 'put' | 'snapshot' | 'view'>
  readonly settings: Pick<LiveSettings, 'current' | 'look'>
  readonly client: Pick<GuardedClient, 'post'>
  readonly figures: Pick<Figures, 'count'>
  readonly sealing: SealingKey | undefined
  /** HTTP_RETRY_SCALE */
  readonly retryScale: number
  /** a history that runs is told of once in so long, but for the changes of its state */
  readonly runningMs: number
  readonly clock: Clock
  readonly log: Log
}

export interface Notifier {
  start(): Promise<void>
  /** changes on their way */
  inFlight(): number
  /** What is on its way is given up, and sent again by whoever takes over. */
  stop(): Promise<void>
}

export function createNotifier(deps: NotifierDeps): Notifier {
  const { redis, shards, subscriber, clock, log } = deps
  const stopping = new AbortController()
  setMaxListeners(0, stopping.signal) // every call in flight listens
  const logThrottled = createThrottledLog((fields, text) => log.error(fields, text))
  const subscriptions = createSubscriptions({ redis, shards, clock })
  const work = createWork(redis, deps.name, deps.runningMs)
  const startWorker = workersOf(deps, { subscriptions, work, stopping: stopping.signal, logThrottled })
  /** of each subscription one, whoever works at it */
  const workers = new Map<string, Worker>()
  const isFollowed = () => workers.size > 0
  const marks = createMarks({ redis, shards, subscriber, work, log, isFollowed, pollMs: marksPollMs })
  const stopTimers: (() => void)[] = []

  function workerOf(id: string): Worker {
    const worker = workers.get(id) ?? startWorker(id)
    workers.set(id, worker)
    return worker
  }

  async function lookAtDue(): Promise<void> {
    const due = await work.due()
    if (stopping.signal.aborted) return
    for (const id of due) workerOf(id).look()
    for (const worker of workers.values()) worker.renew()
  }

  /** And gives up the workers of those that are gone. */
  async function lookAtAll(which: (resource: SubscriptionResource) => boolean): Promise<void> {
    const kinds = await subscriptions.kinds()
    if (stopping.signal.aborted) return
    for (const [id, resource] of kinds) if (which(resource)) workerOf(id).look()
    for (const [id, worker] of workers) {
      if (kinds.has(id)) continue
      workers.delete(id)
      void worker.stop().catch(failed)
    }
  }

  const failed = (error: unknown) => logThrottled({ err: error }, 'cannot look what subscribers are to be told')
  const poll = once(lookAtDue, failed)
  const compare = once(() => lookAtAll(isCompared), failed)
  const mend = once(async () => {
    await subscriptions.mendWatches()
    await lookAtAll(() => true)
  }, failed)
  const onMessage = (channel: string, id: string) => {
    if (channel === hints.subscription && !stopping.signal.aborted) workerOf(id).look()
  }

  return {
    async start() {
      subscriber.on('message', onMessage)
      subscriber.on('ready', poll.run)
      await subscriber.subscribe(hints.subscription)
      await whenServed(redis, log, subscriptions.mendWatches)
      stopTimers.push(
        alignedInterval(pollMs, poll.run),
        alignedInterval(compareMs, compare.run),
        alignedInterval(mendMs, mend.run),
      )
      await whenServed(redis, log, () => lookAtAll(() => true))
      poll.run()
      await marks.start()
    },

    inFlight: () => [...workers.values()].reduce((sum, worker) => sum + worker.inFlight(), 0),

    async stop() {
      stopping.abort()
      subscriber.off('message', onMessage)
      subscriber.off('ready', poll.run)
      for (const stop of stopTimers) stop()
      await marks.stop()
      await Promise.all([poll.done(), compare.done(), mend.done()])
      await Promise.all([...workers.values()].map((worker) => worker.stop()))
    },
  }
}

interface WorkerParts {
  readonly subscriptions: Subscriptions
  readonly work: ReturnType<typeof createWork>
  readonly stopping: AbortSignal
  readonly logThrottled: (fields: object, text: string) => void
}

function workersOf(deps: NotifierDeps, { subscriptions, work, stopping, logThrottled }: WorkerParts) {
  const nowMs = () => deps.clock.now()
  const views = createViews(deps)
  const restart = createRestart({ work, subscriptions, views, existing: createExisting(deps) })
  const call = createCall({
    client: deps.client,
    sealing: deps.sealing,
    scale: deps.retryScale,
    stopping,
    nowMs,
  })
  const end = createEndSubscription({ ...deps, subscriptions, nowMs })
  const look = createLook({ ...deps, work, views, subscriptions, end })
  const endpoints = createEndpoints(deps.redis, deps.retryScale)
  const endsAfterMs = Math.max(scheduleMs(deps.retryScale), shortestEndMs)
  const deliver = createDeliver({ ...deps, work, subscriptions, look, call, endpoints, nowMs, end, endsAfterMs })
  const tellEnd = createTellEnd({ ...deps, subscriptions, nowMs })
  return (id: string): Worker =>
    createWorker(id, {
      work,
      subscriptions,
      restart,
      deliver,
      endpoints,
      tellEnd,
      failed: (error) => logThrottled({ err: error, subscription: id }, 'a subscription is looked at again'),
    })
}
