import { connectRedis } from '@courier-fleet/store'
import type { Redis } from 'ioredis'

/** below the two seconds within which a request must be answered, Redis there or not */
const commandTimeoutMs = 1500
/**
 * Below that again: commands wait for those sent before them, and only then does their own time begin. The connection to a
 * Redis that says nothing is left first, so that all of them fail together, and those that follow at once.
 */
const silenceMs = 1400

/** A connection that gives up soon instead of waiting: somebody stands at the other end of every request. */
export function connectQueueRedis(url: string): Redis {
  return connectRedis(url, {
    name: 'queue',
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    commandTimeout: commandTimeoutMs,
    connectTimeout: 2000,
    socketTimeout: silenceMs,
  })
}
