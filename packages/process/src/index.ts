export * from './clock.ts'
export * from './lifecycle.ts'
export * from './log.ts'
export * from './seldom.ts'
