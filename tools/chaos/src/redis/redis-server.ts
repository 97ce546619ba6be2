/** What the fleet of a run lives on: durable, each process of it killed like any other, its data loaded again at every start. */
import type { Member, Processes } from '@courier-fleet/launch'
import type { Redis } from '@courier-fleet/store'
import type { Line } from '@courier-fleet/testkit/link'
import { Redis as OneRedis } from 'ioredis'

export const redisKinds = ['one', 'cluster', 'sentinel'] as const
export type RedisKind = (typeof redisKinds)[number]

/** A process of Redis. */
export interface RedisMember {
  readonly member: Member
  /** of whoever sets the fleet up; the fleet itself may not change Redis's settings */
  readonly admin: OneRedis
}

/** One of several, which have replicas of each other. */
export interface ReplicatedMember extends RedisMember {
  /** between it and its replicas */
  readonly toReplicas: Line
  /** It is cut off from all other processes of Redis, and not from the fleet. @returns makes it whole again */
  isolate(): Promise<() => Promise<void>>
}

export interface RedisServer {
  readonly kind: RedisKind
  readonly url: string
  /** for keys of the fleet */
  readonly admin: Redis
  readonly nodes: readonly RedisMember[]
  /** what faults of replication need; undefined for one Redis, which has none */
  readonly replication?: Replication
  /** where this process finds it: opens the process's line */
  urlOf(name: string): Promise<string>
  /** between this process and all of Redis */
  lineOf(name: string): Line
  /** Resolves when all of it serves, and replicas are in step. */
  ready(): Promise<void>
  close(): Promise<void>
}

export interface Replication {
  /** those that serve now */
  masters(): Promise<readonly ReplicatedMember[]>
  replicasOf(master: ReplicatedMember): Promise<readonly ReplicatedMember[]>
  /**
   * Of a cluster. Moves the slot of this key to another master, whole where that is wanted and the engine can, else key by key, and resolves
   * when that one's replica has all of it.
   */
  reshard?(key: string, isWhole: boolean): Promise<void>
  /** A replica takes over by agreement. */
  failOver(master: ReplicatedMember): Promise<void>
  /** One failure at a time: what is promised is promised of one. Resolves when all is whole again. */
  alone(fail: () => Promise<void>): Promise<void>
}

export interface RedisDeps {
  readonly processes: Processes
  readonly executable: string
  /** of the fleet */
  readonly dir: string
  /** how much later a replica hears what its master has done */
  readonly lagMs: number
  /** how far apart the clocks of the nodes are */
  readonly skewMs: number
}

export const adminPassword = 'chaos'
export const redisSettings = {
  appendonly: 'yes',
  // what it has answered is in the file before, and outlives it: with everysec not where the disk is slow (docs/faults.md)
  appendfsync: 'no',
  // as on a managed Redis: events can be turned off and the fleet cannot turn them on
  user: [
    ['default', 'on', 'nopass', '~*', '&*', '+@all', '-config'],
    ['admin', 'on', `>${adminPassword}`, '~*', '&*', '+@all'],
  ],
}

export const connectAdmin = (port: number): OneRedis => connect(port, { username: 'admin', password: adminPassword })

/** A Sentinel has users of its own: the one that everybody is. */
export const connectSentinel = (port: number): OneRedis => connect(port, {})

function connect(port: number, who: { readonly username?: string; readonly password?: string }): OneRedis {
  const redis = new OneRedis(port, '127.0.0.1', { ...who, maxRetriesPerRequest: null, retryStrategy: () => 50 })
  redis.on('error', () => {}) // expected while it is away
  return redis
}
