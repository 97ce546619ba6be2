export * from './create-tracker.ts'
export * from './tracker.ts'
