/**
 * What scripts that run a fleet take of the packages, and the scripts that take more of them. It is bundled like a program (bundle.mjs), so
 * `npm start` waits for no other build; imported from there alone.
 */
export { restoreBackup, takeBackup } from '@courier-fleet/backup'
export { channels, isReal } from '@courier-fleet/channels'
export { createApiKeys } from '@courier-fleet/directory'
export { systemClock } from '@courier-fleet/process'
export {
  checkRedis,
  connectRedis,
  connectSubscriber,
  firstSettings,
  joinFleet,
  keys,
  placeOfRedis,
  reachRedis,
  readBacklog,
  startLiveSettings,
  wantedShards,
} from '@courier-fleet/store'
export { createCourierProcesses, loadOf } from './courier-processes.mjs'
export { hears, inboundProcesses } from './inbound.mjs'
export {
  commandOf,
  courierProgram,
  inboundProgram,
  mainOf,
  notifierProgram,
  queueProgram,
  sandboxProgram,
  timekeeperProgram,
} from './programs.mjs'
export { linkSandbox } from './sandbox-link.mjs'
