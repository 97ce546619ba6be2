/** Something that takes its time: one at once, whether it runs, and how it failed. */
import { type ReadonlySignal, useSignal } from '@preact/signals'

export interface Async<A extends unknown[]> {
  readonly running: ReadonlySignal<boolean>
  readonly error: ReadonlySignal<unknown>
  /** Nothing happens while it still runs: a double click is one click. */
  run(...args: A): Promise<void>
}

export function useAsync<A extends unknown[]>(action: (...args: A) => Promise<unknown>): Async<A> {
  const running = useSignal(false)
  const error = useSignal<unknown>(undefined)
  return {
    running,
    error,
    async run(...args) {
      if (running.value) return
      running.value = true
      error.value = undefined
      try {
        await action(...args)
      } catch (cause) {
        error.value = cause
      }
      running.value = false
    },
  }
}
