/** In which order everyone of a message is listed: whom it did not reach first, then everybody else by ordinal. */

/** @param missed their ordinals, in their order. @returns the ordinal of a place in the list */
export function missedFirst(missed: readonly number[]): (place: number) => number {
  const sorted = [...missed].sort((one, other) => one - other)
  return (place) => {
    const own = missed[place]
    if (own !== undefined) return own
    let ordinal = place - missed.length
    for (const each of sorted) {
      if (each > ordinal) break
      ordinal += 1
    }
    return ordinal
  }
}
