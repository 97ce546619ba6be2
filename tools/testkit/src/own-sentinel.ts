/** A Redis with replicas and Sentinels of a test's own, of processes on loopback. */
import { masterName, startRedisSentinel, untilWatched } from '../../../scripts/redis-sentinel.mjs'
import { member, type OwnMember, openLines } from './own-member.ts'
import { type OwnNode, ownFolder, ownNode, required } from './own-node.ts'
import { until } from './until.ts'

export interface OwnSentinelOptions {
  /** default 2 */
  readonly replicas?: number
  /** how long the master may be silent before a Sentinel calls it down; default 2000 */
  readonly downAfterMs?: number
  /** with a line before every node, on which what its replicas are sent can be delayed and held back */
  readonly lines?: boolean
  /** further settings of master and replicas as on the command line, without the dashes */
  readonly config?: Readonly<Record<string, string>>
}

export interface OwnSentinel {
  readonly url: string
  /** the first was master at first */
  readonly nodes: readonly OwnMember[]
  readonly sentinels: readonly OwnNode[]
  /** Who is master in the eyes of a Sentinel that runs. */
  master(): Promise<OwnMember>
  /** A replica is made master. Resolves when it is. @returns the new master */
  failOver(): Promise<OwnMember>
  /** Resolves when one is master, the others are in step and the Sentinels know all; all must run. */
  untilWhole(): Promise<void>
  /** Closes the connections, ends the processes and removes their data; may be called twice. */
  stop(): Promise<void>
}

export async function ownSentinel(options: OwnSentinelOptions = {}): Promise<OwnSentinel> {
  const { replicas = 2, downAfterMs = 2000, config } = options
  const { dir, forget } = ownFolder()
  const lines = options.lines ? openLines() : undefined
  const release = async () => {
    await lines?.close()
    await forget()
  }
  const settings = { server: required('REDIS_SERVER'), dir, replicas, downAfterMs, settings: config ?? {} }
  const started = await startRedisSentinel({ ...settings, ...(lines && { announce: lines.announce }) }).catch(
    async (error) => {
      await release()
      throw error
    },
  )
  const owned = started.nodes.map((node) => ({ ...ownNode(node), port: node.place.port }))
  const watching = started.sentinels.map((sentinel) => ownNode(sentinel))
  const nodes = owned.map(({ node }, index) => member(node, lines?.at(index)))
  const admins = watching.map(({ node }) => node.redis())
  const ask = (...args: string[]) => Promise.any(admins.map((admin) => admin.call('SENTINEL', ...args)))
  const master = async () => {
    const [, port] = (await ask('GET-MASTER-ADDR-BY-NAME', masterName)) as [string, string]
    return nodes[owned.findIndex((each) => each.port === Number(port))] as OwnMember
  }
  return {
    url: started.url,
    nodes,
    sentinels: watching.map(({ node }) => node),
    master,
    async failOver() {
      const former = await master()
      await admins[0]?.call('SENTINEL', 'FAILOVER', masterName)
      return until(async () => {
        const now = await master()
        return now !== former && now
      }, 'another is master')
    },
    untilWhole: () => untilWatched({ nodes: owned, sentinels: started.sentinels }),
    async stop() {
      await Promise.all([...owned, ...watching].map(({ end }) => end()))
      await release()
    },
  }
}
