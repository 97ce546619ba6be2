/** Tells whoever has subscribed what has changed: reads marks, and works at every subscription that no other notifier works at. */
import type { Directory } from '@courier-fleet/directory'
import { type Clock, createThrottledLog, type Log } from '@courier-fleet/process'
import { type Histories, hints, type LiveSettings, type Redis, type Subscriber } from '@courier-fleet/store'
import { createSubscriptions, createViews, type Subscriptions } from '@courier-fleet/subscriptions'
import type { GuardedClient, SealingKey } from '@courier-fleet/webhooks'
import { createCall } from './call.ts'
import { createDeliver } from './deliver.ts'
import { createEndSubscription } from './end-subscription.ts'
import { createExisting } from './existing.ts'
import { createLook } from './look.ts'
import { createMarks } from './marks.ts'
import { createRestart } from './restart.ts'
import { createWork } from './work.ts'
import { createWorker, type Worker } from './worker.ts'

/** What no hint told of is found after so long; a lease is renewed as often. */
const pollMs = 1_000
const mendMs = 60_000

export interface NotifierDeps {
  readonly redis: Redis
  readonly subscriber: Subscriber
  readonly shards: number
  /** a name that no other process has, or has ever had */
  readonly name: string
  readonly directory: Directory
  readonly apiKeys: Parameters<typeof createViews>[0]['apiKeys']
  readonly histories: Pick<Histories, 'put' | 'snapshot' | 'view'>
  readonly settings: Pick<LiveSettings, 'current' | 'look'>
  readonly client: Pick<GuardedClient, 'post'>
  readonly sealing: SealingKey | undefined
  /** HTTP_RETRY_SCALE */
  readonly retryScale: number
  readonly clock: Clock
  readonly log: Log
}

export interface Notifier {
  start(): Promise<void>
  /** What is on its way is given up, and sent again by whoever takes over. */
  stop(): Promise<void>
}

export function createNotifier(deps: NotifierDeps): Notifier {
  const { redis, shards, subscriber, clock, log } = deps
  const stopping = new AbortController()
  const logThrottled = createThrottledLog((fields, text) => log.error(fields, text))
  const subscriptions = createSubscriptions({ redis, shards, clock })
  const work = createWork(redis, deps.name)
  const marks = createMarks({ redis, shards, subscriber, work, log })
  const startWorker = workersOf(deps, { subscriptions, work, stopping: stopping.signal, logThrottled })
  const workers = new Map<string, Worker>()
  const timers: NodeJS.Timeout[] = []
  let listing: Promise<void> | undefined

  function workerOf(id: string): Worker {
    const worker = workers.get(id) ?? startWorker(id)
    workers.set(id, worker)
    return worker
  }

  async function lookAtAll(): Promise<void> {
    const known = await subscriptions.list()
    if (stopping.signal.aborted) return
    for (const { id } of known) workerOf(id).look()
    const ids = new Set(known.map(({ id }) => id))
    for (const [id, worker] of workers) {
      if (ids.has(id)) continue
      workers.delete(id)
      void worker.stop().catch(failed)
    }
  }

  const failed = (error: unknown) => logThrottled({ err: error }, 'cannot look what subscribers are to be told')
  const poll = () => {
    listing ??= lookAtAll()
      .catch(failed)
      .finally(() => {
        listing = undefined
      })
  }
  const mend = () => void subscriptions.mendWatches().catch(failed)
  const onMessage = (channel: string, id: string) => {
    if (channel === hints.subscription && !stopping.signal.aborted) workerOf(id).look()
  }

  return {
    async start() {
      subscriber.on('message', onMessage)
      subscriber.on('ready', poll)
      await subscriber.subscribe(hints.subscription)
      await subscriptions.mendWatches()
      timers.push(setInterval(poll, pollMs), setInterval(mend, mendMs))
      poll()
      await marks.start()
    },

    async stop() {
      stopping.abort()
      subscriber.off('message', onMessage)
      subscriber.off('ready', poll)
      for (const timer of timers) clearInterval(timer)
      await marks.stop()
      await listing
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
  const look = createLook({ ...deps, work, views, end })
  const deliver = createDeliver({ ...deps, work, subscriptions, look, call, nowMs, end })
  return (id: string): Worker =>
    createWorker(id, {
      work,
      subscriptions,
      restart,
      deliver,
      failed: (error) => logThrottled({ err: error, subscription: id }, 'a subscription is looked at again'),
    })
}
