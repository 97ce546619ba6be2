import { budgets } from './budgets.ts'
import { caps } from './caps.ts'
import type { Draw, FaultName } from './fault.ts'
import { growth } from './growth.ts'
import { clockStep, freeze, kill, rollingRestart } from './process-faults.ts'
import { providerDisconnect, providerHang, providerSlow, providerThrottle, receiptChaos } from './provider-faults.ts'
import { eventsOff, redisAway, redisKill, replyLost, subscriberCut } from './redis-faults.ts'
import {
  failOver,
  masterFreeze,
  masterKill,
  noReplica,
  partition,
  reshard,
  startInFailOver,
  withoutEvents,
} from './replication-faults.ts'
import { quietHours } from './rule-faults.ts'
import { upgrade } from './upgrade.ts'

export const draws: Readonly<Record<FaultName, Draw>> = {
  kill,
  freeze,
  'redis-kill': redisKill,
  'redis-away': redisAway,
  'reply-lost': replyLost,
  'events-off': eventsOff,
  'subscriber-cut': subscriberCut,
  'provider-hang': providerHang,
  'provider-disconnect': providerDisconnect,
  'provider-throttle': providerThrottle,
  'provider-slow': providerSlow,
  'receipt-chaos': receiptChaos,
  'clock-step': clockStep,
  'rolling-restart': rollingRestart,
  upgrade,
  'quiet-hours': quietHours,
  caps,
  budgets,
  'master-kill': masterKill,
  'master-freeze': masterFreeze,
  'start-in-fail-over': startInFailOver,
  'fail-over': failOver,
  'no-replica': noReplica,
  partition,
  'without-events': withoutEvents,
  reshard,
  growth,
}

export {
  clusterFaultNames,
  type FaultDeps,
  type FaultName,
  faultNames,
  type Planned,
  replicationFaultNames,
} from './fault.ts'
export { killAt, killFirstAt } from './process-faults.ts'
