/** The events by which Redis tells that a delivery is due. Without them everything still goes out, up to a second late. */

import { alignedInterval, type Log } from '@courier-fleet/process'
import type { Redis } from './connection/client.ts'
import { databaseOf, everyNode, type RedisNode } from './connection/client.ts'

/** how often it is looked whether somebody has switched them off, or Redis was started without them */
const defaultEveryMs = 5_000

/** Switches the events on where they are off, on every node. @returns whether they were, anywhere. @throws Error of Redis where CONFIG is not allowed */
export async function enableExpiryEvents(redis: Redis): Promise<boolean> {
  const wereOff = await everyNode(redis, enableOn)
  return wereOff.includes(true)
}

async function enableOn(node: RedisNode): Promise<boolean> {
  const reply = (await node.config('GET', 'notify-keyspace-events')) as string[]
  const flags = reply[1] ?? ''
  if (flags.includes('E') && (flags.includes('x') || flags.includes('A'))) return false
  await node.config('SET', 'notify-keyspace-events', `${flags}Ex`)
  return true
}

export interface ExpiryEvents {
  stop(): void
}

/** Sees to it that they are on, now and from then on. Says once that they were off, and once that it cannot be seen to. */
export async function keepExpiryEvents(redis: Redis, log: Log, everyMs = defaultEveryMs): Promise<ExpiryEvents> {
  let isAllowed = true
  let isLooking = false
  async function look(): Promise<boolean> {
    if (isLooking || redis.status !== 'ready') return false
    isLooking = true
    try {
      const wereOff = await enableExpiryEvents(redis)
      isAllowed = true
      return wereOff
    } catch (error) {
      // what is lost with a connection says nothing: the next look does
      if (isAllowed && error instanceof Error && error.name === 'ReplyError') {
        isAllowed = false
        log.warn(
          { err: error },
          'it is not known whether expiry events are on: where they are off, messages go out up to a second late',
        )
      }
      return false
    } finally {
      isLooking = false
    }
  }
  await look()
  const stop = alignedInterval(everyMs, async () => {
    if (await look())
      log.warn('somebody had switched expiry events off, or Redis was started without them: they are on again')
  })
  return { stop }
}

/** Channel of the expiry events of the database this connection uses. */
export function expiredChannel(redis: Redis): string {
  return `__keyevent@${databaseOf(redis)}__:expired`
}
