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
export { type SlotMove, slotMoves } from './moves.ts'
export { reachRedis, tellOutages } from './reach.ts'
export * from './served.ts'
export { sharedRead } from './shared-read.ts'
