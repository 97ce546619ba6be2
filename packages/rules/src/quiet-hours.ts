/**
 * Quiet hours, on the wall clock of one zone. The end of them is looked for on that clock and never by adding hours: a night may have
 * an hour less or more, and a day may be missing. Times are Unix ms. Pure, but for the zones this machine knows.
 */
import { minuteOfDay, type Weekday, weekdays, zoneOffset } from '@courier-fleet/api-types'

/** From this minute on until that one, which is not quiet any more; where they are the same it is never quiet. */
export interface QuietSpan {
  readonly from: string
  readonly to: string
  /** those that begin on these days; every day when absent */
  readonly days?: readonly Weekday[] | undefined
}

/** Whether it is quiet, and the least moment from then on at which that is otherwise. */
export interface Quiet {
  readonly isQuiet: boolean
  readonly untilMs: number
}

const minuteMs = 60_000
const dayMs = 86_400_000
/** With one night a week there are two ends of the hours a day, and a change of the clocks. */
const maxSteps = 24

/** What was computed before, and since when it holds. As long as the clock is as far from UTC, and its end has not come, it still does. */
interface Computed extends Quiet {
  readonly sinceMs: number
  readonly offsetMs: number
}
const computed = new Map<string, Computed>()
/** of zones and hours; people may have any hours of their own */
const maxComputed = 5_000

/** @throws RangeError when this machine knows no such zone */
export function quietAt(nowMs: number, span: QuietSpan, zone: string): Quiet {
  const localOf = wallClock(zone)
  const offsetMs = localOf(nowMs) - nowMs
  const key = `${zone} ${span.from} ${span.to} ${span.days?.join() ?? ''}`
  const before = computed.get(key)
  if (before && before.offsetMs === offsetMs && nowMs >= before.sinceMs && nowMs < before.untilMs) return before
  const found = { ...compute(nowMs, span, localOf), sinceMs: nowMs, offsetMs }
  if (computed.size >= maxComputed) computed.clear()
  computed.set(key, found)
  return found
}

function compute(nowMs: number, span: QuietSpan, localOf: WallClock): Quiet {
  const { from, to } = span
  if (from === to) return { isQuiet: false, untilMs: Number.POSITIVE_INFINITY }
  const isQuiet = isQuietOn(localOf(nowMs), span)
  let at = nowMs
  // bounded: no more steps than there can be
  for (let step = 0; step < maxSteps; step += 1) {
    at = nextMoment(at, span, localOf)
    if (isQuietOn(localOf(at), span) !== isQuiet) return { isQuiet, untilMs: at }
  }
  return { isQuiet, untilMs: Number.POSITIVE_INFINITY }
}

/** The least moment from now on that is not quiet. @throws RangeError when this machine knows no such zone */
export function quietUntil(nowMs: number, span: QuietSpan, zone: string): number {
  const { isQuiet, untilMs } = quietAt(nowMs, span, zone)
  return isQuiet ? untilMs : nowMs
}

/** What a wall clock shows, as ms since midnight of 1970-01-01 on it. */
type WallClock = (atMs: number) => number

function wallClock(zone: string): WallClock {
  const offsetAt = zoneOffset(zone)
  return (atMs) => atMs + offsetAt(atMs)
}

function isQuietOn(localMs: number, { from, to, days }: QuietSpan): boolean {
  const date = Math.floor(localMs / dayMs)
  const minute = Math.floor((localMs - date * dayMs) / minuteMs)
  const [first, after] = [minuteOfDay(from), minuteOfDay(to)]
  const hasBegun = minute >= first
  const isWithin = first < after ? hasBegun && minute < after : hasBegun || minute < after
  if (!isWithin || !days) return isWithin
  return days.includes(weekdayOf(hasBegun ? date : date - 1))
}

/** 1970-01-01 was a Thursday. */
const weekdayOf = (date: number): Weekday => weekdays[(((date + 3) % 7) + 7) % 7] as Weekday

/** When it can next be otherwise: at one end of the hours, or sooner when the clocks are changed. */
function nextMoment(atMs: number, span: QuietSpan, localOf: WallClock): number {
  const local = localOf(atMs)
  const byClock = atMs + nextEnd(local, span) - local
  return localOf(byClock) - byClock === local - atMs ? byClock : changeOfClocks(atMs, byClock, localOf)
}

/** On the wall clock: the next end of the hours after this. */
function nextEnd(localMs: number, { from, to }: QuietSpan): number {
  const midnight = Math.floor(localMs / dayMs) * dayMs
  const ends = [from, to].map((clock) => midnight + minuteOfDay(clock) * minuteMs)
  return Math.min(...ends.flatMap((end) => [end, end + dayMs]).filter((end) => end > localMs))
}

/** The first moment after the clocks were changed; within a day that is once, at a whole second. */
function changeOfClocks(fromMs: number, toMs: number, localOf: WallClock): number {
  const offset = localOf(fromMs) - fromMs
  let [before, after] = [Math.floor(fromMs / 1000), Math.ceil(toMs / 1000)]
  // bounded: half of a day's seconds each time
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2)
    if (localOf(middle * 1000) - middle * 1000 === offset) before = middle
    else after = middle
  }
  return after * 1000
}
