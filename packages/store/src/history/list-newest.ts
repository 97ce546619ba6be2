/** The newest messages of one sender, or of everybody; and those that wait for an operator. */
import { type HistoryRef, refOfMember, shardNames, systemSender } from '@courier-fleet/api-types'
import type { Redis } from '../connection/client.ts'
import { keys } from '../keys.ts'
import { acceptedMs } from './view.ts'

interface ListDeps {
  readonly redis: Redis
  readonly shards: number
}

/** Newest first. @param before Unix ms, exclusive */
export async function listNewest(
  { redis, shards }: ListDeps,
  sender: string | undefined,
  before: number,
  limit: number,
): Promise<HistoryRef[]> {
  const found = await Promise.all(
    shardNames(shards).map(async (shard) => {
      const senders = sender === undefined ? await sendersBefore(redis, shard, before, limit) : [sender]
      return Promise.all(senders.map((each) => listOf(redis, shard, each, before, limit)))
    }),
  )
  return newestOf(found.flat(2), limit)
}

/** Those that wait for an operator, the last that came to wait first. @param before Unix ms, exclusive */
export async function listHeld(
  { redis, shards }: ListDeps,
  sender: string | undefined,
  before: number,
  limit: number,
): Promise<HistoryRef[]> {
  const found = await Promise.all(
    shardNames(shards).map(async (shard) => {
      const rows = await redis.zrevrangebyscore(keys.held(shard), `(${before}`, '-inf', 'WITHSCORES')
      const held: { ref: HistoryRef; at: number }[] = []
      for (let at = 0; at < rows.length; at += 2) {
        const ref = refOfMember(shard, rows[at] as string)
        if (sender === undefined || ref.sender === sender) held.push({ ref, at: Number(rows[at + 1]) })
      }
      return held.slice(0, limit)
    }),
  )
  return newestOf(found.flat(), limit)
}

const newestOf = (found: readonly { ref: HistoryRef; at: number }[], limit: number): HistoryRef[] =>
  [...found]
    .sort((a, b) => b.at - a.at)
    .slice(0, limit)
    .map(({ ref }) => ref)

async function listOf(redis: Redis, shard: string, sender: string, before: number, limit: number) {
  const entries = await redis.xrevrange(keys.sent(shard, sender), before - 1, '-', 'COUNT', limit)
  return entries.map(([entry, fields]) => {
    const ref: HistoryRef = { shard, sender, id: fields[1] as string }
    return { ref, at: acceptedMs(entry) }
  })
}

/** Whoever may have sent one of the `limit` newest messages of a shard before that time, the fleet itself excepted. */
async function sendersBefore(redis: Redis, shard: string, before: number, limit: number): Promise<string[]> {
  const senders = keys.senders(shard)
  const [since, latest] = await Promise.all([
    redis.zrangebyscore(senders, before, '+inf'),
    redis.zrevrangebyscore(senders, `(${before}`, '-inf', 'LIMIT', 0, limit),
  ])
  return [...since, ...latest].filter((sender) => sender !== systemSender)
}
