/** Reads what has come of messages, over all shards: by hour, and since the beginning. */
import { type Redis, redisNow } from '../connection/client.ts'
import { keys } from '../keys.ts'
import type { Sums } from './fields.ts'

export const hourMs = 3_600_000
/** an hour is known for so long; as lua/lib/stats.lua has it */
export const statsDays = 35

export interface Stats {
  /** Of the hours from … to-1, counted since 1970; nothing of those that are not known any more. */
  hours(from: number, to: number): Promise<ReadonlyMap<number, Sums>>
  /** Has hours that are over summed over all shards, once for every process: whoever asks for a week would wait for it. */
  readonly keep: () => Promise<void>
}

export interface StatsDeps {
  readonly redis: Redis
  readonly shards: readonly string[]
}

/** Clocks of two masters differ by less: an hour that is over for so long, by one of them, changes no more. */
const slackMs = 300_000
/** read at once, so that nobody waits behind thousands of replies */
const hoursAtOnce = 24
/** hours that are summed ahead: a timekeeper that was down for so long makes up for it */
const keptAhead = 24
/** fields of hours that are over, kept in this process; the oldest hours are forgotten first */
const maxFields = 300_000

/**
 * Since the beginning: the sums of all hours that are over and, read after them, the hour that is not: should the next begin meanwhile,
 * what it counts is missing, and nothing is there twice.
 */
export async function readAllStats(redis: Redis, shards: readonly string[]): Promise<Sums> {
  const sums = new Map<string, number>()
  await Promise.all(
    shards.map(async (shard) => {
      const { hour, ...over } = await redis.hgetall(keys.stats(shard, 'all'))
      addTo(sums, over)
      if (hour !== undefined) addTo(sums, await redis.hgetall(keys.stats(shard, Number(hour))))
    }),
  )
  return sums
}

export function createStats({ redis, shards }: StatsDeps): Stats {
  const closed = new Map<number, Sums>()
  let fields = 0

  function remember(hour: number, sums: Sums): void {
    closed.set(hour, sums)
    fields += sums.size
    for (const oldest of [...closed.keys()].sort((a, b) => a - b)) {
      if (fields <= maxFields) break
      fields -= closed.get(oldest)?.size ?? 0
      closed.delete(oldest)
    }
  }

  /** Of an hour that changes no more. */
  async function readClosed(hour: number): Promise<Sums> {
    const kept = await redis.get(keys.statsHour(hour))
    if (kept !== null) return new Map(Object.entries(JSON.parse(kept) as Record<string, number>))
    const sums = await readSums(redis, shards, hour)
    const until = (hour + 1 + statsDays * 24) * (hourMs / 1000)
    // where Redis is full it is summed again the next time
    await redis.set(keys.statsHour(hour), JSON.stringify(Object.fromEntries(sums)), 'EXAT', until).catch(() => {})
    return sums
  }

  async function read(hour: number, firstOpen: number): Promise<Sums> {
    const known = closed.get(hour)
    if (known) return known
    if (hour >= firstOpen) return readSums(redis, shards, hour)
    const sums = await readClosed(hour)
    if (!closed.has(hour)) remember(hour, sums)
    return sums
  }

  /** By Redis's clock, by which they are counted: a process may be ahead of it, and what is kept of an hour is told for 35 days. */
  const readFirstOpen = async () => Math.floor(((await redisNow(redis, keys.fleet)) - slackMs) / hourMs)

  return {
    async keep() {
      const end = await readFirstOpen()
      for (let hour = end - keptAhead; hour < end; hour += 1) await read(hour, end)
    },
    async hours(from, to) {
      const found = new Map<number, Sums>()
      const firstOpen = await readFirstOpen()
      for (let at = from; at < to; at += hoursAtOnce) {
        const some = Array.from({ length: Math.min(hoursAtOnce, to - at) }, (_unused, index) => at + index)
        const sums = await Promise.all(some.map((hour) => read(hour, firstOpen)))
        for (const [index, hour] of some.entries()) found.set(hour, sums[index] as Sums)
      }
      return found
    },
  }
}

async function readSums(redis: Redis, shards: readonly string[], hour: number): Promise<Sums> {
  const hashes = await Promise.all(shards.map((shard) => redis.hgetall(keys.stats(shard, hour))))
  const sums = new Map<string, number>()
  for (const hash of hashes) addTo(sums, hash)
  return sums
}

function addTo(sums: Map<string, number>, hash: Readonly<Record<string, string>>): void {
  for (const [field, value] of Object.entries(hash)) sums.set(field, (sums.get(field) ?? 0) + Number(value))
}
