/** What one process has left is taken over piece by piece: what comes close together on a channel is told as one. */
import type { NotedTakeOver } from '@courier-fleet/store'

export interface TakeOverBurst {
  /** when the first of it was taken over, Unix ms */
  readonly at: number
  readonly channel: string
  readonly people: number
}

const apartMs = 1_000

/** @param takeOvers oldest first */
export function takeOverBursts(takeOvers: readonly NotedTakeOver[]): TakeOverBurst[] {
  const bursts: { at: number; lastMs: number; channel: string; people: number }[] = []
  for (const { at, channel, people } of takeOvers) {
    const burst = bursts.findLast((each) => each.channel === channel)
    if (burst && at - burst.lastMs < apartMs) {
      burst.people += people
      burst.lastMs = at
    } else bursts.push({ at, lastMs: at, channel, people })
  }
  return bursts.map(({ lastMs: _, ...burst }) => burst)
}
