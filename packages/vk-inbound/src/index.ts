export { readConfig, type VkInboundConfig } from './config.ts'
export { startVkInbound } from './start.ts'
