/** A Redis Cluster of a test's own, of processes on loopback. */
import { describe, moveSlot, startRedisCluster, untilWhole } from '../../../scripts/redis-cluster.mjs'
import type { Certificate } from './certificate.ts'
import { member, type OwnMember, openDoors, openLines } from './own-member.ts'
import { ownFolder, ownNode, required, writtenAtOnce } from './own-node.ts'
import { createPatience } from './patience.ts'
import { until } from './until.ts'

export interface OwnClusterOptions {
  /** default 3 */
  readonly masters?: number
  /** of each master, default 1 */
  readonly replicas?: number
  /** with a line before every node, on which what its replicas are sent can be delayed and held back */
  readonly lines?: boolean
  /** in the place of lines: where clients find a node, it speaks TLS too */
  readonly certificate?: Certificate
  /** further settings of every node as on the command line, without the dashes */
  readonly config?: Readonly<Record<string, string>>
}

export interface OwnCluster {
  readonly url: string
  /** those that were masters at first come first, then the replicas */
  readonly nodes: readonly OwnMember[]
  /** Who serves the slot of the key now, in the eyes of a node that runs. */
  masterOf(key: string): Promise<OwnMember>
  /** Who replicates the node now. */
  replicasOf(master: OwnMember): Promise<OwnMember[]>
  /** A replica takes over by agreement with its master. Resolves when it is master. @returns the replica */
  failOver(master: OwnMember): Promise<OwnMember>
  /**
   * Moves the slot of a key to another master, key by key, as far as it is gone through. The other one is the first that has not got it, unless it is named;
   * `together`: keys that move in one step, default 1.
   * @yields undefined before the first key has moved, and each key when it has
   */
  moveSlot(key: string, to?: OwnMember, together?: number): AsyncGenerator<string | undefined, void>
  /** Resolves when every node serves and every replica is in step; all must run. */
  untilWhole(): Promise<void>
  /** Closes the connections, ends the processes and removes their data; may be called twice. */
  stop(): Promise<void>
}

/** one that was not reached within five seconds is forgotten by both */
const agreementMs = 6_000
const failOverMs = 60_000
/** how long one that was killed or frozen may be silent before the others call it down */
const goneAfterMs = 2_000

export async function ownCluster(options: OwnClusterOptions = {}): Promise<OwnCluster> {
  const { masters = 3, replicas = 1, config } = options
  const { dir, forget } = ownFolder()
  const lines = options.lines ? openLines() : undefined
  const doors = options.certificate ? openDoors(options.certificate) : undefined
  const announce = (lines ?? doors)?.announce
  const release = async () => {
    await Promise.all([lines?.close(), doors?.close()])
    await forget()
  }
  const settings = {
    server: required('REDIS_SERVER'),
    dir,
    masters,
    replicas,
    nodeTimeoutMs: goneAfterMs,
    settings: { ...writtenAtOnce, ...config },
  }
  const cluster = await startRedisCluster({ ...settings, ...(announce && { announce }) }).catch(async (error) => {
    await release()
    throw error
  })
  const owned = cluster.nodes.map((node) => ({ ...ownNode(node), port: node.place.port }))
  const admins = owned.map(({ node }) => node.redis())
  const patience = createPatience(admins, goneAfterMs, (admin, ms) => admin.config('SET', 'cluster-node-timeout', ms))
  const nodes = owned.map(({ node }, index) => member(patience.endsWith(node), lines?.at(index)))
  const at = (port: number) => nodes[owned.findIndex((each) => each.port === port)] as OwnMember
  await patience.renew()

  /** as the first node sees it that answers; these connections wait for as long as it takes */
  const seen = () => Promise.any(admins.map(describe))
  const replicasOf = async (master: OwnMember) => {
    const known = await seen()
    const id = known.find(({ port }) => at(port) === master)?.id
    return known.filter((each) => each.master === id).map(({ port }) => at(port))
  }
  const slotOf = async (key: string) => Number(await Promise.any(admins.map((admin) => admin.cluster('KEYSLOT', key))))
  const ownerOf = async (slot: number) => {
    const owner = (await seen()).find(({ slots }) => slots.some(([from = 0, to = 0]) => slot >= from && slot <= to))
    if (!owner) throw new Error(`nobody has slot ${slot}`)
    return owner
  }
  return {
    url: cluster.url,
    nodes,
    masterOf: async (key) => at((await ownerOf(await slotOf(key))).port),
    async *moveSlot(key, to, together) {
      const slot = await slotOf(key)
      const { port: from } = await ownerOf(slot)
      const masters = (await seen()).filter(({ slots, port }) => slots.length > 0 && port !== from)
      const target = to ? masters.find(({ port }) => at(port) === to) : masters[0]
      if (!target) throw new Error('there is no other master')
      yield* moveSlot({ slot, from, to: target.port, ...(together && { together }) })
    },
    replicasOf,
    async failOver(master) {
      const [replica] = await replicasOf(master)
      if (!replica) throw new Error('it has no replica')
      const admin = admins[nodes.indexOf(replica)] as (typeof admins)[number]
      let askAgainAt = 0
      const isMaster = async () => {
        if ((await admin.info('replication')).includes('role:master')) return true
        if (performance.now() < askAgainAt) return false
        askAgainAt = performance.now() + agreementMs
        await admin.cluster('FAILOVER').catch((error: Error) => {
          if (!/^ERR You should send/.test(error.message)) throw error // it is master by now
        })
        return false
      }
      // nobody votes twice for replicas of one master in twice the time for which they hold out
      await patience.end()
      await until(isMaster, 'the replica is master', failOverMs)
      return replica
    },
    async untilWhole() {
      await untilWhole(owned)
      await patience.renew()
    },
    async stop() {
      await Promise.all(owned.map(({ end }) => end()))
      await release()
    },
  }
}
