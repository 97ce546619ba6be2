/** What one stream holds for one channel: entries it has not claimed, and claims that nobody keeps alive. */

import { type MessageClass, refOfMember } from '@courier-fleet/api-types'
import type { Redis } from 'ioredis'
import { keys } from '../keys.ts'
import {
  addedAt,
  entriesAfter,
  fieldOf,
  groupsOf,
  leftClaims,
  type StreamEntry,
  type StreamGroup,
} from './stream-group.ts'

export interface Stretch {
  readonly channel: string
  /** the channel has a group here */
  readonly eared: boolean
  /** entries nobody of the channel has claimed */
  readonly waiting: number
  /** when the first entry nobody has claimed was added, Unix ms by Redis's clock; Infinity when none waits */
  readonly oldestAt: number
  readonly inProgress: number
  readonly abandoned: number
  /** since the longest abandoned claim was last renewed */
  readonly longestAbandonedMs: number
}

export interface StretchDeps {
  readonly redis: Redis
  /** lease of the channel's processes */
  readonly leaseOf: (channel: string) => number
}

/** Entries of an order stream that are looked at, from each place a channel stands at, to tell whom they are meant for. */
const looked = 20
const nobodysPlace = '0-0'

/**
 * One order stream, shared by all channels. Only the first `looked` orders after a channel's place are looked into: others'
 * orders beyond those count as waiting until it reads them, and a channel that has no group here is seen once an order of
 * its own is among the oldest `looked`, which it comes to be as the others leave the stream.
 */
export async function orderStretches(deps: StretchDeps, shard: string, cls: MessageClass): Promise<Stretch[]> {
  const { redis } = deps
  const stream = keys.orders(shard, cls)
  const groups = await groupsOf(redis, stream)
  const places = new Set([nobodysPlace, ...groups.map(({ lastDelivered }) => lastDelivered)])
  const windows = new Map(
    await Promise.all([...places].map(async (id) => [id, await look(redis, shard, stream, id)] as const)),
  )

  const heard = groups.map((group) => {
    const { size, meantFor } = windows.get(group.lastDelivered) as Window
    const mine = meantFor.get(group.name) ?? []
    return stretchOf(deps, stream, group, mine, (group.lag ?? size) - (size - mine.length))
  })
  const eared = new Set(groups.map(({ name }) => name))
  const earless = [...(windows.get(nobodysPlace) as Window).meantFor].filter(([channel]) => !eared.has(channel))
  return [...(await Promise.all(heard)), ...earless.map(([channel, entries]) => unclaimed(channel, entries))]
}

/** One batch stream, which is the channel's own. */
export async function batchStretches(
  deps: StretchDeps,
  shard: string,
  channel: string,
  cls: MessageClass,
): Promise<Stretch[]> {
  const stream = keys.batches(shard, channel, cls)
  return Promise.all(
    (await groupsOf(deps.redis, stream)).map(async (group) => {
      const entries = group.lag === 0 ? [] : await entriesAfter(deps.redis, stream, group.lastDelivered, looked)
      return stretchOf(deps, stream, group, entries, group.lag ?? entries.length)
    }),
  )
}

async function stretchOf(
  { redis, leaseOf }: StretchDeps,
  stream: string,
  { name, pending }: StreamGroup,
  unread: readonly StreamEntry[],
  waiting: number,
): Promise<Stretch> {
  const left = pending === 0 ? { count: 0, longestMs: 0 } : await leftClaims(redis, stream, name, leaseOf(name))
  return {
    ...unclaimed(name, unread),
    eared: true,
    waiting: Math.max(waiting, unread.length),
    inProgress: Math.max(0, pending - left.count),
    abandoned: left.count,
    longestAbandonedMs: left.longestMs,
  }
}

function unclaimed(channel: string, unread: readonly StreamEntry[]): Stretch {
  const [oldest] = unread
  return {
    channel,
    eared: false,
    waiting: unread.length,
    oldestAt: oldest ? addedAt(oldest) : Number.POSITIVE_INFINITY,
    inProgress: 0,
    abandoned: 0,
    longestAbandonedMs: 0,
  }
}

interface Window {
  readonly size: number
  /** the entries each channel is expected to deliver, in order */
  readonly meantFor: ReadonlyMap<string, readonly StreamEntry[]>
}

async function look(redis: Redis, shard: string, stream: string, after: string): Promise<Window> {
  const entries = await entriesAfter(redis, stream, after, looked)
  const expected = await Promise.all(
    entries.map((entry) => redis.hget(keys.history(refOfMember(shard, fieldOf(entry, 'm'))), 'expected')),
  )
  const meantFor = new Map<string, StreamEntry[]>()
  for (const [index, entry] of entries.entries()) {
    for (const channel of expected[index]?.split(',') ?? []) {
      if (channel !== '') meantFor.set(channel, [...(meantFor.get(channel) ?? []), entry])
    }
  }
  return { size: entries.length, meantFor }
}
