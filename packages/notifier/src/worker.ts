/** Works at one subscription while it has the lease: a few resources at a time, each of them one at a time. */
import type { Subscription, Subscriptions } from '@courier-fleet/subscriptions'
import type { Deliver } from './deliver.ts'
import type { createRestart } from './restart.ts'
import type { Taken, Work } from './work.ts'

/** Resources at a time; of an endpoint that fails one, so that it is not overrun when it is back. */
const concurrency = 4
/** What has no mark in the step that changes it is compared so often. */
const compareMs = 10_000
const afterErrorMs = 5_000
const compared: readonly Subscription['resource'][] = ['group', 'cohort', 'ownership', 'channel', 'type']

interface WorkerDeps {
  readonly work: Work
  readonly subscriptions: Pick<Subscriptions, 'get'>
  readonly restart: ReturnType<typeof createRestart>
  readonly deliver: Deliver
  /** what went wrong; it is tried again with the next look */
  readonly failed: (error: unknown) => void
}

export interface Worker {
  /** Has it look what there is to do: at once, or after what it is at. */
  look(): void
  /** Resolves when nothing is in its hands any more. */
  stop(): Promise<void>
}

export function createWorker(id: string, { work, subscriptions, restart, deliver, failed }: WorkerDeps): Worker {
  const busy = new Map<string, Promise<void>>()
  let looking: Promise<void> | undefined
  let again = false
  let timer: NodeJS.Timeout | undefined
  let stopped = false
  let comparedAt = Number.NEGATIVE_INFINITY
  let comparing: Promise<void> | undefined

  function compare(subscription: Subscription): void {
    const isTime = compared.includes(subscription.resource) && performance.now() - comparedAt > compareMs
    if (comparing || !isTime) return
    comparing = restart
      .compare(subscription)
      .catch(failed)
      .finally(() => {
        comparedAt = performance.now()
        comparing = undefined
      })
  }

  async function handle(subscription: Subscription, taken: Taken, nowMs: number): Promise<void> {
    const { resource } = taken
    try {
      await deliver(subscription, taken, nowMs)
      busy.delete(resource)
      look()
    } catch (error) {
      failed(error)
      // behind the others, which may fare better
      await work.keep(id, resource, { dueInMs: afterErrorMs }).catch(failed)
      busy.delete(resource)
    }
  }

  async function round(): Promise<void> {
    const subscription = await subscriptions.get(id)
    if (!subscription) return
    const max = (subscription.failing ? 1 : concurrency) - busy.size
    if (max <= 0) return
    const found = await work.take(id, max, [...busy.keys()])
    if (!found || stopped) return
    const { replayMs } = subscription
    if (replayMs !== undefined) {
      // of what is in our hands we would write over what comes of it
      if (busy.size > 0) return
      await restart.replay(subscription, replayMs)
      again = true
      return
    }
    compare(subscription)
    for (const taken of found.taken) {
      busy.set(taken.resource, handle(subscription, taken, found.nowMs))
    }
    clearTimeout(timer)
    if (found.nextMs !== undefined) timer = setTimeout(look, Math.min(found.nextMs - found.nowMs, 60_000))
  }

  function look(): void {
    again = looking !== undefined
    if (looking || stopped) return
    looking = round()
      .catch(failed)
      .finally(() => {
        looking = undefined
        if (again) look()
      })
  }

  return {
    look,
    async stop() {
      stopped = true
      clearTimeout(timer)
      await Promise.all([looking, comparing, ...busy.values()])
      await work.release(id)
    },
  }
}
