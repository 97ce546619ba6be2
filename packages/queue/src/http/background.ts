/** Work that goes on after an answer: how long it takes tells the caller nothing. */
import type { Log } from '@courier-fleet/process'

export interface Background {
  /** @param failure what the log says when it fails */
  run(work: Promise<unknown>, failure: string): void
  /** Waits for all of it. */
  drain(): Promise<void>
}

export function createBackground({ log }: { log: Log }): Background {
  const unfinished = new Set<Promise<unknown>>()
  return {
    run(work, failure) {
      const done = work
        .catch((error: unknown) => log.error({ err: error }, failure))
        .finally(() => unfinished.delete(done))
      unfinished.add(done)
    },
    async drain() {
      await Promise.all(unfinished)
    },
  }
}
