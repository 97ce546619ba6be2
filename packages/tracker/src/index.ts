export * from './tracker.ts'
