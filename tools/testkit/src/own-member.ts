/** One of several Redis processes that replicate each other. */
import type { Certificate } from './certificate.ts'
import type { Line, Link } from './link.ts'
import type { OwnNode } from './own-node.ts'
import { openRedisLine, toReplicas } from './redis-line.ts'
import { openTlsDoor, type TlsDoor } from './tls-door.ts'

export interface OwnMember extends OwnNode {
  /** between this node and its replicas. @throws Error when lines were not asked for */
  readonly line: Line
}

export function member(node: OwnNode, line: Line | undefined): OwnMember {
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
  const opened: { readonly link: Link; readonly line: Line; readonly index: number }[] = []
  return {
    async announce<Place extends { port: number }>(place: Place, index: number): Promise<Place> {
      const link = await openRedisLine(place.port)
      opened.push({ link, line: toReplicas(link), index })
      return { ...place, port: link.port }
    },
    /** a node that found its port taken was given another, and another line */
    at: (index: number) => opened.findLast((each) => each.index === index)?.line,
    close: () => Promise.all(opened.map(({ link }) => link.close())),
  }
}

/** A door before each of several ports, for clients that speak TLS; nodes among themselves do not. */
export function openDoors(certificate: Certificate) {
  const opened: TlsDoor[] = []
  return {
    async announce<Place extends { port: number }>(place: Place): Promise<Place> {
      const door = await openTlsDoor(place.port, certificate)
      opened.push(door)
      return { ...place, port: door.port }
    },
    close: () => Promise.all(opened.map((door) => door.close())),
  }
}
