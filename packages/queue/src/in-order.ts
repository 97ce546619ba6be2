/**
 * What `work` makes of each item, in the order of the items and as soon as it is there. Up to `atOnce` are worked on at a
 * time, and nothing more is read meanwhile.
 */
export async function* inOrder<T, R>(
  source: AsyncIterable<T>,
  atOnce: number,
  work: (item: T) => Promise<R>,
): AsyncGenerator<R> {
  const items = source[Symbol.asyncIterator]()
  const underWay: Promise<R>[] = []
  let reading: Promise<IteratorResult<T>> | undefined
  let ended = false
  try {
    for (;;) {
      if (!ended && underWay.length < atOnce) reading ??= items.next()
      const [first] = underWay
      if (!reading && !first) return
      const read = reading && (await Promise.race(first ? [reading, first.then(() => undefined)] : [reading]))
      if (!read) {
        underWay.shift()
        yield await (first as Promise<R>)
        continue
      }
      reading = undefined
      if (read.done) ended = true
      else underWay.push(work(read.value))
    }
  } finally {
    // whoever asked may have left: nobody waits for these any more
    for (const left of [...underWay, reading, items.return?.()]) left?.catch(() => {})
  }
}
