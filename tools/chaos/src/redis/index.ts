import { startOneRedis } from './one.ts'
import type { RedisDeps, RedisKind, RedisServer } from './redis-server.ts'
import { startRedisCluster, startRedisSentinel } from './replicated.ts'

const starts = { one: startOneRedis, cluster: startRedisCluster, sentinel: startRedisSentinel }

export const startRedisServer = (kind: RedisKind, deps: RedisDeps): Promise<RedisServer> => starts[kind](deps)
export {
  type RedisKind,
  type RedisMember,
  type RedisServer,
  type ReplicatedMember,
  type Replication,
  redisKinds,
} from './redis-server.ts'
