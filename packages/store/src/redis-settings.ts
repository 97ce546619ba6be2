/**
 * What a Redis is set to, whoever has started it. The events by which it tells that a delivery is due: without them everything still goes out, up to a
 * second late. And short nodes of streams: Redis looks through the node from its front for each entry that is deleted, or whose lease is begun anew.
 */

import { alignedInterval, type Log } from '@courier-fleet/process'
import type { Redis } from './connection/client.ts'
import { databaseOf, everyNode, type RedisNode } from './connection/client.ts'

/** how often it is looked whether somebody has set it otherwise, or started Redis without it */
const defaultEveryMs = 5_000
/** Redis's own is 100 */
const streamNodeEntries = 16

/**
 * Switches expiry events on where they are off, and shortens the nodes of streams, on every node. @returns whether events were off, anywhere.
 * @throws Error of Redis where CONFIG is not allowed
 */
export async function applyRedisSettings(redis: Redis): Promise<boolean> {
  const wereOff = await everyNode(redis, applyOn)
  return wereOff.includes(true)
}

async function applyOn(node: RedisNode): Promise<boolean> {
  const found = (await node.config('GET', 'notify-keyspace-events', 'stream-node-max-entries')) as string[]
  const setTo = (name: string) => (found.includes(name) ? found[found.indexOf(name) + 1] : undefined)
  const wereOff = await switchEventsOn(node, setTo('notify-keyspace-events') ?? '')
  await shortenStreamNodes(node, Number(setTo('stream-node-max-entries') ?? streamNodeEntries))
  return wereOff
}

async function switchEventsOn(node: RedisNode, flags: string): Promise<boolean> {
  if (flags.includes('E') && (flags.includes('x') || flags.includes('A'))) return false
  await node.config('SET', 'notify-keyspace-events', `${flags}Ex`)
  return true
}

/** Those that are made from now on; whoever has set it lower keeps that. A Redis that refuses takes longer, and no more. */
async function shortenStreamNodes(node: RedisNode, entries: number): Promise<void> {
  const isUnlimited = entries === 0
  if (!isUnlimited && entries <= streamNodeEntries) return
  await node.config('SET', 'stream-node-max-entries', streamNodeEntries).catch((error: Error) => {
    if (error.name !== 'ReplyError') throw error
  })
}

export interface RedisSettings {
  stop(): void
}

/** Sees to it that they are so, now and from then on. Says once that events were off, and once that it cannot be seen to. */
export async function keepRedisSettings(redis: Redis, log: Log, everyMs = defaultEveryMs): Promise<RedisSettings> {
  let isAllowed = true
  let isLooking = false
  async function look(): Promise<boolean> {
    if (isLooking || redis.status !== 'ready') return false
    isLooking = true
    try {
      const wereOff = await applyRedisSettings(redis)
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
