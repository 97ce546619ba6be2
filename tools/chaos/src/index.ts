export * from './chaos-command.ts'
export * from './report.ts'
export { type ChaosReport, isClean } from './run.ts'
