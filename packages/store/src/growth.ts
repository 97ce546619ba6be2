/**
 * The shards of a fleet grow (decision 118): first every process is started anew and looks into all of them, then new things are laid by all.
 * What lies where it was laid stays there.
 */
import { shardNames } from '@courier-fleet/api-types'
import { alignedInterval, createThrottledLog, type Log } from '@courier-fleet/process'
import { readChannels } from './backlog/channels.ts'
import type { Redis } from './connection/client.ts'
import type { Durability } from './durability/durability.ts'
import { tagOf } from './hash-tags.ts'
import { hints, keys } from './keys.ts'
import { type FleetShards, fixLaying, isGrowing, knownShards, laidByOf } from './laying.ts'
import type { ProcessInfo } from './process-info.ts'
import { flagReply, numberReply } from './replies.ts'
import { defineScript, ScriptError } from './script.ts'
import type { Subscriber } from './subscriber/subscriber.ts'

const beginScript = defineScript('begin-growth', {
  keys: ['fleet'],
  args: ['from', 'to', 'layout'],
  reply: flagReply,
})
const raiseScript = defineScript('raise-laid-by', { keys: ['laidBy'], args: ['shards'], reply: numberReply })
const endScript = defineScript('end-growth', { keys: ['fleet'], args: ['shards'], reply: flagReply })

export async function readShards(redis: Redis): Promise<FleetShards> {
  const [shards, former, since] = await redis.hmget(keys.fleet, 'shards', 'former', 'since')
  return {
    shards: Number(shards),
    former: former ? former.split(' ').map(Number) : [],
    ...(since ? { sinceMs: Number(since) } : {}),
  }
}

/** Of these processes those that do not look into so many: they have to be started anew. One of a version that knows of no growth says no number. */
export const unawareOf = (processes: readonly ProcessInfo[], shards: number): readonly ProcessInfo[] =>
  processes.filter((process) => (process.shards ?? 0) < shards)

/** Whoever joins from now on looks into so many. @returns false where there are not `from`, or a growth is under way */
export async function beginGrowth(redis: Redis, from: number, to: number, layout: number): Promise<boolean> {
  const hasBegun = await beginScript(redis, { fleet: keys.fleet }, { from, to, layout })
  if (hasBegun) await redis.spublish(hints.settings, '')
  return hasBegun
}

/**
 * Lays new things by all shards, once every process looks into them. Each step may be repeated, and whoever comes after a crash does them all:
 * what the new shards have to know, then that nothing new is laid by fewer, then that it is laid by all.
 */
export async function endGrowth(
  redis: Redis,
  durability: Pick<Durability, 'begin'>,
  fleet: FleetShards,
): Promise<void> {
  const { shards } = fleet
  const confirm = durability.begin()
  await carryOver(redis, laidByOf(fleet), shards)
  await Promise.all(shardNames(shards).map((shard) => raiseScript(redis, { laidBy: keys.laidBy(shard) }, { shards })))
  await confirm()
  await endScript(redis, { fleet: keys.fleet }, { shards })
  await redis.spublish(hints.settings, '')
}

/** What is said in every shard: which channels are in use, and who is told of whatever becomes of any message. */
async function carryOver(redis: Redis, from: number, to: number): Promise<void> {
  const channels = Object.fromEntries(await readChannels(redis, from))
  const watched = await redis.zrange(keys.watched(tagOf('00')), '0', '-1')
  const ofAll = watched.filter((member) => member.startsWith('history:* ')).flatMap((member) => [0, member])
  await Promise.all(
    shardNames(to)
      .slice(from)
      .map(async (shard) => {
        if (Object.keys(channels).length > 0) await redis.hset(keys.channels(shard), channels)
        if (ofAll.length > 0) await redis.zadd(keys.watched(tagOf(shard)), ...ofAll)
      }),
  )
}

/** a hint tells sooner */
const lookMs = 10_000

interface FollowDeps {
  readonly redis: Redis
  readonly subscriber: Subscriber
  readonly log: Log
  /** new things are laid into shards that this process does not look into: it was not heard of when all the others were */
  readonly onOutgrown: () => void
}

/** Reads by how many shards new things are laid, once: what was said before is known. */
export async function lookAtShards(redis: Redis): Promise<FleetShards> {
  const fleet = await readShards(redis)
  fixLaying(fleet, knownShards())
  return fleet
}

/** What is put again, where this was refused because the shards have grown, is laid where it lies now. */
export async function lookingAgain<T>(redis: Redis, call: Promise<T>): Promise<T> {
  return call.catch(async (error: unknown) => {
    if (isGrown(error)) await lookAtShards(redis)
    throw error
  })
}

export const isGrown = (error: unknown): boolean => error instanceof ScriptError && error.code === 'GROWN'

/** Follows by how many shards new things are laid. @returns a function that stops that */
export async function followShards({ redis, subscriber, log, onOutgrown }: FollowDeps): Promise<() => void> {
  const logThrottled = createThrottledLog((fields, text) => log.warn(fields, text))
  let isOutgrown = false
  async function look(): Promise<void> {
    const fleet = await lookAtShards(redis)
    const known = knownShards() as number
    if (fleet.shards === known || isOutgrown) return
    if (isGrowing(fleet)) {
      logThrottled({ known, shards: fleet.shards }, 'the shards grow: this process has to be started anew')
      return
    }
    isOutgrown = true
    log.error(
      { known, shards: fleet.shards },
      'the shards have grown without this process: it ends, to be started anew',
    )
    onOutgrown()
  }
  // Redis being away is told by others, and that it is back by the subscriber
  const lookSoon = () => void look().catch(() => {})
  const onMessage = (channel: string) => channel === hints.settings && lookSoon()
  await subscriber.subscribe(hints.settings)
  subscriber.on('message', onMessage).on('ready', lookSoon)
  const stopLooking = alignedInterval(lookMs, lookSoon)
  return () => {
    stopLooking()
    subscriber.off('message', onMessage).off('ready', lookSoon)
  }
}

/** The process ends as if it had been told to; whoever supervises it starts it again. */
export const endThisProcess = (): void => void process.kill(process.pid, 'SIGTERM')
