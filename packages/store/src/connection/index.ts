export * from './address.ts'
export * from './check.ts'
export {
  databaseOf,
  everyNode,
  isCluster,
  mastersOf,
  type Redis,
  type RedisNode,
  redisNow,
  scanKeys,
} from './client.ts'
export * from './connect.ts'
export * from './reach.ts'
