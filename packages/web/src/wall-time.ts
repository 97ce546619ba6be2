/** Local times of a time zone, `2026-09-01T08:30`: what a date field holds. */
import { zoneOffset } from '@courier-fleet/api-types/zone-offset'

const minuteMs = 60_000

const offsetMs = (zone: string, atMs: number) => zoneOffset(zone)(atMs)

export function wallTimeOf(zone: string, atMs: number): string {
  return new Date(atMs + offsetMs(zone, atMs)).toISOString().slice(0, 16)
}

/**
 * The moment this clock shows that time, as ISO 8601 with offset. Of a time that comes twice (clocks put back) the first; a
 * time that is left out (clocks put forward) is as much later as they are put forward.
 * @returns undefined when it is no time
 */
export function instantOf(zone: string, wallTime: string): string | undefined {
  const wall = Date.parse(`${wallTime}Z`)
  if (Number.isNaN(wall)) return undefined
  const dayMs = 86_400_000
  const before = offsetMs(zone, wall - dayMs)
  const after = offsetMs(zone, wall + dayMs)
  const offset = [before, after].find((each) => offsetMs(zone, wall - each) === each) ?? before
  const actual = offsetMs(zone, wall - offset)
  return `${new Date(wall - offset + actual).toISOString().slice(0, 19)}${offsetText(actual)}`
}

function offsetText(offset: number): string {
  const minutes = Math.abs(offset) / minuteMs
  const two = (value: number) => String(value).padStart(2, '0')
  return `${offset < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`
}
