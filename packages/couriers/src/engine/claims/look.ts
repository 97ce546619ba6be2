/** Looks in every shard for what no hint has told of: what is due, what nobody has read, and claims that nobody renews. */
import { classes, type MessageClass, shardNames } from '@courier-fleet/api-types'
import type { Clock } from '@courier-fleet/process'
import { defineScript, keys, listReply, numberReply, optionalReply, type Redis, tagOf } from '@courier-fleet/store'
import type { DueTime, DueTimes } from './due-times.ts'

const lookScript = defineScript('look', {
  keys: ['due'],
  args: ['tag', 'channel', 'leaseMs'],
  reply: listReply(optionalReply(numberReply)),
})

interface Found extends DueTime {
  /** `lapsed`: a lease has run out */
  readonly claims: 'none' | 'held' | 'lapsed'
  /** classes whose stream has what nobody of the channel has read */
  readonly unread: readonly MessageClass[]
}

export async function lookAt(redis: Redis, shard: string, channel: string, leaseMs: number): Promise<Found> {
  const [nowMs = 0, nextMs, claims = 0, ...unread] = await lookScript(
    redis,
    { due: keys.due(shard) },
    { tag: tagOf(shard), channel, leaseMs },
    classes,
  )
  return {
    nowMs,
    nextMs,
    claims: (['none', 'held', 'lapsed'] as const)[claims] ?? 'none',
    unread: classes.filter((_unused, index) => unread[index] === 1),
  }
}

export interface LooksDeps {
  readonly redis: Redis
  readonly channel: string
  readonly shards: number
  readonly leaseMs: number
  readonly clock: Clock
  readonly dueTimes: Pick<DueTimes, 'asking' | 'note'>
  readonly onUnread: (shard: string, unread: readonly MessageClass[]) => void
  /** Somebody's lease has run out in these shards. */
  readonly onLapsed: (shards: readonly string[]) => void
}

/** Nothing is known to be there: what no hint has told of is found after so long. */
const slowMs = 10_000

/**
 * Asked each third of a lease, it looks where somebody has claims; elsewhere after ten seconds, or a lease where that is shorter: a claim that
 * is made after a look has a whole lease.
 */
export function createLooks(deps: LooksDeps): () => Promise<void> {
  const { redis, channel, shards, leaseMs, clock, dueTimes, onUnread, onLapsed } = deps
  const allShards = shardNames(shards)
  const next = new Map<string, number>()

  async function look(shard: string): Promise<Found> {
    dueTimes.asking(shard)
    const found = await lookAt(redis, shard, channel, leaseMs)
    dueTimes.note(shard, found)
    next.set(shard, found.claims === 'none' ? clock.now() + Math.min(leaseMs, slowMs) - earlyMs : 0)
    if (found.unread.length > 0) onUnread(shard, found.unread)
    return found
  }

  return async () => {
    const wanted = allShards.filter((shard) => (next.get(shard) ?? 0) <= clock.now())
    const found = await Promise.all(wanted.map(look))
    const lapsed = wanted.filter((_shard, index) => found[index]?.claims === 'lapsed')
    if (lapsed.length > 0) onLapsed(lapsed)
  }
}

/** A timer may be a little early. */
const earlyMs = 200
