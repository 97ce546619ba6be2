export * from './directory.ts'
