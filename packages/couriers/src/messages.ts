import { type HistoryRef, keys, memberOf, parseRecord } from '@courier-fleet/core'
import type { Redis } from 'ioredis'

/** What a courier needs to know of a message; fixed once it has started. */
export interface Message {
  readonly ref: HistoryRef
  /** people */
  readonly size: number
  /** bytes an id in the audience */
  readonly width: number
  readonly text: string
  /** the channels it is meant for */
  readonly expected: readonly string[]
}

const remembered = 256

/** Reads messages, and remembers the last few: the batches of one message ask for it again and again. */
export function createMessages(redis: Redis): { load(ref: HistoryRef): Promise<Message | undefined> } {
  const cache = new Map<string, Message>()

  return {
    async load(ref) {
      const name = `${ref.shard}:${memberOf(ref)}`
      const known = cache.get(name)
      if (known) return known
      const [[size, expected], json] = await Promise.all([
        redis.hmget(keys.history(ref), 'size', 'expected'),
        redis.get(keys.record(ref)),
      ])
      if (!json || size === undefined || size === null) return undefined
      const { text, width } = parseRecord(json)
      const message = { ref, size: Number(size), width, text, expected: (expected ?? '').split(',') }
      cache.set(name, message)
      if (cache.size > remembered) cache.delete(cache.keys().next().value as string)
      return message
    },
  }
}
