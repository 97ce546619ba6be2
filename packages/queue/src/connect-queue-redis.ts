import { connectRedis } from '@courier-fleet/store'
import type { Redis } from 'ioredis'

/** below the two seconds within which a request must be answered, Redis there or not */
const commandTimeoutMs = 1500
/**
 * Shorter than commandTimeoutMs, whose time begins only when the commands before are answered. A silent connection is
 * dropped first, so that all commands on it fail together, and those that follow fail at once.
 */
const silenceMs = 1400

/** A connection that gives up soon instead of waiting: a client waits for every request. */
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
