/** Something that is shown again and again, each time as it is then: the latest value wins, no faster than is good for its readers. */
import { isDeepStrictEqual } from 'node:util'
import { sleep } from '@courier-fleet/process'

export interface Throttled<T> {
  /** Shows this soon, unless a later one comes before. */
  write(value: T): void
  /** Shows the last one; resolves when it is there. */
  finish(value: T): Promise<void>
}

export interface ThrottledDeps<T> {
  put(value: T): Promise<void>
  /** between two of them */
  readonly everyMs: number
  readonly signal: AbortSignal
  /** told of one that could not be shown; a later one is shown all the same */
  onTrouble(error: unknown): void
}

export function createThrottled<T>({ put, everyMs, signal, onTrouble }: ThrottledDeps<T>): Throttled<T> {
  const finishing = new AbortController()
  let latest: T | undefined
  let shown: T | undefined
  let writing: Promise<void> | undefined

  async function writeLatest(): Promise<void> {
    while (latest !== undefined && !isDeepStrictEqual(latest, shown) && !signal.aborted && !finishing.signal.aborted) {
      const value = latest
      await put(value)
      shown = value
      await sleep(everyMs, signal, finishing.signal)
    }
  }

  return {
    write(value) {
      latest = value
      writing ??= writeLatest()
        .catch(onTrouble)
        .finally(() => {
          writing = undefined
        })
    },
    async finish(value) {
      finishing.abort()
      await writing
      if (!isDeepStrictEqual(shown, value)) await put(value)
    },
  }
}
