import { connectRedis } from '@courier-fleet/core'
import type { Redis } from 'ioredis'

/** below the two seconds within which a request must be answered, Redis there or not */
const commandTimeoutMs = 1500

/** A connection that gives up soon instead of waiting: somebody stands at the other end of every request. */
export function connectQueueRedis(url: string): Redis {
  return connectRedis(url, {
    name: 'queue',
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    commandTimeout: commandTimeoutMs,
    connectTimeout: 2000,
    // a peer that has fallen silent is left, so that the next connection finds one that answers
    socketTimeout: 2 * commandTimeoutMs,
  })
}
