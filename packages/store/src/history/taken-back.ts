import type { HistoryRef } from '@courier-fleet/api-types'
import type { Redis } from 'ioredis'
import { keys } from '../keys.ts'
import { channelsOf, countsOf } from './ledger.ts'

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
