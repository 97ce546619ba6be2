/**
 * Long work in slices. Whoever is about to do one waits for its turn, and between two turns, whosesoever they are, everybody
 * else is served: a promise that resolves at once lets nobody in.
 */
export interface Turns {
  next(): Promise<void>
}

export function createTurns(): Turns {
  let last: Promise<unknown> = Promise.resolve()
  return {
    next() {
      const turn = last.then(() => new Promise<void>((resolve) => setImmediate(resolve)))
      last = turn
      return turn
    },
  }
}
