import { atMost } from './clock.ts'

export type InSlot = <T>(work: () => Promise<T>) => Promise<T>

/**
 * Does as much at once as there are slots, the rest in the order it came.
 * @param maxHeldMs what takes longer goes on without its slot, which the next has; absent: it keeps it until it has ended
 */
export function createSlots(max: number, maxHeldMs?: number): InSlot {
  const waiting: (() => void)[] = []
  let free = max

  function release(): void {
    const next = waiting.shift()
    if (next) next()
    else free += 1
  }

  return async (work) => {
    if (free > 0) free -= 1
    else await new Promise<void>((resolve) => waiting.push(resolve))
    const result = work()
    const held = maxHeldMs === undefined ? result : atMost(maxHeldMs, result)
    held.then(release, release)
    return result
  }
}
