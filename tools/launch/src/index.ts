export * from './fleet.ts'
export * from './processes.ts'
export * from './sandbox.ts'
export * from './wall-clock.ts'
