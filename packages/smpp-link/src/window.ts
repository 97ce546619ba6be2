/** At most `size` submits without an answer at a time; the others wait in the order they came. */
export interface Window {
  /** false: given up because `limit` was aborted; true must be followed by leave() */
  enter(limit: AbortSignal): Promise<boolean>
  leave(): void
}

export function createWindow(size: number): Window {
  let free = size
  const waiting = new Set<() => void>()

  return {
    enter(limit) {
      if (limit.aborted) return Promise.resolve(false)
      if (free > 0) {
        free -= 1
        return Promise.resolve(true)
      }
      return new Promise((resolve) => {
        const settle = (entered: boolean) => {
          waiting.delete(admit)
          limit.removeEventListener('abort', giveUp)
          resolve(entered)
        }
        const admit = () => settle(true)
        const giveUp = () => settle(false)
        waiting.add(admit)
        limit.addEventListener('abort', giveUp)
      })
    },
    leave() {
      const [next] = waiting
      if (next) next()
      else free += 1
    },
  }
}
