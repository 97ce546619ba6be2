/** Reads the channel's own streams: new entries, and those whose owner has let the lease run out. */
import { classes, keys, type MessageClass, refOfMember, shardName } from '@courier-fleet/core'
import type { Redis } from 'ioredis'
import type { Claim } from './claim-scripts.ts'

type Entry = [id: string, fields: string[] | null]

export interface Streams {
  /** Makes the channel's groups where they are missing: from then on it misses nothing, even while it is down. */
  ensureGroups(): Promise<void>
  /** New entries of one shard and class, batches before orders; at most so many of each. */
  read(shard: string, cls: MessageClass, batches: number, orders: number): Promise<Claim[]>
  /** Entries of one shard whose lease has run out, now this process's own. */
  takeOver(shard: string, leaseMs: number, most: number): Promise<Claim[]>
  /** Lets go of an order that is not meant for this channel. */
  ignore(claim: Claim): Promise<void>
}

export function createStreams(deps: { redis: Redis; channel: string; consumer: string; shards: number }): Streams {
  const { redis, channel, consumer, shards } = deps

  function claimOf(
    stream: string,
    shard: string,
    cls: MessageClass,
    entry: Entry,
    deliveries: number,
  ): Claim | undefined {
    const [id, flat] = entry
    if (!flat) return undefined
    const fields = new Map<string, string>()
    for (let i = 0; i < flat.length; i += 2) fields.set(flat[i] as string, flat[i + 1] as string)
    return {
      stream,
      kind: fields.has('f') ? 'batch' : 'order',
      entry: id,
      deliveries,
      ref: refOfMember(shard, fields.get('m') ?? ''),
      class: cls,
      from: Number(fields.get('f') ?? 0),
      to: Number(fields.get('t') ?? 0),
      tries: Number(fields.get('n') ?? 0),
    }
  }

  async function readStream(stream: string, shard: string, cls: MessageClass, count: number): Promise<Claim[]> {
    if (count <= 0) return []
    const reply = (await redis.xreadgroup('GROUP', channel, consumer, 'COUNT', count, 'STREAMS', stream, '>')) as
      | [string, Entry[]][]
      | null
    return (reply?.[0]?.[1] ?? []).flatMap((entry) => claimOf(stream, shard, cls, entry, 1) ?? [])
  }

  async function takeOverStream(
    stream: string,
    shard: string,
    cls: MessageClass,
    leaseMs: number,
    most: number,
  ): Promise<Claim[]> {
    const reply = (await redis.xautoclaim(stream, channel, consumer, leaseMs, '0-0', 'COUNT', most)) as [
      string,
      Entry[],
    ]
    return (
      await Promise.all(
        reply[1].map(async (entry) => {
          const pending = (await redis.xpending(stream, channel, entry[0], entry[0], 1, consumer)) as [
            string,
            string,
            number,
            number,
          ][]
          const deliveries = pending[0]?.[3]
          return deliveries === undefined ? undefined : claimOf(stream, shard, cls, entry, deliveries)
        }),
      )
    ).filter((claim) => claim !== undefined)
  }

  const streamsOf = (shard: string, cls: MessageClass) => [keys.batches(shard, channel, cls), keys.orders(shard, cls)]

  return {
    async ensureGroups() {
      const all = Array.from({ length: shards }, (_unused, index) =>
        classes.flatMap((cls) => streamsOf(shardName(index), cls)),
      ).flat()
      await Promise.all(
        all.map((stream) =>
          redis.xgroup('CREATE', stream, channel, '0', 'MKSTREAM').catch((error: Error) => {
            if (!error.message.startsWith('BUSYGROUP')) throw error
          }),
        ),
      )
    },
    async read(shard, cls, batches, orders) {
      const [batchStream, orderStream] = streamsOf(shard, cls) as [string, string]
      const found = await Promise.all([
        readStream(batchStream, shard, cls, batches),
        readStream(orderStream, shard, cls, orders),
      ])
      return found.flat()
    },
    async takeOver(shard, leaseMs, most) {
      const found = await Promise.all(
        classes.flatMap((cls) =>
          streamsOf(shard, cls).map((stream) => takeOverStream(stream, shard, cls, leaseMs, most)),
        ),
      )
      return found.flat()
    },
    async ignore(claim) {
      await redis.xack(claim.stream, channel, claim.entry)
    },
  }
}
