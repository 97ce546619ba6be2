export * from './courier.ts'
