/** The time, as an argument: tests bring their own. */
export interface Clock {
  /** Unix ms */
  now(): number
}

export const systemClock: Clock = { now: () => Date.now() }

/** Waits, or stops waiting at once when the signal is aborted (without throwing). */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted || ms <= 0) return resolve()
    const finish = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', finish)
      resolve()
    }
    const timer = setTimeout(finish, ms)
    signal?.addEventListener('abort', finish, { once: true })
  })
}
