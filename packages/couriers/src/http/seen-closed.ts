/**
 * The breaker of an endpoint is seen with all else that is read of its recipients. What was seen a moment ago is gone by, so that a call costs no
 * round trip of its own before it; but not once a call of this process has failed since: then the breaker is asked.
 */
import type { Clock } from '@courier-fleet/process'

const freshMs = 500

export interface SeenClosed {
  /** @param seenMs when it was seen closed */
  holds(endpoint: string, seenMs: number | undefined): boolean
  failed(endpoint: string): void
}

export function createSeenClosed(clock: Clock): SeenClosed {
  /** the latest last */
  const failedAt = new Map<string, number>()
  return {
    holds(endpoint, seenMs) {
      if (seenMs === undefined) return false
      const agoMs = clock.now() - seenMs
      // a clock may be set back
      return agoMs >= 0 && agoMs < freshMs && (failedAt.get(endpoint) ?? 0) < seenMs
    },
    failed(endpoint) {
      const nowMs = clock.now()
      for (const [old, atMs] of failedAt) {
        if (atMs + freshMs > nowMs) break
        failedAt.delete(old)
      }
      failedAt.delete(endpoint)
      failedAt.set(endpoint, nowMs)
    },
  }
}
