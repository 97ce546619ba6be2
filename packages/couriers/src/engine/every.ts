import { alignedInterval } from '@courier-fleet/process'

/** Repeats `action` until it is stopped, never two at once, whatever it throws. @returns stops it */
export function every(ms: number, action: () => Promise<void>, onError: (error: unknown) => void): () => void {
  let isRunning = false
  return alignedInterval(ms, () => {
    if (isRunning) return
    isRunning = true
    action()
      .catch(onError)
      .finally(() => {
        isRunning = false
      })
  })
}
