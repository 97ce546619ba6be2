export * from './retention.ts'
export * from './timekeeper.ts'
