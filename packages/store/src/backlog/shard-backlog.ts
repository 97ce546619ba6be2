/** What waits in one shard, in one step: of the streams that hold nothing nothing more is asked. */
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

/** @param nowMs Redis's clock, by which deliveries are woken */
export async function readShardBacklog(
  redis: Redis,
  shard: string,
  { nowMs, withCouriers }: { nowMs: number; withCouriers: readonly string[] },
): Promise<ShardBacklog> {
  const [deliveries, headMs, channels, waiting, streams] = await backlogScript(
    redis,
    { due: keys.due(shard), channels: keys.channels(shard), waiting: keys.waiting(shard) },
    { tag: tagOf(shard), now: nowMs },
    withCouriers,
  )
  const oldestMs = deliveries === 0 ? 0 : Math.max(0, nowMs - (headMs ?? nowMs))
  return {
    overdue: { deliveries, oldestMs },
    channels: pairsOf(channels),
    waiting: pairsOf(waiting),
    streams: pairsOf(streams),
  }
}

function pairsOf(flat: readonly Buffer[]): (readonly [string, string])[] {
  const texts = flat.map((each) => bytesReply(each).toString())
  return texts.flatMap((name, index) => (index % 2 === 0 ? [[name, texts[index + 1] as string] as const] : []))
}
