/** Has new things laid by all shards of a fleet that grows, once every process that is alive looks into them (decision 118). */
import type { Log } from '@courier-fleet/process'
import {
  type Durability,
  endGrowth,
  isGrowing,
  laysByFewer,
  type Redis,
  readProcesses,
  readShards,
  unawareOf,
} from '@courier-fleet/store'
import { createRounds, type Rounds } from './rounds.ts'

const roundMs = 1_000

export interface GrowthDeps {
  readonly redis: Redis
  readonly durability: Pick<Durability, 'begin'>
  readonly log: Log
}

export function createGrowth({ redis, durability, log }: GrowthDeps): Rounds {
  async function round(): Promise<void> {
    // whoever does not look into all itself cannot have it done
    if (!laysByFewer()) return
    const fleet = await readShards(redis)
    if (!isGrowing(fleet)) return
    const processes = await readProcesses(redis)
    // its own name among them: where none is there Redis has forgotten them, and nothing is known
    if (processes.length === 0 || unawareOf(processes, fleet.shards).length > 0) return
    await endGrowth(redis, durability, fleet)
    log.info(
      { shards: fleet.shards },
      'the shards have grown: every process looks into all of them, and new messages are laid by all',
    )
  }
  return createRounds({ round, roundMs, log, failed: 'cannot have new messages laid by all shards' })
}
