export * from './decide.ts'
export * from './plan.ts'
export * from './quiet-hours.ts'
export * from './switches.ts'
