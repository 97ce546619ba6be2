/** The scripts that act on a claim: whoever no longer owns it gets `Fenced`. */

import { type HistoryRef, type MessageClass, memberOf } from '@courier-fleet/api-types'
import { type Argument, defineScript, keys, ScriptError, tagOf } from '@courier-fleet/store'
import type { Redis } from 'ioredis'
import type { Findings } from './part.ts'

/** A stream entry this process owns for the time of its lease. */
export interface Claim {
  readonly stream: string
  readonly kind: 'order' | 'batch'
  readonly entry: string
  /** the delivery count under which it is owned: the fence */
  readonly deliveries: number
  readonly ref: HistoryRef
  readonly class: MessageClass
  /** the channels an order is meant for; a batch is of this one */
  readonly channels: readonly string[]
  /** ordinals from … to-1; an order means everyone */
  readonly from: number
  readonly to: number
  /** how often this range was deferred before */
  readonly tries: number
}

/** What to write of a claim; `done` when that is all. */
export interface Entry extends Findings {
  readonly claim: Claim
  readonly done: boolean
}

/** The claim has gone to another process: whatever this one still knows must not be recorded. */
export class Fenced extends Error {}

async function fencing<T>(call: Promise<T>): Promise<T> {
  try {
    return await call
  } catch (error) {
    if (error instanceof ScriptError && error.code === 'FENCED') throw new Fenced(error.message)
    throw error
  }
}

const wakeScript = defineScript('wake', { keys: ['due', 'urgent', 'normal', 'bulk'], args: ['tag', 'limit'] })
const renewScript = defineScript('renew', { keys: ['stream'], args: ['channel', 'consumer'] })
const splitScript = defineScript('split', {
  keys: ['orders', 'batches', 'history'],
  args: ['channel', 'consumer', 'entry', 'deliveries', 'message', 'size', 'people', 'tag'],
})
const recordScript = defineScript('record', { keys: ['stream'], args: ['channel', 'consumer', 'tag', 'kind'] })
const deferScript = defineScript('defer', {
  keys: ['stream', 'history', 'due'],
  args: ['channel', 'consumer', 'entry', 'deliveries', 'kind', 'message', 'from', 'to', 'tries', 'delayMs', 'tag'],
})

export type ClaimScripts = ReturnType<typeof bindClaimScripts>

export function bindClaimScripts(redis: Redis, channel: string, consumer: string) {
  const owner = (claim: Claim) => ({ channel, consumer, entry: claim.entry, deliveries: claim.deliveries })

  return {
    /** @returns how many deliveries were woken; `limit` of them means there may be more */
    async wake(shard: string, limit: number): Promise<number> {
      const orders = (cls: MessageClass) => keys.orders(shard, cls)
      const woken = await wakeScript(
        redis,
        { due: keys.due(shard), urgent: orders('urgent'), normal: orders('normal'), bulk: orders('bulk') },
        { tag: tagOf(shard), limit },
      )
      return Number(woken)
    },

    /** @returns for each claim of this one stream, whether its lease was renewed */
    async renew(stream: string, claims: readonly Claim[]): Promise<boolean[]> {
      const pairs = claims.flatMap((claim): Argument[] => [claim.entry, claim.deliveries])
      return ((await renewScript(redis, { stream }, { channel, consumer }, pairs)) as number[]).map(
        (kept) => kept === 1,
      )
    },

    /** Cuts an order into batches of at least `people`. @throws Fenced */
    async split(claim: Claim, size: number, people: number): Promise<void> {
      const { ref } = claim
      await fencing(
        splitScript(
          redis,
          { orders: claim.stream, batches: keys.batches(ref.shard, channel, claim.class), history: keys.history(ref) },
          { ...owner(claim), message: memberOf(ref), size, people, tag: tagOf(ref.shard) },
        ),
      )
    },

    /**
     * Writes what was found of claims of one stream, and finishes those that are `done`.
     * @returns for each the bytes as they stand; undefined where the claim is no longer its own, and nothing was written
     */
    async record(entries: readonly Entry[]): Promise<(Buffer | undefined)[]> {
      const [first] = entries
      if (!first) return []
      const { stream, kind, ref } = first.claim
      const more = entries.flatMap(({ claim, bytes, evidence, done }): Argument[] => [
        claim.entry,
        claim.deliveries,
        memberOf(claim.ref),
        claim.from,
        // all of them below 0x80: as a text it takes the cheaper way to Redis
        bytes.toString('latin1'),
        evidence.join('\n'),
        done ? 1 : '',
      ])
      const replies = await recordScript(redis, { stream }, { channel, consumer, tag: tagOf(ref.shard), kind }, more)
      return (replies as (Buffer | null)[]).map((reply) => reply ?? undefined)
    },

    /** Hands the ordinals from … to-1 of the claim back as a later wave. @throws Fenced */
    async defer(claim: Claim, from: number, to: number, tries: number, delayMs: number): Promise<void> {
      const { ref } = claim
      await fencing(
        deferScript(
          redis,
          { stream: claim.stream, history: keys.history(ref), due: keys.due(ref.shard) },
          {
            ...owner(claim),
            kind: claim.kind,
            message: memberOf(ref),
            from,
            to,
            tries,
            delayMs: Math.max(1, Math.ceil(delayMs)),
            tag: tagOf(ref.shard),
          },
        ),
      )
    },
  }
}
