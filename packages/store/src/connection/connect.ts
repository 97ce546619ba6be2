import { steadyClock } from '@courier-fleet/process'
import { Redis as OneRedis } from 'ioredis'
import { parseRedisUrl, placeOf, type RedisAddress, rightUrl } from './address.ts'
import type { Redis, RedisNode } from './client.ts'
import { corked } from './corked.ts'
import { PatientCluster } from './retry-policy.ts'
import { leaveSilent } from './silence.ts'

/**
 * Whoever is asked and says nothing for so long is left for a new connection. A healthy Redis may stall for a second or two
 * (fsync, a slow script), and after an outage everything has to be out within five.
 */
const silenceMs = 2_500
const maxRetryMs = 1_000
/** how much sooner than its commands a silent connection is left, so that all on it fail together and those that follow at once */
const soonerMs = 100
/** a slot that is on its way, and one whose master is gone */
const againMs = 50
const refreshMs = 5_000

export interface ConnectionOptions {
  /** told to Redis */
  readonly name: string
  /** commands fail after so long, and at once while there is no connection: somebody waits. Without it they wait for Redis to come back */
  readonly patienceMs?: number
  /** it is there to be told: commands fail at once while there is no connection, and what it listened to before is not listened to by itself */
  readonly listens?: boolean
}

const retryStrategy = (times: number) => Math.min(50 * 2 ** Math.min(times, 5), maxRetryMs)

/**
 * A connection for a process that must not lose what it knows: commands wait for Redis to come back, and are sent again when their reply was lost.
 * The URL says whether it is one Redis, the master that Sentinels name, or a cluster.
 */
export function connectRedis(url: string, options: ConnectionOptions): Redis {
  const address = addressIn(url)
  return address.kind === 'cluster' ? known(connectCluster(address, options), address) : connectNode(url, options)
}

/** The same to one node, where every command is allowed. */
export function connectNode(url: string, options: ConnectionOptions): RedisNode {
  const address = addressIn(url)
  if (address.kind === 'cluster') throw new Error('a cluster is not one node')
  return known(corked(leaveSilent(connectOne(address, options)), options.patienceMs), address)
}

function addressIn(url: string): RedisAddress {
  const address = parseRedisUrl(url)
  if (!address) throw new Error(`Redis is named by ${rightUrl}`)
  return address
}

function known<R extends Redis>(redis: R, address: RedisAddress): R {
  places.set(redis, placeOf(address))
  // said by reachRedis and tellOutages; without a listener the process would end
  const note = (error: Error) => {
    if (error.name === 'ReplyError') refusals.set(redis, error)
  }
  redis.on('error', note)
  redis.on('node error', note)
  redis.on('ready', () => refusals.delete(redis))
  return redis
}

function common({ isEncrypted, user, password, db }: RedisAddress, { name, patienceMs }: ConnectionOptions) {
  return {
    connectionName: name,
    // Redis guesses how long it will be loading, and is often wrong
    maxLoadingRetryTime: maxRetryMs,
    connectTimeout: silenceMs,
    socketTimeout: patienceMs === undefined ? silenceMs : patienceMs - soonerMs,
    db,
    ...(user === undefined ? {} : { username: user }),
    ...(password === undefined ? {} : { password }),
    ...(isEncrypted ? { tls: {} } : {}),
    replyMapping: 'legacy',
  } as const
}

function connectOne(address: RedisAddress, options: ConnectionOptions): OneRedis {
  const { patienceMs, listens } = options
  const [endpoint] = address.endpoints
  const where =
    address.kind === 'one'
      ? endpoint
      : {
          sentinels: [...address.endpoints],
          name: address.masterName as string,
          sentinelRetryStrategy: retryStrategy,
          sentinelCommandTimeout: silenceMs,
          failoverDetector: true,
          ...(address.isEncrypted ? { enableTLSForSentinelMode: true, sentinelTLS: {} } : {}),
        }
  const onRefusal = address.kind === 'one' ? lookAnew() : whoeverIsMaster
  const redis: OneRedis = new OneRedis({
    ...common(address, options),
    ...where,
    retryStrategy,
    reconnectOnError: (error) => onRefusal(redis, error),
    lazyConnect: true,
    ...(patienceMs === undefined && !listens
      ? { maxRetriesPerRequest: null }
      : { maxRetriesPerRequest: 0, enableOfflineQueue: false }),
    ...(listens ? { autoResubscribe: false } : {}),
  })
  return hearsInTime(redis)
}

/**
 * Whoever hears of a fail-over from a Sentinel leaves the connection that there is. ioredis (6.0.0) listens on after that is lost, and what it hears
 * while it asks who is master now ends it for good: so that of a lost connection is heard no more.
 */
function hearsInTime(redis: OneRedis): OneRedis {
  const { connector } = redis as unknown as { connector: { failoverDetector?: { cleanup(): void } | null } }
  redis.on('close', () => connector.failoverDetector?.cleanup())
  return redis
}

/** What ioredis does: nothing; connects anew, and the command fails; connects anew, and sends the command again. */
type Reaction = false | 1 | 2
const [nothing, anew, anewAndAgain] = [false, 1, 2] as const

/** Behind Sentinels a connection is ready once it is to a master that has loaded its data: what is said so by another was for that one. */
const whoeverIsMaster = (_redis: Redis, { message }: Error): Reaction =>
  /^(READONLY|LOADING|MASTERDOWN) /.test(message) ? anewAndAgain : nothing

/**
 * One Redis that loads its data says so to a new connection until it is done. One that has become a replica stays so, as far as it knows; but its name
 * may lead to another by now, and that is looked at from time to time.
 */
function lookAnew() {
  let lookedMs = Number.NEGATIVE_INFINITY
  return (redis: Redis, error: Error): Reaction => {
    const isLoading = error.message.startsWith('LOADING ')
    if (!isLoading && !/^(READONLY|MASTERDOWN) /.test(error.message)) return nothing
    const nowMs = steadyClock.now()
    if (!isLoading && nowMs - lookedMs < refreshMs) return nothing
    lookedMs = nowMs
    refusals.set(redis, error) // until the new connection is ready
    return isLoading ? anewAndAgain : anew
  }
}

function connectCluster(address: RedisAddress, options: ConnectionOptions): PatientCluster {
  const { patienceMs } = options
  const cluster = new PatientCluster([...address.endpoints], {
    redisOptions: {
      ...common(address, options),
      maxRetriesPerRequest: null,
      // commands would wait in the queue of a node until it has loaded its data, when another has long served their slots
      enableReadyCheck: false,
    },
    clusterRetryStrategy: retryStrategy,
    slotsRefreshTimeout: silenceMs,
    slotsRefreshInterval: refreshMs,
    retryDelayOnFailover: againMs,
    retryDelayOnClusterDown: againMs,
    retryDelayOnTryAgain: againMs,
    // two that name each other, for as long as a fail-over takes, are not asked without a breath
    retryDelayOnMoved: 10,
    // a certificate is for a name
    dnsLookup: (host, found) => found(null, host),
    lazyConnect: true,
    ...(patienceMs === undefined ? {} : { patienceMs, enableOfflineQueue: false }),
  })
  cluster.on('+node', (node: RedisNode) => corked(leaveSilent(node)))
  return cluster
}

const places = new WeakMap<object, string>()
const refusals = new WeakMap<object, Error>()

/** Where it is, for a sentence. */
export const placeOfRedis = (redis: Redis): string => places.get(redis) ?? 'Redis'

/** What Redis said when it was last tried to connect to it, and would not serve; undefined while the connection is there. */
export const lastRefusal = (redis: Redis): Error | undefined => refusals.get(redis)
