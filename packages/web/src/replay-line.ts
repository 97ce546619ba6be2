/** The time line of a replay: from the start of a message to what is last known of it, without the long whiles in which nothing came. */

/** places of the slider, and pictures of the whole replay */
export const steps = 1000
/** a longer while without anything is shown as long as this */
export const longestGapMs = 10_000

/** Where the line goes on after such a while: at this place of it, ms, with this moment, ms since the start. */
interface Stretch {
  readonly at: number
  readonly from: number
}

export interface ReplayLine {
  /** ms it takes without the long whiles */
  readonly lengthMs: number
  readonly isShortened: boolean
  /** ms since the start, at a step */
  momentOf(step: number): number
  /** The first step at which what happened at this moment, ms since the start, has happened. */
  stepOf(ms: number): number
}

/** @param moments ms since the start at which something happened; it is sorted */
export function createReplayLine(moments: Float64Array): ReplayLine {
  const stretches: Stretch[] = [{ at: 0, from: 0 }]
  let last = 0
  let leftOut = 0
  for (const moment of moments.sort()) {
    if (moment - last > longestGapMs) {
      leftOut += moment - last - longestGapMs
      stretches.push({ at: moment - leftOut, from: moment })
    }
    last = Math.max(last, moment)
  }
  const lengthMs = Math.max(1, last - leftOut)

  return {
    lengthMs,
    isShortened: leftOut > 0,
    momentOf(step) {
      const at = (step / steps) * lengthMs
      const { from, at: since } = stretches.findLast((each) => each.at <= at) as Stretch
      return from + at - since
    },
    stepOf(ms) {
      const index = stretches.findLastIndex(({ from }) => from <= ms)
      const { at, from } = stretches[Math.max(0, index)] as Stretch
      const place = Math.min(at + Math.max(0, ms) - from, stretches[index + 1]?.at ?? lengthMs)
      return Math.ceil((place / lengthMs) * steps)
    },
  }
}
