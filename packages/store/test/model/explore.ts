export interface Model<State> {
  readonly first: readonly State[]
  /** all that may follow */
  next(state: State): readonly State[]
  /** @param isLast nothing follows */
  faultOf(state: State, isLast: boolean): string | undefined
}

export interface Explored {
  /** the first one that was met */
  readonly fault: string | undefined
  /** how many were visited */
  readonly states: number
}

/** Visits every state that can be reached, each once: those with the same JSON are the same. */
export function exploreAll<State>({ first, next, faultOf }: Model<State>): Explored {
  const open = [...first]
  const seen = new Set(open.map((state) => JSON.stringify(state)))
  for (let state = open.pop(); state !== undefined; state = open.pop()) {
    const following = next(state)
    const fault = faultOf(state, following.length === 0)
    if (fault) return { fault, states: seen.size }
    for (const each of following) {
      const name = JSON.stringify(each)
      if (seen.has(name)) continue
      seen.add(name)
      open.push(each)
    }
  }
  return { fault: undefined, states: seen.size }
}
