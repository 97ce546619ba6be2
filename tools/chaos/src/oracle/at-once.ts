/** Does it to every item, at most so many at a time. */
export async function atOnce<T>(max: number, items: Iterable<T>, work: (item: T) => Promise<void>): Promise<void> {
  const left = items[Symbol.iterator]()
  const workOn = async () => {
    for (let next = left.next(); !next.done; next = left.next()) await work(next.value)
  }
  await Promise.all(Array.from({ length: max }, workOn))
}
