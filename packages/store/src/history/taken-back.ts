import type { HistoryRef } from '@courier-fleet/api-types'
import type { Redis } from '../connection/client.ts'
import { keys } from '../keys.ts'
import { expire } from './expire.ts'
import { cancel } from './history-scripts.ts'
import { channelsOf, countsOf } from './ledger.ts'
import { recordLeft } from './record-left.ts'

/** what is said of people who have a message, or perhaps have it */
const mayHaveIt = ['sent', 'delivered', 'read', 'confirmed', 'unknown'] as const

/** Whether it was cancelled, begun or not, and nobody has it, may have it or will get it. */
export async function wasTakenBack(redis: Redis, ref: HistoryRef): Promise<boolean> {
  const hash = await redis.hgetall(keys.history(ref))
  if (hash.state === 'cancelled') return true
  if (hash.state !== 'settled' || !hash.cancelled) return false
  return channelsOf(hash).every((channel) => {
    const counts = countsOf(hash, channel)
    return mayHaveIt.every((state) => counts[state] === 0)
  })
}

/** Once a running message was cancelled: settles whoever is not being sent to. @returns whether nobody has it, and nobody gets it */
export async function stopRunning(redis: Redis, ref: HistoryRef): Promise<'cancelled' | 'stopping'> {
  await expire(redis, ref)
  return (await wasTakenBack(redis, ref)) ? 'cancelled' : 'stopping'
}

/** Cancels it, or stops it once it has begun. @throws Problem 404 · 409 `already-settled`, `already-started` */
export async function takeBack(
  redis: Redis,
  ref: HistoryRef,
  how: { readonly by: string; readonly unstarted: boolean },
): Promise<'cancelled' | 'stopping'> {
  const outcome = await cancel(redis, ref, { ...how, left: await recordLeft(redis, ref) })
  return outcome === 'cancelled' ? outcome : stopRunning(redis, ref)
}
