/** The day it is for somebody, by the calendar of their zone: 23 or 25 hours where clocks are changed. Times are Unix ms. */
import { zoneOffset } from '@courier-fleet/api-types'

/** From this moment on until that one, which is of the next day. */
export interface CalendarDay {
  readonly fromMs: number
  readonly toMs: number
}

const dayMs = 86_400_000
/** no day is longer */
const longestSeconds = 26 * 3600

/** @throws RangeError when this machine knows no such zone */
export function calendarDayAt(nowMs: number, zone: string): CalendarDay {
  const offsetAt = zoneOffset(zone)
  const dateAt = (seconds: number) => Math.floor((seconds * 1000 + offsetAt(seconds * 1000)) / dayMs)
  const now = Math.floor(nowMs / 1000)
  const today = dateAt(now)
  const from = firstSecond(now - longestSeconds, now, (seconds) => dateAt(seconds) >= today)
  const to = firstSecond(now, now + longestSeconds, (seconds) => dateAt(seconds) > today)
  return { fromMs: from * 1000, toMs: to * 1000 }
}

/** The first for which it holds, of these for the first of which it does not and for the last of which it does; dates only go on. */
function firstSecond(fromSeconds: number, toSeconds: number, holds: (seconds: number) => boolean): number {
  let [before, after] = [fromSeconds, toSeconds]
  // bounded: half of a day's seconds each time
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2)
    if (holds(middle)) after = middle
    else before = middle
  }
  return after
}

export interface CalendarClock {
  /** @throws RangeError when this machine knows no such zone */
  dayAt(nowMs: number, zone: string): CalendarDay
}

/** For one send job: the day of a zone is computed once, and again when it is over. */
export function createCalendarClock(): CalendarClock {
  const known = new Map<string, CalendarDay>()
  return {
    dayAt(nowMs, zone) {
      const before = known.get(zone)
      if (before && nowMs >= before.fromMs && nowMs < before.toMs) return before
      const day = calendarDayAt(nowMs, zone)
      known.set(zone, day)
      return day
    },
  }
}
