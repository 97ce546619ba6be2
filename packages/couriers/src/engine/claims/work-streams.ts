/** Reads the channel's own streams: new entries, and those whose owner has let the lease run out. */
import { classes, type MessageClass, shardNames } from '@courier-fleet/api-types'
import { grouped } from '@courier-fleet/process'
import {
  defineScript,
  ensureGroup,
  type Generations,
  keys,
  numberReply,
  type Redis,
  useChannel,
} from '@courier-fleet/store'
import type { Claim } from './claim.ts'
import { claimOf, type Source, type StreamEntry } from './work-entry.ts'

const pruneScript = defineScript('prune', {
  keys: ['stream'],
  args: ['channel', 'only', 'idleMs', 'max'],
  reply: numberReply,
})
const maxPruned = 100

type Pending = [id: string, consumer: string, idleMs: number, deliveries: number]

/** What was left alone for so long is not about to be worked on. */
const leftAloneMs = 500

export interface WorkStreams {
  /** Makes the channel's groups where they are missing, and puts it in use: from then on it misses nothing, even while it is down. */
  ensureGroups(): Promise<void>
  /** New entries of one shard and class. */
  read(shard: string, cls: MessageClass, max: number): Promise<Claim[]>
  /** Entries of one shard whose lease has run out, now this process's own. */
  takeOver(shard: string, leaseMs: number, max: number): Promise<Claim[]>
  /**
   * Entries of one shard that are this process's own, under whichever master it has read them, and not held by it: the reply to the read was
   * lost, the work failed, or another Redis has taken the master's place.
   * Nobody has touched them for a while. No read may be under way meanwhile.
   */
  takeBack(shard: string, isHeld: (entry: Pick<Claim, 'stream' | 'entry'>) => boolean, max: number): Promise<Claim[]>
  /** Takes claims of one shard off their streams whose message is gone. */
  drop(claims: readonly Claim[]): Promise<void>
  /** Removes this channel's consumers that have nothing pending and were idle for so long; a shard a call, in turn. */
  prune(idleMs: number): Promise<void>
  /** Removes this process's own consumer wherever it has nothing pending. */
  leave(): Promise<void>
}

interface Deps {
  readonly redis: Redis
  readonly channel: string
  /** of this process, unique; in each shard its name is made of it and of the generation of the shard's master */
  readonly consumer: string
  readonly generations: Generations
  readonly shards: number
}

export function createWorkStreams(deps: Deps): WorkStreams {
  const { redis, channel, consumer, generations, shards } = deps
  const allShards = shardNames(shards)
  const nameIn = (shard: string) => nameOf(consumer, generations.of(shard))
  const sourcesOf = (shard: string) => classes.map((cls) => sourceOf(channel, shard, cls, nameIn(shard)))
  let pruned = 0

  async function pruneShard(shard: string, only: string, idleMs: number): Promise<void> {
    const args = { channel, only, idleMs, max: maxPruned }
    await Promise.all(sourcesOf(shard).map(({ stream }) => pruneScript(redis, { stream }, args)))
  }

  return {
    async ensureGroups() {
      await Promise.all(allShards.flatMap(sourcesOf).map(({ stream }) => ensureGroup(redis, stream, channel)))
      await useChannel(redis, shards, channel)
    },
    read: (shard, cls, max) => readNew(deps, sourceOf(channel, shard, cls, nameIn(shard)), max),
    async takeOver(shard, leaseMs, max) {
      return (await Promise.all(sourcesOf(shard).map((source) => takeOver(deps, source, leaseMs, max)))).flat()
    },
    async takeBack(shard, isHeld, max) {
      const names = [generations.of(shard), ...generations.before(shard)].map((each) => nameOf(consumer, each))
      const back = sourcesOf(shard).map((source) => takeBack(deps, source, names, isHeld, max))
      return (await Promise.all(back)).flat()
    },
    async drop(claims) {
      await Promise.all([...grouped(claims, ({ stream }) => stream)].map(([stream, own]) => drop(deps, stream, own)))
    },
    async prune(idleMs) {
      const shard = allShards[pruned % shards] as string
      pruned += 1
      await pruneShard(shard, '', idleMs)
    },
    async leave() {
      await Promise.all(allShards.map((shard) => pruneShard(shard, nameIn(shard), 0)))
    },
  }
}

async function readNew({ redis, channel }: Deps, source: Source, max: number): Promise<Claim[]> {
  const { stream, consumer } = source
  const reply = (await redis.xreadgroup('GROUP', channel, consumer, 'COUNT', max, 'STREAMS', stream, '>')) as
    | [string, StreamEntry[]][]
    | null
  return (reply?.[0]?.[1] ?? []).flatMap((entry) => claimOf(source, entry, 1) ?? [])
}

async function takeOver(deps: Deps, source: Source, leaseMs: number, max: number): Promise<Claim[]> {
  const { redis, channel } = deps
  const reply = await redis.xautoclaim(source.stream, channel, source.consumer, leaseMs, '0-0', 'COUNT', max)
  return claimsOf(deps, source, reply[1] as StreamEntry[])
}

async function takeBack(
  deps: Deps,
  source: Source,
  names: readonly string[],
  isHeld: (entry: Pick<Claim, 'stream' | 'entry'>) => boolean,
  max: number,
): Promise<Claim[]> {
  const { redis, channel } = deps
  const { stream, consumer } = source
  const pending = await Promise.all(
    names.map(
      (name) => redis.xpending(stream, channel, 'IDLE', leftAloneMs, '-', '+', max, name) as Promise<Pending[]>,
    ),
  )
  const entries = await Promise.all(
    pending
      .flat()
      .filter(([entry]) => !isHeld({ stream, entry }))
      // whoever took it over since has made it less idle than that
      .map(([entry, , idleMs]) => redis.xclaim(stream, channel, consumer, idleMs, entry) as Promise<StreamEntry[]>),
  )
  return claimsOf(deps, source, entries.flat())
}

/** The claims to entries that were just taken, each with the delivery count under which this process owns it now. */
async function claimsOf(deps: Deps, source: Source, entries: readonly StreamEntry[]): Promise<Claim[]> {
  const { redis, channel } = deps
  const claims = await Promise.all(
    entries.map(async (entry) => {
      const pending = (await redis.xpending(
        source.stream,
        channel,
        entry[0],
        entry[0],
        1,
        source.consumer,
      )) as Pending[]
      const deliveries = pending[0]?.[3]
      return deliveries === undefined ? undefined : claimOf(source, entry, deliveries)
    }),
  )
  return claims.filter((claim) => claim !== undefined)
}

async function drop({ redis, channel }: Deps, stream: string, claims: readonly Claim[]): Promise<void> {
  const entries = claims.map(({ entry }) => entry)
  await redis.xack(stream, channel, ...entries)
  await redis.xdel(stream, ...entries)
}

const nameOf = (consumer: string, generation: string) => (generation ? `${consumer}@${generation}` : consumer)

const sourceOf = (channel: string, shard: string, cls: MessageClass, consumer: string): Source => ({
  stream: keys.work(shard, channel, cls),
  shard,
  channel,
  class: cls,
  consumer,
})
