/** What comes in during one turn of the event loop is done together, at most `max` at once; each shares the fate of all. */
export function microbatch<T>(act: (items: readonly T[]) => Promise<void>, max: number): (item: T) => Promise<void> {
  let items: T[] = []
  let done: Promise<void> | undefined

  function begin(): Promise<void> {
    const own: T[] = []
    items = own
    return new Promise((resolve) => setImmediate(resolve)).then(() => {
      if (items === own) done = undefined
      return act(own)
    })
  }

  return (item) => {
    if (items.length === max) done = undefined
    done ??= begin()
    items.push(item)
    return done
  }
}
