/**
 * Removes messages that have been over for longer than they are kept. Whoever asks is served first: it goes in small steps
 * with pauses. Any number of processes may do it, and nothing depends on it but the memory of Redis.
 */

import { shardNames } from '@courier-fleet/api-types'
import { type Log, sleep } from '@courier-fleet/process'
import { defineScript, keys, listReply, numberReply, type Redis, tagOf } from '@courier-fleet/store'
import { createRounds, type Rounds } from './rounds.ts'

/** time between two rounds */
const roundMs = 30_000
const retryMs = 1_000
/** a step takes Redis about a millisecond, and a pause follows: 2500 messages a second at most */
const stepMessages = 25
const pauseMs = 10

const purgeScript = defineScript('purge', {
  keys: ['retention', 'due', 'channels'],
  args: ['tag', 'keptMs', 'max'],
  reply: listReply(numberReply),
})

interface Removed {
  readonly messages: number
  /** of work streams, whose message is gone or over without them */
  readonly entries: number
}

/** Removes at most so many messages of one shard; where fewer are old enough, entries too, of at most so many a stream. */
export async function purge(redis: Redis, shard: string, keptMs: number, max: number): Promise<Removed> {
  const [messages = 0, entries = 0] = await purgeScript(
    redis,
    { retention: keys.retention(shard), due: keys.due(shard), channels: keys.channels(shard) },
    { tag: tagOf(shard), keptMs, max },
  )
  return { messages, entries }
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

  /** Step by step, with pauses, until nothing is left to remove. */
  async function purgeShard(shard: string, stopping: AbortSignal): Promise<Removed> {
    for (let [messages, entries] = [0, 0]; ; ) {
      const removed = await purge(redis, shard, keptMs(), stepMessages)
      messages += removed.messages
      entries += removed.entries
      const isDone = removed.messages < stepMessages && removed.entries === 0
      if (isDone || stopping.aborted) return { messages, entries }
      await sleep(pauseMs, stopping)
    }
  }

  async function round(stopping: AbortSignal): Promise<void> {
    for (const shard of allShards) {
      const { messages, entries } = await purgeShard(shard, stopping)
      if (messages + entries > 0) log.info({ shard, messages, entries }, 'removed what was kept for long enough')
      if (stopping.aborted) return
    }
  }

  return createRounds({ round, roundMs, retryMs, log, failed: 'cannot remove what is old' })
}
