/** Work of one kind one after the other, in the order it came; different kinds beside each other. */
export function createTurns(): <T>(kind: string, work: () => Promise<T>) => Promise<T> {
  const last = new Map<string, Promise<unknown>>()
  return (kind, work) => {
    const mine = (last.get(kind) ?? Promise.resolve()).then(work, work)
    last.set(kind, mine)
    const forget = () => {
      if (last.get(kind) === mine) last.delete(kind)
    }
    mine.then(forget, forget)
    return mine
  }
}
