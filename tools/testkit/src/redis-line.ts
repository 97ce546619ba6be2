/** A line before one Redis, on which what its replicas are told is told apart from all else. */
import { type Line, type Link, openLink, type Witness } from './link.ts'

/** Who is at the other end of a connection, as far as it has said so. */
export interface RedisWitness extends Witness {
  /** by CLIENT SETNAME */
  name?: string
  isReplica?: boolean
}

/** what comes first, and may tell the name */
const openingRequests = 8

function witness(): RedisWitness {
  let requests = 0
  const self: RedisWitness = {
    asked(chunk) {
      if (self.isReplica || requests >= openingRequests) return
      requests += 1
      const text = chunk.toString('latin1')
      self.name ??= /setname\r\n\$\d+\r\n(\S+)\r\n/i.exec(text)?.[1] as string
      self.isReplica = /\bPSYNC\b/i.test(text)
    },
  }
  return self
}

export const openRedisLine = (port: number): Promise<Link> => openLink({ host: '127.0.0.1', port }, witness)

/** What its replicas are told. */
export const toReplicas = (link: Link): Line => link.of(({ isReplica }: RedisWitness) => isReplica === true)

/** What is said with those whose name is one of these. */
export const withThose = (link: Link, isOne: (name: string) => boolean): Line =>
  link.of(({ name }: RedisWitness) => name !== undefined && isOne(name))
