/** What is still done after a recipient has gone on: nobody waits for it, but whoever stops the courier, and for a moment. */
import { atMost, type Log } from '@courier-fleet/process'

/** a breaker that is not told knows a little less */
const goodbyeMs = 300

export interface Afterwards {
  add(doing: Promise<unknown>): void
  end(): Promise<unknown>
}

/** @param what it means when it fails */
export function createAfterwards(log: Log, what: string): Afterwards {
  const doing = new Set<Promise<unknown>>()
  return {
    add(one) {
      const caught = one.catch((error: unknown) => log.warn({ err: error }, what))
      doing.add(caught)
      void caught.then(() => doing.delete(caught))
    },
    end: () => atMost(goodbyeMs, Promise.all(doing)),
  }
}
