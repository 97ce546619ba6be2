/**
 * Timers for any time that somebody may type. Those of Node take whole milliseconds, and no more than 24 days of them: what is longer
 * they end at once, or refuse.
 */
const longestMs = 2 ** 31 - 1

/** @param prepare is given each timer */
function afterMs(leftMs: number, act: () => void, prepare = (_timer: NodeJS.Timeout) => {}): void {
  const pieceMs = Math.min(leftMs, longestMs)
  prepare(setTimeout(() => (leftMs > pieceMs ? afterMs(leftMs - pieceMs, act, prepare) : act()), pieceMs))
}

/** Aborted after so long; it keeps no process alive, as AbortSignal.timeout() does not. */
export function deadlineAfter(ms: number): AbortSignal {
  const end = new AbortController()
  afterMs(
    ms,
    () => end.abort(),
    (timer) => timer.unref(),
  )
  return end.signal
}

export const sleepFor = (ms: number) => new Promise<void>((resolve) => afterMs(ms, resolve))
