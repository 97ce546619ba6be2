/**
 * Under which master each shard lies. After a fail-over to a replica that was behind, an entry may be read again by the process that had
 * read it before, under the same delivery count: so the name of a consumer ends with the generation, and lua/lib/lease.lua knows no
 * claim of another.
 */
import { shardNames } from '@courier-fleet/api-types'
import type { Redis } from '../connection/client.ts'
import { tagOf } from '../hash-tags.ts'
import { keys } from '../keys.ts'
import { flagReply, listReply, numberReply, textReply } from '../replies.ts'
import { defineScript } from '../script.ts'

export interface Master {
  /** empty where no other Redis ever takes the master's place */
  readonly generation: string
  /** that are connected to it */
  readonly replicas: number
  /** those of them that have answered lately */
  readonly answering: number
  /** One that answered has left a moment ago: it may be about to take the master's place. */
  readonly isLeft: boolean
}

export const generationScript = defineScript('generation', {
  keys: ['key'],
  args: ['keptMs', 'missedMs'],
  reply(reply): Master {
    const [generation, replicas, answering, isLeft] = listReply((each) => each)(reply)
    return {
      generation: textReply(generation),
      replicas: numberReply(replicas),
      answering: numberReply(answering),
      isLeft: flagReply(isLeft),
    }
  },
})

/** Who the master of this key is; nothing is written. */
export const masterOf = (redis: Redis, key: string): Promise<Master> =>
  generationScript(redis, { key }, { keptMs: 0, missedMs: 0 })

export interface Generations {
  /** as it was when they were last looked at */
  of(shard: string): string
  /** those before, as far as this process has seen them */
  before(shard: string): readonly string[]
  /** @returns whether any has changed */
  look(): Promise<boolean>
}

/** Of one Redis, whose place no other takes. */
export const oneGeneration: Generations = {
  of: () => '',
  before: () => [],
  look: async () => false,
}

/** of a shard that are remembered: claims of earlier ones are taken over like those of others */
const maxBefore = 4

/** Known once look() has been called. */
export function createGenerations({ redis, shards }: { redis: Redis; shards: number }): Generations {
  const seen = new Map<string, string[]>()
  let looking: Promise<boolean> | undefined

  async function lookAt(shard: string): Promise<boolean> {
    const { generation } = await masterOf(redis, keys.durable(tagOf(shard)))
    const known = seen.get(shard) ?? []
    if (known[0] === generation) return false
    seen.set(shard, [generation, ...known.filter((each) => each !== generation)].slice(0, 1 + maxBefore))
    return known.length > 0
  }

  return {
    of: (shard) => seen.get(shard)?.[0] ?? '',
    before: (shard) => seen.get(shard)?.slice(1) ?? [],
    look() {
      looking ??= Promise.all(shardNames(shards).map(lookAt))
        .then((changed) => changed.includes(true))
        .finally(() => {
          looking = undefined
        })
      return looking
    },
  }
}
