/**
 * Removes messages that have been over for longer than they are kept. Whoever asks is served first: it goes in small steps
 * with pauses. Any number of processes may do it, and nothing depends on it but the memory of Redis.
 */

import { shardNames } from '@courier-fleet/api-types'
import { type Log, sleep } from '@courier-fleet/process'
import { defineScript, keys, numberReply, type Redis, tagOf } from '@courier-fleet/store'
import { createRounds, type Rounds } from './rounds.ts'

/** time between two rounds */
const roundMs = 30_000
const retryMs = 1_000
/** a step takes Redis about a millisecond, and a pause follows: 2500 messages a second at most */
const stepMessages = 25
const stepEntries = 25
const pauseMs = 10

const purgeScript = defineScript('purge', {
  keys: ['retention', 'due'],
  args: ['tag', 'keptMs', 'max'],
  reply: numberReply,
})
const purgeEntriesScript = defineScript('purge-entries', {
  keys: ['channels'],
  args: ['tag', 'max'],
  reply: numberReply,
})

/** Removes at most so many messages of one shard. @returns how many it removed */
export function purge(redis: Redis, shard: string, keptMs: number, max: number): Promise<number> {
  return purgeScript(
    redis,
    { retention: keys.retention(shard), due: keys.due(shard) },
    { tag: tagOf(shard), keptMs, max },
  )
}

/** Takes entries of removed messages off one shard's streams. @returns how many; 0 when none is left among the oldest */
export function purgeEntries(redis: Redis, shard: string, max: number): Promise<number> {
  return purgeEntriesScript(redis, { channels: keys.channels(shard) }, { tag: tagOf(shard), max })
}

export interface RetentionDeps {
  readonly redis: Redis
  readonly shards: number
  /** how long a message is kept once it is over; asked for each step */
  readonly keptMs: () => number
  readonly log: Log
}

export function createRetention({ redis, shards, keptMs, log }: RetentionDeps): Rounds {
  const allShards = shardNames(shards)

  /** Repeats a step, with pauses, until it did less than `more`. @returns what all steps did */
  async function repeat(step: () => Promise<number>, more: number, stopping: AbortSignal): Promise<number> {
    for (let sum = 0; ; ) {
      const done = await step()
      sum += done
      if (done < more || stopping.aborted) return sum
      await sleep(pauseMs, stopping)
    }
  }

  async function round(stopping: AbortSignal): Promise<void> {
    for (const shard of allShards) {
      const messages = await repeat(() => purge(redis, shard, keptMs(), stepMessages), stepMessages, stopping)
      const entries = await repeat(() => purgeEntries(redis, shard, stepEntries), 1, stopping)
      if (messages + entries > 0) log.info({ shard, messages, entries }, 'removed what was kept for long enough')
      if (stopping.aborted) return
    }
  }

  return createRounds({ round, roundMs, retryMs, log, failed: 'cannot remove what is old' })
}
