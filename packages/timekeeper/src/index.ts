export * from './expiry.ts'
export * from './retention.ts'
export * from './timekeeper.ts'
export * from './watcher/watcher.ts'
