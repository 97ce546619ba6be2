/**
 * Whose turn it is where the three classes share something scarce: each has a clock, which what it is given moves on by the smallest
 * weight over its own, and whoever is furthest behind is next, the more urgent first. A class that was away is behind by a round at most:
 * what it did not use others have used. lua/lib/turns.lua is the twin of it, for what all processes of an account share.
 */
import { classes, type MessageClass } from '@courier-fleet/api-types'

export type Weights = Readonly<Record<MessageClass, number>>

/** in whole millionths, so that both count exactly alike */
const round = 1_000_000

export interface Turns {
  /** The class that is next of those that wait; undefined when none does. */
  next(waits: (cls: MessageClass) => boolean): MessageClass | undefined
  /** This class was given so much. */
  take(cls: MessageClass, units: number, weights: Weights): void
}

export function createTurns(): Turns {
  const clocks = { urgent: 0, normal: 0, bulk: 0 }
  let reached = 0
  const startOf = (cls: MessageClass) => Math.max(clocks[cls], reached - round)
  return {
    next(waits) {
      let first: MessageClass | undefined
      for (const cls of classes) if (waits(cls) && (!first || startOf(cls) < startOf(first))) first = cls
      return first
    },
    take(cls, units, weights) {
      const start = startOf(cls)
      const step = Math.round((round * Math.min(...Object.values(weights))) / weights[cls])
      clocks[cls] = start + units * step
      reached = Math.max(reached, start)
    },
  }
}
