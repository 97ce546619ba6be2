/** Everything that stands on the work streams of a channel, claimed or not. */
import { classes, type MessageClass, shardNames } from '@courier-fleet/api-types'
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

export interface ClassWork extends RemainingWork {
  readonly class: MessageClass
  /** there are more entries than were looked at: it is this much at least */
  readonly isMore: boolean
}

/** entries read in one command */
export const pageSize = 1000

/** Reads every entry: for an operator's question, not for every scrape. */
export async function readRemainingWork(redis: Redis, shards: number, channel: string): Promise<RemainingWork> {
  const streams = shardNames(shards).flatMap((shard) => classes.map((cls) => keys.work(shard, channel, cls)))
  return sumOf(await Promise.all(streams.map((stream) => readStream(redis, stream))))
}

/** Of each class in which anything waits; reads a page of each stream at most, so that it may be asked every few seconds. */
export async function readWorkByClass(redis: Redis, shards: number, channel: string): Promise<ClassWork[]> {
  const found = await Promise.all(
    classes.map(async (cls): Promise<ClassWork> => {
      const streams = shardNames(shards).map((shard) => keys.work(shard, channel, cls))
      const each = await Promise.all(streams.map((stream) => readStream(redis, stream, 1)))
      return { class: cls, ...sumOf(each), isMore: each.some(({ entries }) => entries >= pageSize) }
    }),
  )
  return found.filter(({ entries }) => entries > 0)
}

function sumOf(each: readonly RemainingWork[]): RemainingWork {
  const oldest = each.flatMap(({ oldestAt }) => (oldestAt === undefined ? [] : [oldestAt]))
  return {
    entries: each.reduce((sum, { entries }) => sum + entries, 0),
    people: each.reduce((sum, { people }) => sum + people, 0),
    ...(oldest.length > 0 ? { oldestAt: Math.min(...oldest) } : {}),
  }
}

async function readStream(redis: Redis, stream: string, maxPages = Number.POSITIVE_INFINITY): Promise<RemainingWork> {
  let entries = 0
  let people = 0
  let oldestAt: number | undefined
  for (let after = '-', pages = 0; pages < maxPages; pages += 1) {
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

export function widthOf(fields: readonly string[]): number {
  const numberOf = (name: string) => Number(fields[fields.indexOf(name) + 1])
  return numberOf('to') - numberOf('from')
}
