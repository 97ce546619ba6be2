/** How far the local time of a zone is ahead of UTC: all that is needed to turn one into the other. */

type OffsetAt = (atMs: number) => number

/** a machine knows some hundreds of zones, and takes a millisecond to make a format for one */
const known = new Map<string, OffsetAt>()

/** @param timeZone IANA. @returns ms ahead of UTC at a moment, Unix ms. @throws RangeError when there is no such zone */
export function zoneOffset(timeZone: string): OffsetAt {
  const before = known.get(timeZone)
  if (before) return before
  const offsetAt = makeZoneOffset(timeZone)
  known.set(timeZone, offsetAt)
  return offsetAt
}

function makeZoneOffset(timeZone: string): OffsetAt {
  const format = new Intl.DateTimeFormat('en', {
    timeZone,
    calendar: 'gregory',
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
  return (atMs) => {
    const parts = format.formatToParts(atMs)
    const of = (type: Intl.DateTimeFormatPartTypes) => Number(parts.find((part) => part.type === type)?.value)
    const shown = Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'), of('second'))
    return shown - Math.floor(atMs / 1000) * 1000
  }
}
