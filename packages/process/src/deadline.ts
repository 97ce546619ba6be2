/** A limit of time for work that waits for somebody else's answer. */
import { setMaxListeners } from 'node:events'
import { sleep } from './clock.ts'

export class NoAnswer extends Error {}

export interface Deadline {
  /** aborted when it passes, with a NoAnswer that says why */
  readonly signal: AbortSignal
  readonly leftMs: number
  /** The answer, when it comes in time. @throws NoAnswer when it does not */
  race<Answer>(answer: Promise<Answer>): Promise<Answer>
  /** Waits, at most until the deadline. @returns false when that came first */
  sleep(ms: number): Promise<boolean>
  /** Lets go of timer and signal; whoever still waits is told that there is no answer. */
  end(): void
}

/** Passes after so many ms for this reason, and at once when the outer signal is aborted. */
export function startDeadline(ms: number, outer?: AbortSignal, reason = `no answer within ${ms} ms`): Deadline {
  const endsAt = performance.now() + ms
  const controller = new AbortController()
  const { signal } = controller
  // as many listeners as there is work waiting: no leak
  setMaxListeners(0, signal)
  const passed = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
  // nobody may be waiting when it passes
  passed.catch(() => {})
  const timer = setTimeout(() => controller.abort(new NoAnswer(reason)), ms)
  const stop = () => controller.abort(new NoAnswer('told to stop before the answer came'))
  if (outer?.aborted) stop()
  outer?.addEventListener('abort', stop, { once: true })
  return {
    signal,
    get leftMs() {
      return Math.max(0, endsAt - performance.now())
    },
    race: (answer) => Promise.race([answer, passed]),
    async sleep(waitMs) {
      await sleep(waitMs, signal)
      return !signal.aborted
    },
    end() {
      clearTimeout(timer)
      outer?.removeEventListener('abort', stop)
      controller.abort(new NoAnswer('given up'))
    },
  }
}

/** Why a signal was aborted, in words. */
export function reasonOf({ reason }: AbortSignal): string {
  return reason instanceof Error ? reason.message : String(reason)
}
