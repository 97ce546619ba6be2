/** One of several Redis processes that replicate each other. */
import type { OwnNode } from './own-node.ts'
import { openReplicationLine, type ReplicationLine } from './replication-line.ts'

export interface OwnMember extends OwnNode {
  /** between this node and whoever comes to it. @throws Error when lines were not asked for */
  readonly line: ReplicationLine
}

export function member(node: OwnNode, line: ReplicationLine | undefined): OwnMember {
  return {
    ...node,
    get line() {
      if (!line) throw new Error('there are no lines: start it with { lines: true }')
      return line
    },
  }
}

/** A line before each of several ports, opened as the ports become known. */
export function openLines() {
  const opened: { readonly line: ReplicationLine; readonly index: number }[] = []
  return {
    async announce<Place extends { port: number }>(place: Place, index: number): Promise<Place> {
      const line = await openReplicationLine(place.port)
      opened.push({ line, index })
      return { ...place, port: line.port }
    },
    /** a node that found its port taken was given another, and another line */
    at: (index: number) => opened.findLast((each) => each.index === index)?.line,
    close() {
      for (const { line } of opened) line.close()
    },
  }
}
