/**
 * Removes messages that have been over for longer than they are kept. Whoever asks is served first: it goes in small steps
 * with pauses. Any number of processes may do it, and nothing depends on it but the memory of Redis.
 */

import { shardName } from '@courier-fleet/api-types'
import { field, type Log, parsePositive, sleep, withDefault } from '@courier-fleet/process'
import { defineScript, keys, tagOf } from '@courier-fleet/store'
import type { Redis } from 'ioredis'

const dayMs = 86_400_000
/** time between two looks at everything */
const lookMs = 10_000
const retryMs = 1_000
/** a step takes Redis about a millisecond, and a pause follows: 2500 messages a second at most */
const stepMessages = 25
const stepEntries = 25
const pauseMs = 10

const retireScript = defineScript('retire', { keys: ['kept', 'due'], args: ['tag', 'keptMs', 'limit'] })
const discardScript = defineScript('discard', { keys: ['urgent', 'normal', 'bulk'], args: ['tag', 'most'] })

/** RETENTION_DAYS, in ms */
export const retentionMs = withDefault(field('a number of days above 0, such as 90 or 0.5', daysInMs), 90 * dayMs)

function daysInMs(text: string): number | undefined {
  const days = parsePositive(text)
  return days === undefined ? undefined : Math.round(days * dayMs)
}

/** Removes at most so many messages of one shard. @returns how many it removed */
export async function retire(redis: Redis, shard: string, keptMs: number, limit: number): Promise<number> {
  return Number(
    await retireScript(redis, { kept: keys.kept(shard), due: keys.due(shard) }, { tag: tagOf(shard), keptMs, limit }),
  )
}

/** Takes entries of removed messages off one shard's streams. @returns how many; 0 when none is left among the oldest */
export async function discard(redis: Redis, shard: string, most: number): Promise<number> {
  const streams = {
    urgent: keys.orders(shard, 'urgent'),
    normal: keys.orders(shard, 'normal'),
    bulk: keys.orders(shard, 'bulk'),
  }
  return Number(await discardScript(redis, streams, { tag: tagOf(shard), most }))
}

export interface RetentionDeps {
  readonly redis: Redis
  readonly shards: number
  /** how long a message is kept once it is over */
  readonly keptMs: number
  readonly log: Log
}

export interface Retention {
  start(): void
  stop(): Promise<void>
}

export function createRetention({ redis, shards, keptMs, log }: RetentionDeps): Retention {
  const stopping = new AbortController()
  const allShards = Array.from({ length: shards }, (_unused, index) => shardName(index))
  let running: Promise<void> | undefined

  /** Repeats a step, with pauses, until it did less than `more`. @returns what all steps did */
  async function repeat(step: () => Promise<number>, more: number): Promise<number> {
    for (let sum = 0; ; ) {
      const done = await step()
      sum += done
      if (done < more || stopping.signal.aborted) return sum
      await sleep(pauseMs, stopping.signal)
    }
  }

  async function round(): Promise<void> {
    for (const shard of allShards) {
      const messages = await repeat(() => retire(redis, shard, keptMs, stepMessages), stepMessages)
      const entries = await repeat(() => discard(redis, shard, stepEntries), 1)
      if (messages + entries > 0) log.info({ shard, messages, entries }, 'removed what was kept for long enough')
      if (stopping.signal.aborted) return
    }
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        await round()
        await sleep(lookMs, stopping.signal)
      } catch (error) {
        log.error({ err: error }, 'cannot remove what is old')
        await sleep(retryMs, stopping.signal)
      }
    }
  }

  return {
    start() {
      running = run()
    },
    async stop() {
      stopping.abort()
      await running
    },
  }
}
