/** What waits in one shard, in one step: of the streams that hold nothing nothing more is asked. */
import { classes } from '@courier-fleet/api-types'
import type { Redis } from '../connection/client.ts'
import { tagOf } from '../hash-tags.ts'
import { keys } from '../keys.ts'
import { bytesReply } from '../replies.ts'
import { defineScript } from '../script.ts'
import type { Overdue } from './overdue.ts'

const backlogScript = defineScript('backlog', {
  keys: ['due', 'channels', 'waiting'],
  args: ['tag', 'now'],
  reply: (reply) => reply as [number, number | null, Buffer[], Buffer[], Buffer[]],
})

export interface ShardBacklog {
  readonly overdue: Overdue
  /** channel and its use */
  readonly channels: readonly (readonly [string, string])[]
  /** channel and how many people wait for it */
  readonly waiting: readonly (readonly [string, string])[]
  /** channel and class of each stream that holds anything */
  readonly streams: readonly (readonly [string, string])[]
}

interface Asked {
  /** Redis's clock, by which deliveries are woken */
  readonly nowMs: number
  readonly withCouriers: readonly string[]
}

export async function readShardBacklog(
  redis: Redis,
  shard: string,
  { nowMs, withCouriers }: Asked,
): Promise<ShardBacklog> {
  const [deliveries, headMs, channels, waiting, streams] = await backlogScript(
    redis,
    { due: keys.due(shard), channels: keys.channels(shard), waiting: keys.waiting(shard) },
    { tag: tagOf(shard), now: nowMs },
    withCouriers,
  )
  return {
    overdue: { deliveries, oldestMs: oldestOf(deliveries, headMs ?? nowMs, nowMs) },
    channels: pairsOf(channels),
    waiting: pairsOf(waiting),
    streams: pairsOf(streams),
  }
}

/** The same of a shard whose slot is on its way to another node: a script finds only a part of it at either, a command finds its key. */
export async function readMovingBacklog(
  redis: Redis,
  shard: string,
  { nowMs, withCouriers }: Asked,
): Promise<ShardBacklog> {
  const due = keys.due(shard)
  const [deliveries, head, channels, waiting] = await Promise.all([
    redis.zcount(due, '-inf', `(${nowMs}`),
    redis.zrange(due, '0', '0', 'WITHSCORES'),
    redis.hgetall(keys.channels(shard)),
    redis.hgetall(keys.waiting(shard)),
  ])
  const names = new Set([...Object.keys(channels), ...withCouriers])
  return {
    overdue: { deliveries, oldestMs: oldestOf(deliveries, Number(head[1] ?? nowMs), nowMs) },
    channels: Object.entries(channels),
    waiting: Object.entries(waiting),
    streams: [...names].flatMap((channel) => classes.map((cls) => [channel, cls] as const)),
  }
}

const oldestOf = (deliveries: number, headMs: number, nowMs: number) =>
  deliveries === 0 ? 0 : Math.max(0, nowMs - headMs)

function pairsOf(flat: readonly Buffer[]): (readonly [string, string])[] {
  const texts = flat.map((each) => bytesReply(each).toString())
  return texts.flatMap((name, index) => (index % 2 === 0 ? [[name, texts[index + 1] as string] as const] : []))
}
