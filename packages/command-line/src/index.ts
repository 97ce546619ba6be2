export { fleetCommand, importCommand, recountCommand, sendCommand } from './fleet.ts'
export type { Backups, Terminal } from './terminal.ts'
