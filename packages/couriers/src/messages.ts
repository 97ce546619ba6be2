import { type HistoryRef, memberOf } from '@courier-fleet/api-types'
import { keys, parseRecord } from '@courier-fleet/store'
import type { Redis } from 'ioredis'
import type { Claim } from './claim-scripts.ts'
import { grouped } from './grouped.ts'

/** What a courier needs to know of a message; fixed at acceptance. */
export interface Message {
  /** bytes an id in the audience */
  readonly width: number
  readonly text: string
}

export interface Messages {
  /** The messages of claims, in order; undefined for one that is gone. A command a shard. */
  load(claims: readonly Claim[]): Promise<(Message | undefined)[]>
}

const remembered = 256
/** Most to read in one command: Redis does nothing else meanwhile. */
const readAtOnce = 500

/** Reads messages; remembers those that come in batches, for each batch of a message asks for it again. */
export function createMessages(redis: Redis): Messages {
  const cache = new Map<string, Message>()
  const nameOf = (ref: HistoryRef) => `${ref.shard}:${memberOf(ref)}`

  function remember(ref: HistoryRef, message: Message): void {
    cache.set(nameOf(ref), message)
    if (cache.size > remembered) cache.delete(cache.keys().next().value as string)
  }

  async function read(claims: readonly Claim[]): Promise<(Message | undefined)[]> {
    const records = await redis.mget(...claims.map(({ ref }) => keys.record(ref)))
    return records.map((json, index) => {
      if (json === null) return undefined
      const { text, width } = parseRecord(json)
      const { kind, ref } = claims[index] as Claim
      if (kind === 'batch') remember(ref, { text, width })
      return { text, width }
    })
  }

  return {
    async load(claims) {
      const messages = claims.map(({ ref }) => cache.get(nameOf(ref)))
      const missing = [...claims.keys()].filter((index) => messages[index] === undefined)
      const readSome = async (indexes: readonly number[]) => {
        const found = await read(indexes.map((index) => claims[index] as Claim))
        for (const [at, index] of indexes.entries()) messages[index] = found[at]
      }
      const reads: Promise<void>[] = []
      for (const own of grouped(missing, (index) => (claims[index] as Claim).ref.shard).values())
        for (let from = 0; from < own.length; from += readAtOnce)
          reads.push(readSome(own.slice(from, from + readAtOnce)))
      await Promise.all(reads)
      return messages
    },
  }
}
