import { connectRedis } from '@courier-fleet/store'
import type { Redis } from 'ioredis'

/** below the two seconds within which a request must be answered, Redis there or not */
export const usualTimeoutMs = 1500
/**
 * By so much a silent connection is dropped before a command is given up, whose time begins only when the commands before are
 * answered: all commands on it fail together, and those that follow fail at once.
 */
const soonerMs = 100

/** A connection that gives up soon instead of waiting: a client waits for every request. */
export function connectQueueRedis(url: string, timeoutMs = usualTimeoutMs): Redis {
  return connectRedis(url, {
    name: 'queue',
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    commandTimeout: timeoutMs,
    connectTimeout: 2000,
    socketTimeout: timeoutMs - soonerMs,
  })
}
