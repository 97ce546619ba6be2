/** The newest messages of one sender, or of everybody; and those that wait for an operator. */
import { type HistoryRef, refOfMember, shardNames, systemSender } from '@courier-fleet/api-types'
import type { Redis } from '../connection/client.ts'
import { keys } from '../keys.ts'
import { acceptedMs } from './view.ts'

interface ListDeps {
  readonly redis: Redis
  readonly shards: number
}

export interface Listed {
  readonly ref: HistoryRef
  /** when it was accepted, or since when it waits for an operator, Unix ms */
  readonly at: number
}

/** Newest first and without a gap; `next` is the time before which to go on, absent where nothing is left. */
export interface ListWindow {
  readonly found: readonly Listed[]
  readonly next?: number
}

/** a bulk request gives many histories one millisecond; of more than so many of one stream and millisecond the rest is passed over */
const maxOfOneMs = 10_000

/** Reads so many of each stream: at least as many are found, unless there are fewer. @param before Unix ms, exclusive */
export async function listNewest(
  deps: ListDeps,
  sender: string | undefined,
  before: number,
  count: number,
): Promise<ListWindow> {
  const { redis, shards } = deps
  const read = await Promise.all(
    shardNames(shards).map(async (shard) => {
      if (sender !== undefined) return [await listOf(redis, shard, sender, before, count)]
      const { senders, last } = await sendersBefore(redis, shard, before, count)
      const lists = await Promise.all(senders.map((each) => listOf(redis, shard, each, before, count)))
      return last === undefined ? lists : [...lists, { found: [], last }]
    }),
  )
  const lists = read.flat()
  const found = lists.flatMap((list) => list.found)
  // up to there every stream has been read
  const end = Math.max(...lists.map(({ last = Number.NEGATIVE_INFINITY }) => last))
  if (end === Number.NEGATIVE_INFINITY) return { found: newestFirst(found) }
  const whole = found.filter(({ at }) => at > end)
  if (whole.length > 0) return { found: newestFirst(whole), next: end + 1 }
  if (count < maxOfOneMs) return listNewest(deps, sender, before, count * 4)
  return { found: found.filter(({ at }) => at === end), next: end }
}

/** Those that wait for an operator, the last that came to wait first. @param before Unix ms, exclusive */
export async function listHeld(
  { redis, shards }: ListDeps,
  sender: string | undefined,
  before: number,
): Promise<ListWindow> {
  const found = await Promise.all(
    shardNames(shards).map(async (shard) => {
      const rows = await redis.zrevrangebyscore(keys.held(shard), `(${before}`, '-inf', 'WITHSCORES')
      const held: Listed[] = []
      for (let at = 0; at < rows.length; at += 2) {
        const ref = refOfMember(shard, rows[at] as string)
        if (sender === undefined || ref.sender === sender) held.push({ ref, at: Number(rows[at + 1]) })
      }
      return held
    }),
  )
  return { found: newestFirst(found.flat()) }
}

const newestFirst = (found: readonly Listed[]): Listed[] => [...found].sort((a, b) => b.at - a.at)

/** `last`: where the list may go on, the time up to which it was read. */
interface PartOfList {
  readonly found: readonly Listed[]
  readonly last?: number | undefined
}

async function listOf(redis: Redis, shard: string, sender: string, before: number, count: number): Promise<PartOfList> {
  const entries = await redis.xrevrange(keys.sent(shard, sender), before - 1, '-', 'COUNT', count)
  const found = entries.map(([entry, fields]) => {
    const ref: HistoryRef = { shard, sender, id: fields[1] as string }
    return { ref, at: acceptedMs(entry) }
  })
  return { found, last: found.length < count ? undefined : found.at(-1)?.at }
}

/** Whoever may have sent one of the `count` newest messages of a shard before that time, the fleet itself excepted. */
async function sendersBefore(redis: Redis, shard: string, before: number, count: number) {
  const key = keys.senders(shard)
  const [since, latest] = await Promise.all([
    redis.zrangebyscore(key, before, '+inf'),
    redis.zrevrangebyscore(key, `(${before}`, '-inf', 'WITHSCORES', 'LIMIT', 0, count),
  ])
  const senders = latest.filter((_, index) => index % 2 === 0)
  const last = senders.length < count ? undefined : Number(latest.at(-1))
  return { senders: [...since, ...senders].filter((sender) => sender !== systemSender), last }
}
