/** A Redis with replicas and Sentinels of a test's own, of processes on loopback. */
import type { Redis } from 'ioredis'
import {
  failOver,
  masterName,
  sentinelUrl,
  startRedisSentinel,
  untilWatched,
} from '../../../scripts/redis-sentinel.mjs'
import type { Certificate } from './certificate.ts'
import { member, type OwnMember, openDoors, openLines } from './own-member.ts'
import { type OwnNode, ownFolder, ownNode, required, writtenAtOnce } from './own-node.ts'
import { createPatience } from './patience.ts'
import { until } from './until.ts'

export interface OwnSentinelOptions {
  /** default 2 */
  readonly replicas?: number
  /** how long a master that was killed or frozen may be silent before a Sentinel calls it down; default 2000. Any other has a minute */
  readonly downAfterMs?: number
  /** with a line before every node, on which what its replicas are sent can be delayed and held back */
  readonly lines?: boolean
  /** in the place of lines: where clients find a node or a Sentinel, it speaks TLS too */
  readonly certificate?: Certificate
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
  /** What each Sentinel says of the master and its replicas, for whoever wonders why a fail-over does not come. */
  standing(): Promise<string>
  /** Closes the connections, ends the processes and removes their data; may be called twice. */
  stop(): Promise<void>
}

export async function ownSentinel(options: OwnSentinelOptions = {}): Promise<OwnSentinel> {
  const { replicas = 2, downAfterMs = 2000, config } = options
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
    replicas,
    downAfterMs,
    settings: { ...writtenAtOnce, ...config },
  }
  const started = await startRedisSentinel({ ...settings, ...(announce && { announce }) }).catch(async (error) => {
    await release()
    throw error
  })
  const owned = started.nodes.map((node) => ({ ...ownNode(node), port: node.place.port }))
  const watching = started.sentinels.map((sentinel) => ownNode(sentinel))
  const admins = watching.map(({ node }) => node.redis())
  const patience = createPatience(admins, downAfterMs, (admin, ms) =>
    admin.call('SENTINEL', 'SET', masterName, 'down-after-milliseconds', String(ms)),
  )
  const nodes = owned.map(({ node }, index) => member(patience.endsWith(node), lines?.at(index)))
  await Promise.all(admins.map(hasten))
  await patience.renew()
  const places = doors ? await Promise.all(started.sentinels.map(doors.announce)) : started.sentinels
  if (doors) await announceSentinels(admins, places)
  const ask = (...args: string[]) => Promise.any(admins.map((admin) => admin.call('SENTINEL', ...args)))
  const at = (port: number) => nodes[owned.findIndex((each) => each.port === port)] as OwnMember
  const master = async () => {
    const [, port] = (await ask('GET-MASTER-ADDR-BY-NAME', masterName)) as [string, string]
    return at(Number(port))
  }
  return {
    url: sentinelUrl(places),
    nodes,
    sentinels: watching.map(({ node }) => node),
    master,
    failOver: async () => at(await failOver(admins[0] as Redis)),
    async untilWhole() {
      await untilWatched({ nodes: owned, sentinels: started.sentinels })
      await patience.renew()
    },
    standing: async () => (await Promise.all(admins.map(standingIn))).join('\n'),
    async stop() {
      await Promise.all([...owned, ...watching].map(({ end }) => end()))
      await release()
    },
  }
}

/**
 * A Sentinel looks every ten seconds who replicates whom, and leaves a former master that is back alone for four times as long as it takes to say hello.
 * Whenever its clock has gone back, or it has stood still for two seconds, it does nothing for thirty.
 */
async function hasten(sentinel: Redis): Promise<void> {
  await sentinel.call('SENTINEL', 'DEBUG', 'info-period', '1000', 'publish-period', '500', 'tilt-period', '1000')
}

async function standingIn(sentinel: Redis): Promise<string> {
  const [state, master, replicas] = await Promise.all([
    sentinel.info('sentinel'),
    sentinel.call('SENTINEL', 'MASTER', masterName),
    sentinel.call('SENTINEL', 'REPLICAS', masterName),
  ])
  return `${state.match(/sentinel_tilt:\d/)} ${JSON.stringify({ master, replicas })}`
}

/** Resolves when each has told the others where it is found now. */
async function announceSentinels(sentinels: readonly Redis[], places: readonly { port: number }[]): Promise<void> {
  for (const [index, sentinel] of sentinels.entries()) {
    await sentinel.call('SENTINEL', 'CONFIG', 'SET', 'announce-ip', '127.0.0.1')
    await sentinel.call('SENTINEL', 'CONFIG', 'SET', 'announce-port', String(places[index]?.port))
  }
  await until(async () => {
    const known = await Promise.all(sentinels.map((sentinel) => sentinel.call('SENTINEL', 'SENTINELS', masterName)))
    return known.every((others, own) => {
      const ports = (others as string[][]).map((each) => Number(each[each.indexOf('port') + 1]))
      return places.every(({ port }, index) => index === own || ports.includes(port))
    })
  }, 'the Sentinels are found behind their doors')
}
