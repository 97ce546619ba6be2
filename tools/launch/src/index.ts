export * from './fleet.ts'
export * from './processes.ts'
export * from './sandbox.ts'
