export * from './create-tracker.ts'
export * from './ending.ts'
export * from './tracker.ts'
