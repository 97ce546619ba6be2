export * from './captured-log.ts'
export { type CourierStage, courierContract } from './courier-contract.ts'
export * from './long-text.ts'
export * from './until.ts'
