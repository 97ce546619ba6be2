/** What is to go to Redis together: scripts and multi-key commands touch one stream, or one shard, at a time. */
export function grouped<T, N>(items: Iterable<T>, nameOf: (item: T) => N): Map<N, T[]> {
  const groups = new Map<N, T[]>()
  for (const item of items) {
    const name = nameOf(item)
    const others = groups.get(name)
    if (others) others.push(item)
    else groups.set(name, [item])
  }
  return groups
}
