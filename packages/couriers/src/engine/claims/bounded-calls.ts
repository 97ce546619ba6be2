import { atMost } from '@courier-fleet/process'

/**
 * Makes so many calls at a time and no more: whoever comes later waits, in the order of asking. One that is not answered in `longestMs` keeps
 * nobody waiting any longer.
 */
export function boundCalls(max: number, longestMs: number): <T>(call: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = []
  let free = max

  /** The place goes to whoever is next. */
  function leave(): void {
    const next = waiting.shift()
    if (next) next()
    else free += 1
  }

  return async (call) => {
    if (free > 0) free -= 1
    else await new Promise<void>((resolve) => waiting.push(resolve))
    const answer = call()
    atMost(longestMs, answer).then(leave, leave)
    return answer
  }
}
