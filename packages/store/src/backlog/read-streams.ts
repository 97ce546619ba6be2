/** Every work stream that is there, as Redis has it: for whoever looks for what a sum hides. */
import { classes, type MessageClass, shardNames } from '@courier-fleet/api-types'
import type { Redis } from '../connection/client.ts'
import { keys } from '../keys.ts'
import { readProcesses } from '../process-info.ts'
import { readChannels } from './channels.ts'
import { addedAt, consumersOf, groupOf, type StreamConsumer } from './stream-group.ts'

export interface StreamInfo {
  readonly key: string
  readonly shard: string
  readonly channel: string
  readonly class: MessageClass
  readonly entries: number
  /** when the first of them was added, Unix ms by Redis's clock */
  readonly oldestAt?: number
  /** absent where no courier of the channel has begun on the stream */
  readonly group?: { readonly name: string; readonly pending: number; readonly consumers: readonly StreamConsumer[] }
}

/** By channel, class and shard. */
export async function readStreams(redis: Redis, shards: number): Promise<StreamInfo[]> {
  const [known, processes] = await Promise.all([readChannels(redis, shards), readProcesses(redis)])
  const channels = new Set([...known.keys(), ...processes.flatMap(({ channel }) => channel ?? [])])
  const places = [...channels]
    .sort()
    .flatMap((channel) => classes.flatMap((cls) => shardNames(shards).map((shard) => ({ channel, cls, shard }))))
  return (await Promise.all(places.map((place) => readStream(redis, place)))).flatMap((found) => found ?? [])
}

async function readStream(
  redis: Redis,
  { channel, cls, shard }: { channel: string; cls: MessageClass; shard: string },
): Promise<StreamInfo | undefined> {
  const key = keys.work(shard, channel, cls)
  const [entries, group] = await Promise.all([redis.xlen(key), groupOf(redis, key, channel)])
  if (entries === 0 && !group) return undefined
  const [first, consumers] = await Promise.all([
    entries === 0 ? [] : redis.xrange(key, '-', '+', 'COUNT', 1),
    group ? consumersOf(redis, key, channel) : [],
  ])
  const oldest = first[0]?.[0]
  return {
    key,
    shard,
    channel,
    class: cls,
    entries,
    ...(oldest === undefined ? {} : { oldestAt: addedAt(oldest) }),
    ...(group ? { group: { name: channel, pending: group.pending, consumers } } : {}),
  }
}
