/** What comes in during one turn of the event loop is done together, at most so many at once; each shares the fate of all. */
export function gather<T>(act: (items: readonly T[]) => Promise<void>, mostAtOnce: number): (item: T) => Promise<void> {
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
    if (items.length === mostAtOnce) done = undefined
    done ??= begin()
    items.push(item)
    return done
  }
}
