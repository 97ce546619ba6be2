import { Redis, type RedisOptions } from 'ioredis'
import { keys } from './keys.ts'
import type { Log } from './log.ts'

export const defaultShards = 16

/**
 * A connection for a process that must not lose what it knows: commands wait for Redis to come back, and are sent again
 * when their reply was lost. Commands of one tick travel together.
 */
export function connectRedis(url: string, options: Omit<RedisOptions, 'replyMapping'> & { name: string }): Redis {
  const { name, ...rest } = options
  const redis = new Redis(url, {
    connectionName: name,
    enableAutoPipelining: true,
    maxRetriesPerRequest: null,
    retryStrategy: (times) => Math.min(50 * 2 ** Math.min(times, 5), 1000),
    lazyConnect: true,
    ...rest,
    replyMapping: 'legacy',
  })
  redis.on('error', () => {}) // said by whoever owns the connection; without a listener the process would end
  return redis
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

/** Turns expiry events on; without them everything still goes out, up to a second late. */
export async function enableExpiryEvents(redis: Redis, log: Log): Promise<void> {
  try {
    const reply = (await redis.config('GET', 'notify-keyspace-events')) as string[]
    const flags = reply[1] ?? ''
    if (flags.includes('E') && (flags.includes('x') || flags.includes('A'))) return
    await redis.config('SET', 'notify-keyspace-events', `${flags}Ex`)
  } catch (error) {
    log.warn({ err: error }, 'expiry events are off and could not be turned on: messages go out up to a second late')
  }
}

/** The number of shards, fixed by whoever starts first. */
export async function readShards(redis: Redis, wanted = defaultShards): Promise<number> {
  await redis.hsetnx(keys.fleet, 'shards', wanted)
  return Number(await redis.hget(keys.fleet, 'shards'))
}

/** Channel of the expiry events of the database this connection uses. */
export function expiredChannel(redis: Redis): string {
  return `__keyevent@${redis.options.db ?? 0}__:expired`
}
