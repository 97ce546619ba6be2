/** Works at one subscription while it has the lease: a few resources at a time, each of them one at a time. */
import type { Subscription, Subscriptions } from '@courier-fleet/subscriptions'
import { createComparison } from './comparison.ts'
import type { Deliver } from './deliver.ts'
import type { TellEnd } from './end-subscription.ts'
import type { Endpoints } from './endpoints.ts'
import { again, once } from './once.ts'
import type { createRestart } from './restart.ts'
import { afterErrorMs, type Taken, type Work } from './work.ts'

/** Resources at a time; of an endpoint that fails one, so that it is not overrun when it is back. */
const concurrency = 4

interface WorkerDeps {
  readonly work: Work
  readonly subscriptions: Pick<Subscriptions, 'get'>
  readonly restart: ReturnType<typeof createRestart>
  readonly deliver: Deliver
  readonly endpoints: Pick<Endpoints, 'ask'>
  readonly tellEnd: TellEnd
  /** what went wrong; it is tried again with the next look */
  readonly failed: (error: unknown) => void
}

export interface Worker {
  /** Has it look what there is to do: at once, or after what it is at. */
  look(): void
  /** Keeps the lease while something is in its hands. */
  renew(): void
  inFlight(): number
  /** Resolves when nothing is in its hands any more. */
  stop(): Promise<void>
}

export function createWorker(id: string, deps: WorkerDeps): Worker {
  const { work, subscriptions, restart, deliver, endpoints, tellEnd, failed } = deps
  const busy = new Map<string, Promise<void>>()
  let timer: NodeJS.Timeout | undefined
  let stopped = false
  const comparison = createComparison(restart.compare, failed)
  const renewing = once(() => work.take(id, 0, [...busy.keys()]), failed)
  /** its endpoint is left alone for so long */
  let restUntil = Number.NEGATIVE_INFINITY

  async function handle(subscription: Subscription, taken: Taken, nowMs: number, isProbe: boolean): Promise<void> {
    const { resource } = taken
    try {
      await deliver(subscription, taken, nowMs, isProbe)
      busy.delete(resource)
      look()
    } catch (error) {
      failed(error)
      // behind the others, which may fare better
      await work.keep(id, resource, { dueInMs: afterErrorMs }).catch(failed)
      busy.delete(resource)
    }
  }

  const lookIn = (ms: number) => {
    clearTimeout(timer)
    // a timer may be a millisecond early
    timer = setTimeout(look, Math.min(ms, 60_000) + 1)
  }

  async function round(): Promise<void> {
    const subscription = await subscriptions.get(id)
    if (!subscription) return
    if (subscription.disabled) return tellEnd(subscription)
    const { replayMs, failing } = subscription
    // whoever asks for a replay says that it works again
    if (failing && replayMs === undefined && performance.now() < restUntil) return
    const max = (failing ? 1 : concurrency) - busy.size
    if (max <= 0) return
    const found = await work.take(id, max, [...busy.keys()])
    if (!found || stopped) return
    if (replayMs !== undefined) {
      // of what is in our hands we would write over what comes of it
      if (busy.size > 0) return
      await restart.replay(subscription, replayMs)
      look()
      return
    }
    comparison.run(subscription)
    const leave = found.taken.length > 0 ? await endpoints.ask(subscription) : ({ kind: 'go' } as const)
    if (stopped) return
    if (leave.kind === 'wait') {
      // what was taken stays due
      restUntil = performance.now() + leave.ms
      lookIn(leave.ms)
      return
    }
    for (const taken of found.taken) {
      busy.set(taken.resource, handle(subscription, taken, found.nowMs, leave.kind === 'probe'))
    }
    if (found.nextMs !== undefined) lookIn(found.nextMs - found.nowMs)
  }

  const looking = again(round, failed)
  const look = () => {
    if (!stopped) looking.run()
  }

  return {
    look,
    renew() {
      if (!stopped && (busy.size > 0 || looking.isRunning())) renewing.run()
    },
    inFlight: () => busy.size,
    async stop() {
      stopped = true
      clearTimeout(timer)
      await Promise.all([looking.done(), renewing.done(), comparison.done(), ...busy.values()])
      await work.release(id)
    },
  }
}
