/**
 * Yields the result of `work` for each item, in the order of the items, as soon as it is there. At most `maxInFlight` items
 * are worked on at a time; no more are read meanwhile.
 */
export async function* inOrder<T, R>(
  source: AsyncIterable<T>,
  maxInFlight: number,
  work: (item: T) => Promise<R>,
): AsyncGenerator<R> {
  const items = source[Symbol.asyncIterator]()
  const inFlight: Promise<R>[] = []
  let reading: Promise<IteratorResult<T>> | undefined
  let ended = false
  try {
    for (;;) {
      if (!ended && inFlight.length < maxInFlight) reading ??= items.next()
      const [first] = inFlight
      if (!reading && !first) return
      const read = reading && (await Promise.race(first ? [reading, first.then(() => undefined)] : [reading]))
      if (!read) {
        inFlight.shift()
        yield await (first as Promise<R>)
        continue
      }
      reading = undefined
      if (read.done) ended = true
      else inFlight.push(tolerated(work(read.value)))
    }
  } finally {
    // the consumer may have stopped early: no one awaits these any more
    for (const left of [reading, items.return?.()]) left?.catch(() => {})
  }
}

/** It may fail while those before it are still worked on: nobody awaits it yet, or never will where the consumer has stopped. */
function tolerated<T>(work: Promise<T>): Promise<T> {
  work.catch(() => {})
  return work
}
