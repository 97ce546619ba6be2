import { setMaxListeners } from 'node:events'

/** An AbortSignal that is aborted after some time, or with its parent; its reason says which. Release it when done. */
export interface Limit {
  readonly signal: AbortSignal
  release(): void
}

export function limitOf(ms: number, why: string, parent?: AbortSignal): Limit {
  const controller = new AbortController()
  // as many listeners as there are submits waiting: no leak
  setMaxListeners(0, controller.signal)
  const stop = () => controller.abort(new Error('stopped'))
  const timer = setTimeout(() => controller.abort(new Error(why)), ms)
  parent?.addEventListener('abort', stop)
  if (parent?.aborted) stop()
  return {
    signal: controller.signal,
    release() {
      clearTimeout(timer)
      parent?.removeEventListener('abort', stop)
    },
  }
}

/** Why an aborted limit was reached, in words. */
export function whyOf(limit: AbortSignal): string {
  return limit.reason instanceof Error ? limit.reason.message : String(limit.reason)
}
