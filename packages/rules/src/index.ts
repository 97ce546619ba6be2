export * from './decide.ts'
