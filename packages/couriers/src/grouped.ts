/** What is to go to Redis together: scripts and multi-key commands touch one stream, or one shard, at a time. */
export function grouped<T>(items: Iterable<T>, nameOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const item of items) {
    const name = nameOf(item)
    const others = groups.get(name)
    if (others) others.push(item)
    else groups.set(name, [item])
  }
  return groups
}
