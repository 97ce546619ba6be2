/** Counts what comes in against a rate; a second's worth may come at once, after that it refills evenly. */
export interface Rate {
  /** false: one too many. `nowMs` must not go back. */
  take(perSecond: number | null, nowMs: number): boolean
}

export function createRate(): Rate {
  let tokens = Number.POSITIVE_INFINITY
  let filledAtMs = 0

  return {
    take(perSecond, nowMs) {
      if (perSecond === null) return true
      tokens = Math.min(perSecond, tokens + ((nowMs - filledAtMs) * perSecond) / 1000)
      filledAtMs = nowMs
      if (tokens < 1) return false
      tokens -= 1
      return true
    },
  }
}
