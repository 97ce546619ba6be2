/** The day on somebody's wall calendar, as the span of Unix ms it covers: 23 to 25 hours where clocks are changed. */
const dayMs = 86_400_000

export interface Day {
  /** Unix ms, inclusive */
  readonly start: number
  /** Unix ms, exclusive */
  readonly end: number
}

/** @param timeZone IANA. @throws RangeError when there is no such zone */
export function localDays(timeZone: string): (nowMs: number) => Day {
  const parts = new Intl.DateTimeFormat('en-US', {
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

  /** What the wall clock shows, read as if it were UTC. */
  function wallClock(ms: number): number {
    const shown = Object.fromEntries(parts.formatToParts(ms).map(({ type, value }) => [type, Number(value)]))
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = shown
    return Date.UTC(year, month - 1, day, hour, minute, second)
  }
  const dateOf = (ms: number) => Math.floor(wallClock(ms) / dayMs)
  const offsetAt = (ms: number) => wallClock(ms) - Math.floor(ms / 1000) * 1000

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
