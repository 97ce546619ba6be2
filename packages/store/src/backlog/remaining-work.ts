/** Everything that stands on the work streams of a channel, claimed or not. */
import { classes, shardNames } from '@courier-fleet/api-types'
import type { Redis } from '../connection/client.ts'
import { keys } from '../keys.ts'
import { addedAt } from './stream-group.ts'

export interface RemainingWork {
  /** pieces of messages */
  readonly entries: number
  /** the recipients of those pieces; somebody to whom several messages are addressed counts for each */
  readonly people: number
  /** when the first of them was added, Unix ms by Redis's clock; absent when there is none */
  readonly oldestAt?: number
}

/** entries read in one command */
const pageSize = 1000

/** Reads every entry: for an operator's question, not for every scrape. */
export async function readRemainingWork(redis: Redis, shards: number, channel: string): Promise<RemainingWork> {
  const streams = shardNames(shards).flatMap((shard) => classes.map((cls) => keys.work(shard, channel, cls)))
  const each = await Promise.all(streams.map((stream) => readStream(redis, stream)))
  const oldest = each.flatMap(({ oldestAt }) => (oldestAt === undefined ? [] : [oldestAt]))
  return {
    entries: each.reduce((sum, { entries }) => sum + entries, 0),
    people: each.reduce((sum, { people }) => sum + people, 0),
    ...(oldest.length > 0 ? { oldestAt: Math.min(...oldest) } : {}),
  }
}

async function readStream(redis: Redis, stream: string): Promise<RemainingWork> {
  let entries = 0
  let people = 0
  let oldestAt: number | undefined
  for (let after = '-'; ; ) {
    const page = await redis.xrange(stream, after, '+', 'COUNT', pageSize)
    for (const [, fields] of page) people += widthOf(fields)
    entries += page.length
    const last = page.at(-1)?.[0]
    oldestAt ??= page[0] && addedAt(page[0][0])
    if (last === undefined || page.length < pageSize) break
    after = `(${last}`
  }
  return { entries, people, ...(oldestAt === undefined ? {} : { oldestAt }) }
}

function widthOf(fields: readonly string[]): number {
  const numberOf = (name: string) => Number(fields[fields.indexOf(name) + 1])
  return numberOf('to') - numberOf('from')
}
