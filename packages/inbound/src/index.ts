export { connectFleet, type Fleet, type FleetConnection } from './fleet.ts'
export { createSerializer } from './serializer.ts'
export { type InboundSettings, readInboundSettings } from './settings.ts'
