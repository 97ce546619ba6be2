/** @returns every group of nodes that lead to one another (Tarjan's strongly connected components), and those that lead to themselves */
export function circlesOf(nodes: Iterable<string>, next: (node: string) => readonly string[]): string[][] {
  const index = new Map<string, number>()
  const low = new Map<string, number>()
  const stack: string[] = []
  const circles: string[][] = []

  function visit(node: string): void {
    index.set(node, index.size)
    let lowest = index.get(node) as number
    stack.push(node)
    for (const other of next(node)) {
      if (!index.has(other)) visit(other)
      // those off the stack belong to a group that is complete
      if (stack.includes(other)) lowest = Math.min(lowest, low.get(other) ?? (index.get(other) as number))
    }
    low.set(node, lowest)
    if (lowest !== index.get(node)) return
    const group = stack.splice(stack.indexOf(node))
    if (group.length > 1 || next(node).includes(node)) circles.push(group)
  }

  for (const node of nodes) if (!index.has(node)) visit(node)
  return circles
}
