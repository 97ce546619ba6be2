export * from './decide.ts'
export * from './quiet-hours.ts'
export * from './quiet-policy.ts'
