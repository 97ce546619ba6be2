export { fleetCommand, importCommand, recountCommand, sendCommand } from './fleet.ts'
export type { Terminal } from './terminal.ts'
