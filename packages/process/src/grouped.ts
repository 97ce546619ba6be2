/** What is to go to Redis together: scripts and multi-key commands touch one stream, or one shard, at a time. */
export function grouped<T, N>(items: Iterable<T>, nameOf: (item: T) => N): Map<N, T[]> {
  const groups = new Map<N, T[]>()
  let last: { readonly name: N; readonly group: T[] } | undefined
  for (const item of items) {
    const name = nameOf(item)
    // neighbours mostly go together
    if (!last || last.name !== name) {
      last = { name, group: groups.get(name) ?? [] }
      if (last.group.length === 0) groups.set(name, last.group)
    }
    last.group.push(item)
  }
  return groups
}
