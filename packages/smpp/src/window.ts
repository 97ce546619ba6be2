/** At most `size` requests without an answer at a time; the others wait in the order they came. */
export interface Window {
  /** false: given up because `signal` was aborted; true must be followed by release() */
  acquire(signal: AbortSignal): Promise<boolean>
  release(): void
}

export function createWindow(size: number): Window {
  let free = size
  const waiting = new Set<() => void>()

  return {
    acquire(signal) {
      if (signal.aborted) return Promise.resolve(false)
      if (free > 0) {
        free -= 1
        return Promise.resolve(true)
      }
      return new Promise((resolve) => {
        const settle = (acquired: boolean) => {
          waiting.delete(admit)
          signal.removeEventListener('abort', giveUp)
          resolve(acquired)
        }
        const admit = () => settle(true)
        const giveUp = () => settle(false)
        waiting.add(admit)
        signal.addEventListener('abort', giveUp)
      })
    },
    release() {
      const [next] = waiting
      if (next) next()
      else free += 1
    },
  }
}
