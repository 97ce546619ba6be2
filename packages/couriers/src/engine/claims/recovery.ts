/** Claims what trouble has left behind: another process that died, or a reply of Redis that never came. */

import { shardNames } from '@courier-fleet/api-types'
import type { Clock, Log } from '@courier-fleet/process'
import type { Scheduler } from '../jobs/scheduler.ts'
import type { Claim } from './claim.ts'
import type { Leases } from './leases.ts'
import type { WorkStreams } from './work-streams.ts'

export interface RecoveryDeps {
  readonly streams: Pick<WorkStreams, 'takeOver' | 'takeBack'>
  readonly leases: Pick<Leases, 'holds' | 'size' | 'renew'>
  readonly scheduler: Pick<Scheduler, 'freeSlots' | 'enqueue'>
  /** where it is seen later that another process had left these */
  readonly note: (claims: readonly Claim[]) => Promise<void>
  readonly shards: number
  readonly leaseMs: number
  /** measures durations: one that nobody sets */
  readonly clock: Clock
  readonly log: Log
  readonly stopping: AbortSignal
}

export interface Recovery {
  /** Does what it was asked for. No read may be under way meanwhile. */
  run(): Promise<void>
  /** Leases have run out in these shards. */
  lapsed(shards: readonly string[]): void
  /** There may be claims that are this process's own and that it knows nothing of. */
  lookBackSoon(): void
  /** Redis can be reached from now on: leases that ran out before that are nobody's fault. */
  onReachable(): void
}

const soonMs = 1_000
/** What Redis was told before it fell silent it may do at any time after it speaks again: looking back once could come too early. */
const lookBacks = 3
/** claims of its own to look for at once, beside those it holds */
const maxOwn = 500

export function createRecovery(deps: RecoveryDeps): Recovery {
  const { streams, leases, scheduler, note, shards, leaseMs, clock, log, stopping } = deps
  const allShards = shardNames(shards)
  let reachableSince = 0
  let lapsed: readonly string[] = []
  let lookBackAt = Number.POSITIVE_INFINITY
  let looksLeft = 0

  const lookBackSoon = () => {
    looksLeft = lookBacks
    lookBackAt = Math.min(lookBackAt, clock.now() + soonMs)
  }

  /**
   * Claims of processes that have not renewed them for a whole lease. Not right after Redis was away: give them a lease. Its own
   * leases may have run out as well, while it or Redis stood still: they are renewed in the same breath, before it looks, for it
   * would take over from itself what it works on, and whoever is being sent to would be in doubt.
   */
  async function takeOver(): Promise<void> {
    const some = lapsed
    lapsed = []
    if (clock.now() - reachableSince < leaseMs) return
    for (const shard of some) {
      if (scheduler.freeSlots() <= 0 || stopping.aborted) return
      const renewing = leases.renew(shard)
      const [claims] = await Promise.all([streams.takeOver(shard, leaseMs, scheduler.freeSlots()), renewing])
      await scheduler.enqueue(claims)
      if (claims.length === 0) continue
      log.warn({ shard, claims: claims.length }, 'took over what another process left')
      // what is sent does not depend on it
      note(claims).catch((err) => log.warn({ err, shard }, 'what was taken over could not be noted'))
    }
  }

  /** Claims that nobody works on although they are this process's own: it need not wait for its own lease to run out. */
  async function takeBack(): Promise<void> {
    looksLeft -= 1
    lookBackAt = looksLeft > 0 ? clock.now() + soonMs : Number.POSITIVE_INFINITY
    for (const shard of allShards) {
      if (stopping.aborted) return
      if (scheduler.freeSlots() <= 0) return lookBackSoon()
      const claims = await streams.takeBack(shard, leases.holds, leases.size() + maxOwn)
      if (claims.length > 0) log.warn({ shard, claims: claims.length }, 'took up again what trouble had interrupted')
      await scheduler.enqueue(claims)
    }
  }

  return {
    async run() {
      if (clock.now() >= lookBackAt) await takeBack()
      if (lapsed.length > 0) await takeOver()
    },
    lapsed(shards) {
      lapsed = shards
    },
    lookBackSoon,
    onReachable() {
      reachableSince = clock.now()
      lookBackSoon()
    },
  }
}
