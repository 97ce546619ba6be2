/** The day of somebody's time zone, as the span of Unix ms it covers: 23 to 25 hours where clocks are changed. */
import { zoneOffset } from '@courier-fleet/api-types'

const dayMs = 86_400_000

export interface Day {
  /** Unix ms, inclusive */
  readonly start: number
  /** Unix ms, exclusive */
  readonly end: number
}

/** @param timeZone IANA. @throws RangeError when there is no such zone */
export function localDays(timeZone: string): (nowMs: number) => Day {
  const offsetAt = zoneOffset(timeZone)
  const dateOf = (ms: number) => Math.floor((ms + offsetAt(ms)) / dayMs)

  /** First moment of a date. The clocks may change that night: tried with the offset before and the one after. */
  function startOf(date: number): number {
    const midnight = date * dayMs
    const tries = [midnight - dayMs, midnight + dayMs].map((near) => midnight - offsetAt(near))
    return Math.min(...tries.filter((ms) => dateOf(ms) === date))
  }

  return (nowMs) => {
    const date = dateOf(nowMs)
    return { start: startOf(date), end: startOf(date + 1) }
  }
}
