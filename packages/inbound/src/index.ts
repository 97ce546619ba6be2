export { connectFleet, type Fleet, type FleetConnection } from './fleet.ts'
export { type InboundSettings, readInboundSettings } from './settings.ts'
