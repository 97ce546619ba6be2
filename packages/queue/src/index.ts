export { buildApp } from './app.ts'
export type { App, AppDeps } from './app-deps.ts'
export { connectQueueRedis } from './connect-queue-redis.ts'
export type { Rules } from './rules.ts'
