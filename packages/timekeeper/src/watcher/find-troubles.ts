/** What is wrong with the fleet now, as far as its backlog and its Redis show. */
import type { MessageClass } from '@courier-fleet/api-types'
import {
  type Backlog,
  type ChannelBacklog,
  type Durability,
  type Memory,
  movingText,
  type Redis,
  readBacklog,
  readMemory,
} from '@courier-fleet/store'
import { findBehind } from './find-behind.ts'
import type { Trouble } from './texts.ts'

/** Due for so long and nobody woke it: late, even where nothing is stuck. */
const lateMs = 10_000
/** of what Redis may use */
const fullShare = 0.9

export async function findTroubles({
  redis,
  durability,
  shards,
  weights,
}: {
  redis: Redis
  durability: Pick<Durability, 'level' | 'begin'>
  shards: number
  weights: () => Readonly<Record<MessageClass, number>>
}): Promise<Trouble[]> {
  const [backlog, memory, replicas] = await Promise.all([
    readBacklog(redis, shards),
    readMemory(redis),
    ofReplicas(durability),
  ])
  const behind = await Promise.all(backlog.channels.map((each) => findBehind({ redis, shards, weights }, each)))
  return [
    ...ofFleet(backlog),
    ...ofMoves(backlog),
    ...backlog.channels.flatMap(ofChannel),
    ...behind.flat(),
    ...ofMemory(memory),
    ...replicas,
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
