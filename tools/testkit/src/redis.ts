/** Real Redis for tests: an empty database of the shared server, or a server process of one's own to be killed. */
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { freePort } from '../../../scripts/free-port.mjs'
import { startRedis } from '../../../scripts/redis-process.mjs'

/** the shared server is started with this many; database 0 only counts which one is next */
const databases = 512
const graceMs = 10_000

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

export interface OwnRedis {
  readonly url: string
  /** A new connection, closed by `stop()`; connection errors while the server is down are expected and not printed. */
  redis(): Redis
  /** Resolves when the process is gone. Default SIGKILL. */
  kill(signal?: NodeJS.Signals): Promise<void>
  /** The server stands still: it accepts what the kernel accepts for it, and answers nothing. */
  freeze(): void
  /** It goes on as if nothing had been. */
  thaw(): void
  /** Same port, same data. Resolves when it has loaded them and answers. */
  restart(): Promise<void>
  /** Closes the connections, ends the process and removes its data; may be called twice. */
  stop(): Promise<void>
}

/** A Redis process of its own on a free port, to be killed and restarted by the test. */
export async function ownRedis(options: OwnRedisOptions = {}): Promise<OwnRedis> {
  const dir = mkdtempSync(join(tmpdir(), 'courier-fleet-redis-'))
  const forget = () => removeData(dir)
  const settings = {
    appendonly: options.appendonly === false ? 'no' : 'yes',
    // written before it is answered, and not held back while a slow disk syncs: the process is killed, not the machine
    appendfsync: 'no',
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
  const connections = new Set<Redis>()
  const endAtExit = () => server.process.end()
  process.once('exit', endAtExit)

  const kill = async (signal: NodeJS.Signals = 'SIGKILL') => void (await server.process.stop(graceMs, signal))
  return {
    url: server.url,
    redis() {
      const redis = new Redis(server.url, { maxRetriesPerRequest: null, retryStrategy: () => 25 })
      redis.on('error', () => {})
      connections.add(redis)
      return redis
    },
    kill,
    freeze: () => server.process.signal('SIGSTOP'),
    thaw: () => server.process.signal('SIGCONT'),
    async restart() {
      await kill()
      server.process.start()
      await server.ready()
      if (options.cluster) await ownAllSlots(server.url)
    },
    async stop() {
      for (const connection of connections) connection.disconnect()
      connections.clear()
      await kill()
      process.removeListener('exit', endAtExit)
      await forget()
    },
  }
}

/** A child of a killed server that was rewriting the append-only file may add files for a moment longer: so it is looked again what there is. */
async function removeData(dir: string): Promise<void> {
  for (let left = 200; ; left -= 1) {
    try {
      return rmSync(dir, { recursive: true, force: true })
    } catch (error) {
      if (left === 0 || (error as NodeJS.ErrnoException).code !== 'ENOTEMPTY') throw error
      await sleep(50)
    }
  }
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

function required(name: 'TEST_REDIS_URL' | 'REDIS_SERVER'): string {
  const value = process.env[name]
  if (!value) throw new Error(`${name} is not set: run the tests through npm test, which starts a Redis for them`)
  return value
}
