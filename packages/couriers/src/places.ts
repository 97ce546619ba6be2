/** How many recipients of one process may be in doubt at once: shared by its flights, in the order they ask. */
export interface Places {
  /** Resolves once `count` are free and taken, each to be given back; false when aborted first. At most the size at once. */
  take(count: number, signal: AbortSignal): Promise<boolean>
  give(count: number): void
}

export function createPlaces(size: number): Places {
  let free = size
  const waiting = new Set<{ readonly count: number; readonly admit: () => void }>()

  /** Nobody overtakes: who wants many would wait for ever among those who want few. */
  function admit(): void {
    for (const next of waiting) {
      if (next.count > free) return
      free -= next.count
      next.admit()
    }
  }

  return {
    take(count, signal) {
      if (signal.aborted) return Promise.resolve(false)
      return new Promise((resolve) => {
        const settle = (taken: boolean) => {
          waiting.delete(asked)
          signal.removeEventListener('abort', giveUp)
          resolve(taken)
        }
        const giveUp = () => {
          settle(false)
          admit()
        }
        const asked = { count, admit: () => settle(true) }
        waiting.add(asked)
        signal.addEventListener('abort', giveUp)
        admit()
      })
    },
    give(count) {
      free += count
      admit()
    },
  }
}
