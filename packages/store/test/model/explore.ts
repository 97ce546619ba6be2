export interface Model<State> {
  readonly first: readonly State[]
  /** all that may follow; what changes nothing is passed over */
  next(state: State): readonly State[]
  /** @param isLast nothing follows */
  faultOf(state: State, isLast: boolean): string | undefined
  /** states with the same name are the same; JSON unless said otherwise */
  nameOf?(state: State): string
}

export interface Explored {
  /** the first one that was met */
  readonly fault: string | undefined
  /** how many were visited */
  readonly states: number
}

/** Visits every state that can be reached, each once. */
export function exploreAll<State>({ first, next, faultOf, nameOf = JSON.stringify }: Model<State>): Explored {
  const named = (state: State) => ({ state, name: nameOf(state) })
  const open = first.map(named)
  const seen = new Set(open.map(({ name }) => name))
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    const { state, name: own } = one
    const following = next(state)
      .map(named)
      .filter(({ name }) => name !== own)
    const fault = faultOf(state, following.length === 0)
    if (fault) return { fault, states: seen.size }
    for (const each of following) {
      if (seen.has(each.name)) continue
      seen.add(each.name)
      open.push(each)
    }
  }
  return { fault: undefined, states: seen.size }
}

/** One name for all orders of these: which of two processes is which is of no consequence. */
export const inAnyOrder = (names: readonly string[]): string => [...names].sort().join(' ')
