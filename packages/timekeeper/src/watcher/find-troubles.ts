/** What is wrong with the fleet now, as far as its backlog and its Redis show. */
import {
  type Backlog,
  type ChannelBacklog,
  type Durability,
  isGrowing,
  keys,
  type LiveSettings,
  type Memory,
  movingText,
  type ProcessInfo,
  type Redis,
  readBacklog,
  readMemory,
  readMonthBudget,
  readShards,
  redisNow,
  unawareOf,
} from '@courier-fleet/store'
import { findBehind } from './find-behind.ts'
import type { Trouble } from './texts.ts'

/** Due for so long and nobody woke it: late, even where nothing is stuck. */
const lateMs = 10_000
/** of what Redis may use */
const fullShare = 0.9

/** of what a month may cost */
const lowShare = 0.8

export interface TroubleDeps {
  readonly redis: Redis
  readonly durability: Pick<Durability, 'level' | 'begin'>
  readonly shards: number
  readonly settings: Pick<LiveSettings, 'current'>
  /** of the fleet: whose midnight ends a month */
  readonly timeZone: string
}

/** @param processes as they are now */
export async function findTroubles(deps: TroubleDeps, processes: readonly ProcessInfo[]): Promise<Trouble[]> {
  const { redis, durability, shards, settings } = deps
  const [backlog, memory, replicas, budget, growth] = await Promise.all([
    readBacklog(redis, shards, processes),
    readMemory(redis),
    ofReplicas(durability),
    ofBudget(deps),
    ofGrowth(redis, processes),
  ])
  const weights = () => settings.current().weights
  const behind = await Promise.all(backlog.channels.map((each) => findBehind({ redis, shards, weights }, each)))
  return [
    ...ofFleet(backlog),
    ...ofMoves(backlog),
    ...backlog.channels.flatMap(ofChannel),
    ...behind.flat(),
    ...ofMemory(memory),
    ...replicas,
    ...budget,
    ...growth,
  ]
}

/** Asks them as whoever is about to send an SMS does. */
async function ofReplicas(durability: Pick<Durability, 'level' | 'begin'>): Promise<Trouble[]> {
  const confirm = durability.begin()
  try {
    await confirm()
    return []
  } catch (error) {
    const detail = `REDIS_DURABILITY is ${durability.level}: ${(error as Error).message}`
    return [{ kind: 'no-replica', of: '', detail }]
  }
}

/** It waits for whoever does not look into all shards. */
async function ofGrowth(redis: Redis, processes: readonly ProcessInfo[]): Promise<Trouble[]> {
  const fleet = await readShards(redis)
  if (!isGrowing(fleet)) return []
  const names = unawareOf(processes, fleet.shards).map(({ name }) => name)
  if (names.length === 0) return []
  return [
    { kind: 'growing', of: '', detail: `the shards grow to ${fleet.shards}; to be started anew: ${names.join(', ')}` },
  ]
}

/** Of the month: gone once somebody was refused for it, until it is raised. */
async function ofBudget({ redis, settings, timeZone }: TroubleDeps): Promise<Trouble[]> {
  const nowMs = await redisNow(redis, keys.fleet)
  const found = await readMonthBudget(redis, settings.current().budgets, { nowMs, timeZone })
  if (!found) return []
  const { spent, left, isGone } = found
  const detail = `${spent} of ${spent + left} of the month's budget are spent`
  const isLow = spent >= lowShare * (spent + left)
  return [
    ...(isLow ? [{ kind: 'budget-low' as const, of: '', detail }] : []),
    ...(isGone || left === 0 ? [{ kind: 'budget-gone' as const, of: '', detail }] : []),
  ]
}

function ofFleet({ overdue: { deliveries, oldestMs } }: Backlog): Trouble[] {
  if (oldestMs <= lateMs) return []
  const detail = `${deliveries} overdue, the first by ${Math.round(oldestMs / 1000)} s`
  return [{ kind: 'late', of: '', detail }]
}

/** One that takes long was broken off, perhaps: what is in the slot waits for as long. */
function ofMoves({ moving }: Backlog): Trouble[] {
  return moving.length === 0 ? [] : [{ kind: 'moving', of: '', detail: moving.map(movingText).join('; ') }]
}

/** One of a channel: a backlog that nobody works on says more than that nobody is there. */
function ofChannel({ channel, use, couriers, stuck }: ChannelBacklog): Trouble[] {
  if (stuck !== undefined) return [{ kind: 'stuck', of: channel, detail: stuck }]
  if (use !== 'in-use' || couriers.some(({ ready }) => ready)) return []
  return [{ kind: 'dead', of: channel, detail: `${channel}: no courier of it is ready` }]
}

function ofMemory({ usedBytes, maxBytes }: Memory): Trouble[] {
  if (maxBytes === 0 || usedBytes < fullShare * maxBytes) return []
  return [{ kind: 'redis-full', of: '', detail: `Redis uses ${usedBytes} of ${maxBytes} bytes` }]
}
