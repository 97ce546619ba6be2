export { connectFleet, type Fleet } from './fleet.ts'
export { hear } from './heard.ts'
export { createSerializer } from './serializer.ts'
export { type InboundSettings, readInboundSettings } from './settings.ts'
