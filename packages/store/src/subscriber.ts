import type { Redis } from 'ioredis'
import { connectRedis } from './redis.ts'

/** Nothing depends on a hint: a second is all that a dead line costs, so there is no hurry in noticing it. */
const defaultAskEveryMs = 5_000

/**
 * A connection for pub/sub. Whoever only listens never notices that nobody speaks any more: so it asks from time to time,
 * and a Redis that does not answer is left for a new connection, on which the subscriptions are made again.
 */
export function connectSubscriber(url: string, options: { name: string; askEveryMs?: number }): Redis {
  const { name, askEveryMs = defaultAskEveryMs } = options
  const subscriber = connectRedis(url, { name })
  let asking = false
  const timer = setInterval(() => {
    if (asking || subscriber.status !== 'ready') return
    asking = true
    subscriber
      .ping()
      .catch(() => {}) // the connection's own deadline has seen to it
      .finally(() => {
        asking = false
      })
  }, askEveryMs).unref()
  subscriber.once('end', () => clearInterval(timer))
  return subscriber
}
