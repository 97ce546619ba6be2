/** All that a scrape shows of the fleet and its Redis. */
import { shardNames } from '@courier-fleet/api-types'
import { systemClock } from '@courier-fleet/process'
import {
  type Alarm,
  type Backlog,
  type FigureName,
  type Memory,
  type Redis,
  readAlarms,
  readBacklog,
  readFigures,
  readMemory,
  type Sums,
} from '@courier-fleet/store'
import { createSubscriptions, readUndelivered, type Undelivered } from '@courier-fleet/subscriptions'
import { type ChannelEndpoints, readEndpoints } from './endpoints-left-alone.ts'

export interface FleetFigures {
  readonly backlog: Backlog
  readonly memory: Memory
  readonly alarms: readonly Alarm[]
  readonly figures: ReadonlyMap<FigureName, Sums>
  readonly undelivered: Undelivered
  readonly endpoints: readonly ChannelEndpoints[]
}

export async function readFleet(redis: Redis, shards: number): Promise<FleetFigures> {
  // where Redis is away this fails, and nothing else is asked
  const backlog = await readBacklog(redis, shards)
  const [memory, alarms, figures, undelivered, endpoints] = await Promise.all([
    readMemory(redis),
    readAlarms(redis),
    readFigures(redis, shardNames(shards)),
    readUndelivered(redis, createSubscriptions({ redis, clock: systemClock, shards }).list),
    readEndpoints(redis),
  ])
  return { backlog, memory, alarms, figures, undelivered, endpoints }
}
