/** Real Redis for tests: an empty database of the shared server, or a server process of one's own to be killed. */
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { freePort } from '../../../scripts/free-port.mjs'
import { startRedis } from '../../../scripts/redis-process.mjs'
import { type OwnNode, ownFolder, ownNode, required, writtenAtOnce } from './own-node.ts'

/** the shared server is started with this many; database 0 only counts which one is next */
const databases = 512

export interface FreshRedis {
  readonly redis: Redis
  readonly url: string
  readonly db: number
  /** Empties the database and closes `redis`; may be called twice. */
  stop(): Promise<void>
}

/** An empty database of its own on the server that `npm test` has started. Channels of pub/sub are shared by all databases. */
export async function freshRedis(): Promise<FreshRedis> {
  const server = new URL(required('TEST_REDIS_URL'))
  server.pathname = ''
  const counter = new Redis(server.href)
  const db = 1 + (((await counter.incr('test:databases')) - 1) % (databases - 1))
  counter.disconnect()
  server.pathname = `/${db}`
  const redis = new Redis(server.href)
  await redis.flushdb()
  let stopped: Promise<void> | undefined
  const stop = async () => {
    if (redis.status === 'end') return
    await redis.flushdb()
    redis.disconnect()
    if ((redis.status as string) !== 'end') await once(redis, 'end')
  }
  return {
    redis,
    url: server.href,
    db,
    stop: () => {
      stopped ??= stop()
      return stopped
    },
  }
}

export interface OwnRedisOptions {
  /** default true: what was acknowledged survives a kill */
  readonly appendonly?: boolean
  /** notify-keyspace-events, default `Ex` */
  readonly events?: string
  /** a cluster of this one node, which has all slots: a command or script with keys of two slots fails */
  readonly cluster?: boolean
  /** further settings as on the command line, without the dashes */
  readonly config?: Readonly<Record<string, string>>
}

export interface OwnRedis extends OwnNode {
  /** Closes the connections, ends the process and removes its data; may be called twice. */
  stop(): Promise<void>
}

/** A Redis process of its own on a free port, to be killed and restarted by the test. */
export async function ownRedis(options: OwnRedisOptions = {}): Promise<OwnRedis> {
  const { dir, forget } = ownFolder()
  const settings = {
    appendonly: options.appendonly === false ? 'no' : 'yes',
    ...writtenAtOnce,
    'notify-keyspace-events': options.events ?? 'Ex',
    // for nodes among themselves: it would be 10 000 above the other, where systems hand out ports by themselves
    ...(options.cluster ? { 'cluster-enabled': 'yes', 'cluster-port': String(await freePort()) } : {}),
    ...options.config,
  }
  const server = await startRedis({ server: required('REDIS_SERVER'), dir, settings }).catch(async (error) => {
    await forget()
    throw error
  })
  if (options.cluster) await ownAllSlots(server.url)
  const { node, end } = ownNode(server)
  return {
    ...node,
    async restart() {
      await node.restart()
      if (options.cluster) await ownAllSlots(server.url)
    },
    async stop() {
      await end()
      await forget()
    },
  }
}

/** Ends the connections of this name that listen in the database of `redis`; they connect again. */
export async function cutListeners(redis: Redis, name: string): Promise<void> {
  const list = (await redis.call('CLIENT', 'LIST', 'TYPE', 'pubsub')) as string
  const ids = list
    .split('\n')
    .filter((line) => line.includes(` name=${name} `) && line.includes(` db=${redis.options.db ?? 0} `))
    .map((line) => /^id=(\d+)/.exec(line)?.[1] as string)
  for (const id of ids) await redis.client('KILL', 'ID', id)
}

/** A node on its own with all slots; it serves them a moment later. Those it had before a restart are its own again. */
async function ownAllSlots(url: string): Promise<void> {
  const redis = new Redis(url)
  try {
    if (!String(await redis.cluster('INFO')).includes('cluster_slots_assigned:16384'))
      await redis.cluster('ADDSLOTSRANGE', 0, 16383)
    while (!String(await redis.cluster('INFO')).includes('cluster_state:ok')) await sleep(20)
  } finally {
    redis.disconnect()
  }
}
