/** All that a scrape shows of the fleet and its Redis. */
import { shardNames } from '@courier-fleet/api-types'
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

export interface FleetFigures {
  readonly backlog: Backlog
  readonly memory: Memory
  readonly alarms: readonly Alarm[]
  readonly figures: ReadonlyMap<FigureName, Sums>
}

export async function readFleet(redis: Redis, shards: number): Promise<FleetFigures> {
  // where Redis is away this fails, and nothing else is asked
  const backlog = await readBacklog(redis, shards)
  const [memory, alarms, figures] = await Promise.all([
    readMemory(redis),
    readAlarms(redis),
    readFigures(redis, shardNames(shards)),
  ])
  return { backlog, memory, alarms, figures }
}
