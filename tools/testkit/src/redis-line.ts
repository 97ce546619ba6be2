/** A line before one Redis, on which what its replicas are told is told apart from all else. */
import { type Line, type Link, openLink, type Witness } from './link.ts'
import { createMovedClock } from './redis-clock.ts'

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

/** @param aheadMs whoever speaks to it finds its clock so far ahead, see redis-clock.ts */
export function openRedisLine(port: number, aheadMs = 0): Promise<Link> {
  const to = { host: '127.0.0.1', port }
  if (aheadMs === 0) return openLink(to, witness)
  const clock = createMovedClock(aheadMs)
  return openLink(to, () => Object.assign(witness(), { rewritten: clock.connection() }))
}

/** What its replicas are told. */
export const toReplicas = (link: Link): Line => link.of(({ isReplica }: RedisWitness) => isReplica === true)

/** What is said with those whose name is one of these. */
export const withThose = (link: Link, isOne: (name: string) => boolean): Line =>
  link.of(({ name }: RedisWitness) => name !== undefined && isOne(name))

/** Between nodes of a cluster: who speaks to this one says its id in every packet. */
interface BusWitness extends Witness {
  member?: string
}

const memberAt = { from: 40, to: 80 }

export const openBusLink = (port: number): Promise<Link> =>
  openLink({ host: '127.0.0.1', port }, () => {
    const self: BusWitness = {
      asked(chunk) {
        if (chunk.subarray(0, 4).toString('latin1') !== 'RCmb') return
        self.member ??= chunk.toString('latin1', memberAt.from, memberAt.to)
      },
    }
    return self
  })

/** What a node of the cluster says to this one. */
export const withMember = (link: Link, id: () => string): Line =>
  link.of(({ member }: BusWitness) => member !== undefined && member === id())
