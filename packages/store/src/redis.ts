import type { Log } from '@courier-fleet/process'
import { steadyClock } from '@courier-fleet/process'
import { Redis, type RedisOptions } from 'ioredis'

/**
 * Whoever is asked and says nothing for so long is left for a new connection. A healthy Redis may stall for a second or two
 * (fsync, a slow script), and after an outage everything has to be out within five.
 */
const silenceMs = 2_500
const maxRetryMs = 1_000

/**
 * A connection for a process that must not lose what it knows: commands wait for Redis to come back, and are sent again
 * when their reply was lost. Commands of one tick travel together; when only some of their replies came, the rest is
 * rejected (AbortError), and whoever asked must ask again.
 */
export function connectRedis(url: string, options: Omit<RedisOptions, 'replyMapping'> & { name: string }): Redis {
  const { name, ...rest } = options
  const redis = new Redis(url, {
    connectionName: name,
    enableAutoPipelining: true,
    maxRetriesPerRequest: null,
    retryStrategy: (times) => Math.min(50 * 2 ** Math.min(times, 5), maxRetryMs),
    // Redis guesses how long it will be loading, and is often wrong
    maxLoadingRetryTime: maxRetryMs,
    connectTimeout: silenceMs,
    socketTimeout: silenceMs,
    lazyConnect: true,
    ...rest,
    replyMapping: 'legacy',
  })
  // said by reachRedis and tellOutages; without a listener the process would end
  redis.on('error', (error: Error) => {
    if (error.name === 'ReplyError') refusals.set(redis, error)
  })
  redis.on('ready', () => refusals.delete(redis))
  return redis
}

const refusals = new WeakMap<Redis, Error>()

/** What Redis said when it was last tried to connect to it, and would not serve; undefined while the connection is there. */
export const lastRefusal = (redis: Redis): Error | undefined => refusals.get(redis)

/** Connects all of these, waiting while Redis loads its data. @throws Error in one line that says where, and why not */
export async function reachRedis(...connections: readonly Redis[]): Promise<void> {
  await Promise.all(
    connections.map(async (redis) => {
      let why = 'the connection was closed'
      const note = (error: Error) => {
        why = reasonOf(error)
      }
      redis.on('error', note)
      try {
        await redis.connect()
      } catch {
        for (const connection of connections) connection.disconnect()
        throw new Error(`Redis at ${redis.options.host}:${redis.options.port} cannot be reached: ${why}`)
      } finally {
        redis.off('error', note)
      }
    }),
  )
}

/** Says once that Redis is away, however often it is tried, and once that it is back. */
export function tellOutages(redis: Redis, log: Log): void {
  let awaySince: number | undefined
  let why = 'the connection was closed'
  redis.on('error', (error: Error) => {
    why = reasonOf(error)
  })
  redis.on('reconnecting', () => {
    if (awaySince === undefined) log.warn({ why }, 'Redis is away; trying again until it is back')
    awaySince ??= steadyClock.now()
  })
  redis.on('ready', () => {
    if (awaySince !== undefined) log.warn({ awayMs: Math.round(steadyClock.now() - awaySince) }, 'Redis is back')
    awaySince = undefined
    why = 'the connection was closed'
  })
}

/** A name that stands for several addresses fails with several errors and no message. */
function reasonOf(error: Error): string {
  return error.message || (error as NodeJS.ErrnoException).code || error.name
}

function parseInfo(text: string): Map<string, string> {
  return new Map(
    text
      .split('\r\n')
      .filter((line) => line.includes(':'))
      .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1)]),
  )
}

/** Refuses a Redis that would lose messages, and says loudly what is merely unwise. @throws Error in one line */
export async function checkRedis(redis: Redis, log: Log): Promise<void> {
  const info = parseInfo(await redis.info())
  const valkey = info.get('valkey_version')
  const version = valkey ?? info.get('redis_version') ?? '0'
  const wanted = valkey ? 8 : 7
  if (Number.parseInt(version, 10) < wanted) {
    throw new Error(`${valkey ? 'Valkey' : 'Redis'} ${version} is too old: courier-fleet needs Redis 7 or Valkey 8`)
  }
  const policy = info.get('maxmemory_policy')
  if (policy && policy !== 'noeviction') {
    throw new Error(`Redis would evict messages (maxmemory-policy ${policy}): set it to noeviction`)
  }
  if (info.get('aof_enabled') === '0') {
    log.warn('Redis keeps no append-only file: a crash of Redis may lose accepted messages (set appendonly yes)')
  }
}
