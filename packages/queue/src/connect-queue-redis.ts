import { connectRedis, type Redis } from '@courier-fleet/store'

/** below the two seconds within which a request must be answered, Redis there or not */
export const usualTimeoutMs = 1500

/** A connection that gives up soon instead of waiting: a client waits for every request. */
export const connectQueueRedis = (url: string, timeoutMs = usualTimeoutMs): Redis =>
  connectRedis(url, { name: 'queue', patienceMs: timeoutMs })
