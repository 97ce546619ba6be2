/** Has the statistics of hours that are over summed for whoever asks for a week of them. Nothing depends on it but how fast they are told. */
import { shardNames } from '@courier-fleet/api-types'
import type { Log } from '@courier-fleet/process'
import { createStats, type Redis } from '@courier-fleet/store'
import { createRounds, type Rounds } from './rounds.ts'

const roundMs = 60_000

export interface StatsHoursDeps {
  readonly redis: Redis
  readonly shards: number
  readonly log: Log
}

export function createStatsHours({ redis, shards, log }: StatsHoursDeps): Rounds {
  const stats = createStats({ redis, shards: shardNames(shards) })
  return createRounds({ round: stats.keep, roundMs, log, failed: 'cannot sum the hours that are over' })
}
