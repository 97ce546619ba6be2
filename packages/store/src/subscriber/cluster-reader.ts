/** At which nodes channels are heard, each named by its URL. */
import { type Endpoint, parseRedisUrl, type RedisAddress } from '../connection/address.ts'
import { type RedisNode, slotOf } from '../connection/client.ts'

export interface Nodes {
  /** all that there are: each tells of what expires where it is master */
  readonly all: readonly string[]
  /** Who tells what comes in a sharded channel; undefined when nobody has its slot. */
  ownerOf(channel: string): string | undefined
}

/** One Redis, or the one that Sentinels name. */
export const oneNode = (url: string): Nodes => ({ all: [url], ownerOf: () => url })

interface ClusterDeps {
  /** of nodes by which the others are found, and as whom to speak to all */
  readonly address: RedisAddress
  /** not connected yet; what it is asked fails while it is away */
  readonly connect: (url: string) => RedisNode
}

/** Reads who is in a cluster, from the node that answered last, or the next that does. */
export class ClusterReader {
  readonly #deps: ClusterDeps
  /** whom to ask, in this order */
  #candidates: readonly string[]
  #asked: { readonly url: string; readonly redis: RedisNode } | undefined
  #isClosed = false

  constructor(deps: ClusterDeps) {
    this.#deps = deps
    this.#candidates = this.#seeds()
  }

  /** Undefined when nobody answers, or the one who did sees no majority: another is asked the next time. */
  async read(): Promise<Nodes | undefined> {
    for (const url of this.#candidates) {
      if (this.#isClosed) return undefined
      const answer = await this.#ask(url)
      if (answer?.nodes) {
        this.#candidates = [...new Set([url, ...answer.nodes.all, ...this.#seeds()])]
        return answer.nodes
      }
      this.#candidates = [...this.#candidates.filter((each) => each !== url), url]
      if (answer) return undefined
    }
    return undefined
  }

  close(): void {
    this.#isClosed = true
    this.#leave()
  }

  #leave(): void {
    this.#asked?.redis.disconnect()
    this.#asked = undefined
  }

  async #ask(url: string): Promise<{ nodes?: Nodes } | undefined> {
    if (this.#asked?.url !== url) {
      this.#leave()
      this.#asked = { url, redis: this.#deps.connect(url) }
    }
    const { redis } = this.#asked
    try {
      if (redis.status === 'wait') await redis.connect()
      const [info, slots] = await Promise.all([redis.cluster('INFO'), redis.cluster('SLOTS')])
      return String(info).includes('cluster_state:ok') ? { nodes: this.#nodesIn(slots as unknown as Range[], url) } : {}
    } catch {
      if (this.#asked?.redis === redis) this.#leave()
      return undefined
    }
  }

  #seeds(): string[] {
    return this.#deps.address.endpoints.map((endpoint) => this.#urlOf(endpoint))
  }

  #urlOf({ host, port }: Endpoint): string {
    const { isEncrypted, user = '', password } = this.#deps.address
    const name = encodeURIComponent(user)
    const who = password === undefined ? name : `${name}:${encodeURIComponent(password)}`
    const where = `${host.includes(':') ? `[${host}]` : host}:${port}`
    return `redis${isEncrypted ? 's' : ''}://${who && `${who}@`}${where}`
  }

  #nodesIn(ranges: readonly Range[], askedUrl: string): Nodes {
    const owners: string[] = []
    const all = new Set<string>()
    for (const [from, to, ...members] of ranges) {
      // a node may not know how others call it: as we do
      const urls = members.map(([host, port]) => this.#urlOf({ host: host || hostOf(askedUrl), port }))
      for (const url of urls) all.add(url)
      for (let slot = from; slot <= to; slot += 1) owners[slot] = urls[0] as string
    }
    return { all: [...all], ownerOf: (channel) => owners[slotOf(channel)] }
  }
}

/** of CLUSTER SLOTS: first and last slot, then master and replicas: host, port … */
type Range = readonly [from: number, to: number, ...members: (readonly [host: string | null, port: number])[]]

const hostOf = (url: string): string => parseRedisUrl(url)?.endpoints[0]?.host ?? ''
