/** Local time: what the clocks of a time zone show, and the moments at which they show it. */
import { zoneOffset } from '@courier-fleet/api-types'

export interface WallTime {
  readonly year: number
  /** 1 … 12 */
  readonly month: number
  readonly day: number
  readonly hour: number
  readonly minute: number
}

const minuteMs = 60_000

/** Minutes that the zone's clock is ahead of UTC at this moment. */
export function offsetMinutes(atMs: number, timeZone: string): number {
  return Math.round(zoneOffset(timeZone)(atMs) / minuteMs)
}

export function wallTimeOf(atMs: number, timeZone: string): WallTime {
  const shown = new Date(atMs + zoneOffset(timeZone)(atMs))
  return {
    year: shown.getUTCFullYear(),
    month: shown.getUTCMonth() + 1,
    day: shown.getUTCDate(),
    hour: shown.getUTCHours(),
    minute: shown.getUTCMinutes(),
  }
}

/**
 * The moments (Unix ms) at which the clock shows this: one as a rule, none when the clocks are put forward over it, two when
 * they are put back over it.
 */
export function momentsOf(wall: WallTime, timeZone: string): number[] {
  const guess = asIfUtc(wall)
  const dayMs = 24 * 60 * minuteMs
  const offsets = new Set([guess - dayMs, guess + dayMs].map((atMs) => offsetMinutes(atMs, timeZone)))
  return [...offsets]
    .map((offset) => guess - offset * minuteMs)
    .filter((atMs) => asIfUtc(wallTimeOf(atMs, timeZone)) === guess)
    .sort((a, b) => a - b)
}

function asIfUtc({ year, month, day, hour, minute }: WallTime): number {
  return Date.UTC(year, month - 1, day, hour, minute)
}
