/** Reads the channel's own streams: new entries, and those whose owner has let the lease run out. */
import { classes, type MessageClass, refOfMember, shardName } from '@courier-fleet/api-types'
import { defineScript, keys } from '@courier-fleet/store'
import type { Redis } from 'ioredis'
import type { Claim } from './claim-scripts.ts'
import { grouped } from './grouped.ts'

const pruneScript = defineScript('prune', { keys: ['stream'], args: ['channel', 'only', 'idleMs', 'most'] })
const prunedAtOnce = 100

type Entry = [id: string, fields: string[] | null]
type Pending = [id: string, consumer: string, idleMs: number, deliveries: number]

/** What was left alone for so long is not about to be worked on. */
const leftAloneMs = 500

export interface Streams {
  /** Makes the channel's groups where they are missing: from then on it misses nothing, even while it is down. */
  ensureGroups(): Promise<void>
  /** New entries of one shard and class. */
  readOrders(shard: string, cls: MessageClass, most: number): Promise<Claim[]>
  readBatches(shard: string, cls: MessageClass, most: number): Promise<Claim[]>
  /** Entries of one shard whose lease has run out, now this process's own. */
  takeOver(shard: string, leaseMs: number, most: number): Promise<Claim[]>
  /**
   * Entries of one shard that are this process's own and not held by it: the reply to the read was lost, or the work failed.
   * Nobody has touched them for a while. No read may be under way meanwhile.
   */
  takeBack(shard: string, isHeld: (entry: Pick<Claim, 'stream' | 'entry'>) => boolean, most: number): Promise<Claim[]>
  /** Lets go of claims of one shard that are not meant for this channel; the entries themselves go where their message is gone. */
  ignore(claims: readonly Claim[], areGone: boolean): Promise<void>
  /** Removes this channel's consumers that have nothing pending and were idle for so long; a shard a call, in turn. */
  prune(idleMs: number): Promise<void>
  /** Removes this process's own consumer wherever it has nothing pending. */
  leave(): Promise<void>
}

export function createStreams(deps: { redis: Redis; channel: string; consumer: string; shards: number }): Streams {
  const { redis, channel, consumer, shards } = deps
  const allShards = Array.from({ length: shards }, (_unused, index) => shardName(index))
  let pruned = 0

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
    const kind = fields.has('f') ? 'batch' : 'order'
    return {
      stream,
      kind,
      entry: id,
      deliveries,
      ref: refOfMember(shard, fields.get('m') ?? ''),
      class: cls,
      channels: kind === 'batch' ? [channel] : (fields.get('c') ?? '').split(','),
      from: Number(fields.get('f') ?? 0),
      to: Number(fields.get('t') ?? fields.get('s') ?? 0),
      tries: Number(fields.get('n') ?? 0),
    }
  }

  async function readStream(stream: string, shard: string, cls: MessageClass, count: number): Promise<Claim[]> {
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
    return claimsOf(stream, shard, cls, reply[1])
  }

  async function takeBackStream(
    stream: string,
    shard: string,
    cls: MessageClass,
    isHeld: (entry: Pick<Claim, 'stream' | 'entry'>) => boolean,
    most: number,
  ): Promise<Claim[]> {
    const pending = (await redis.xpending(stream, channel, 'IDLE', leftAloneMs, '-', '+', most, consumer)) as Pending[]
    const entries = await Promise.all(
      pending
        .filter(([entry]) => !isHeld({ stream, entry }))
        // whoever took it over since has made it less idle than that
        .map(([entry, , idleMs]) => redis.xclaim(stream, channel, consumer, idleMs, entry) as Promise<Entry[]>),
    )
    return claimsOf(stream, shard, cls, entries.flat())
  }

  /** The claims to entries that were just taken, each with the delivery count under which this process owns it now. */
  async function claimsOf(
    stream: string,
    shard: string,
    cls: MessageClass,
    entries: readonly Entry[],
  ): Promise<Claim[]> {
    const claims = await Promise.all(
      entries.map(async (entry) => {
        const pending = (await redis.xpending(stream, channel, entry[0], entry[0], 1, consumer)) as Pending[]
        const deliveries = pending[0]?.[3]
        return deliveries === undefined ? undefined : claimOf(stream, shard, cls, entry, deliveries)
      }),
    )
    return claims.filter((claim) => claim !== undefined)
  }

  const streamsOf = (shard: string, cls: MessageClass) => [keys.batches(shard, channel, cls), keys.orders(shard, cls)]
  const allStreamsOf = (shard: string) => classes.flatMap((cls) => streamsOf(shard, cls))

  async function pruneShard(shard: string, only: string, idleMs: number): Promise<void> {
    await Promise.all(
      allStreamsOf(shard).map((stream) =>
        pruneScript(redis, { stream }, { channel, only, idleMs, most: prunedAtOnce }),
      ),
    )
  }

  return {
    async ensureGroups() {
      await Promise.all(
        allShards.flatMap(allStreamsOf).map((stream) =>
          redis.xgroup('CREATE', stream, channel, '0', 'MKSTREAM').catch((error: Error) => {
            if (!error.message.startsWith('BUSYGROUP')) throw error
          }),
        ),
      )
    },
    readOrders: (shard, cls, most) => readStream(keys.orders(shard, cls), shard, cls, most),
    readBatches: (shard, cls, most) => readStream(keys.batches(shard, channel, cls), shard, cls, most),
    async takeOver(shard, leaseMs, most) {
      const found = await Promise.all(
        classes.flatMap((cls) =>
          streamsOf(shard, cls).map((stream) => takeOverStream(stream, shard, cls, leaseMs, most)),
        ),
      )
      return found.flat()
    },
    async takeBack(shard, isHeld, most) {
      const found = await Promise.all(
        classes.flatMap((cls) =>
          streamsOf(shard, cls).map((stream) => takeBackStream(stream, shard, cls, isHeld, most)),
        ),
      )
      return found.flat()
    },
    async ignore(claims, areGone) {
      await Promise.all(
        [...grouped(claims, ({ stream }) => stream)].map(async ([stream, own]) => {
          const entries = own.map(({ entry }) => entry)
          await redis.xack(stream, channel, ...entries)
          if (areGone) await redis.xdel(stream, ...entries)
        }),
      )
    },
    async prune(idleMs) {
      const shard = allShards[pruned % shards] as string
      pruned += 1
      await pruneShard(shard, '', idleMs)
    },
    async leave() {
      await Promise.all(allShards.map((shard) => pruneShard(shard, consumer, 0)))
    },
  }
}
