export * from './timekeeper.ts'
