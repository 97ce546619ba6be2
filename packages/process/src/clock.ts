/** The time, as an argument: tests bring their own. */
export interface Clock {
  /** Unix ms */
  now(): number
}

export const systemClock: Clock = { now: () => Date.now() }

/** For durations: ms since the process began. Nobody sets it, so that a wait is not an hour longer when the wall clock is. */
export const steadyClock: Clock = { now: () => performance.now() }

/** Waits, or stops waiting at once when one of the signals is aborted (without throwing). */
export function sleep(ms: number, ...signals: (AbortSignal | undefined)[]): Promise<void> {
  return new Promise((resolve) => {
    if (ms <= 0 || signals.some((signal) => signal?.aborted)) return resolve()
    const finish = () => {
      clearTimeout(timer)
      for (const signal of signals) signal?.removeEventListener('abort', finish)
      resolve()
    }
    const timer = setTimeout(finish, ms)
    for (const signal of signals) signal?.addEventListener('abort', finish, { once: true })
  })
}

/** Waits until `work` is done or has failed, but no longer than this: for what lapses by itself when it cannot be done. */
export async function atMost(ms: number, work: Promise<unknown>): Promise<void> {
  const done = new AbortController()
  const finish = () => done.abort()
  work.then(finish, finish)
  await sleep(ms, done.signal)
}
