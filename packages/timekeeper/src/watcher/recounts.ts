/** Recounts ledgers in small steps: what has settled lately first, and everything that is kept, over and over. */
import { type HistoryRef, historyKeyOf, refOfMember, shardNames } from '@courier-fleet/api-types'
import { sleep } from '@courier-fleet/process'
import { type Histories, keys, type Redis } from '@courier-fleet/store'

/** ledgers of a shard in one step */
const stepMessages = 5
/** A report may move counters between the two reads of a recount; what is the same a while later was not being moved. */
const betweenLooksMs = 200

interface RecountsDeps {
  readonly redis: Redis
  readonly shards: number
  readonly histories: Pick<Histories, 'recount' | 'state'>
}

export interface Recounts {
  /** A few ledgers of each shard. @returns the keys of those found wrong, now or before and still */
  step(stopping: AbortSignal): Promise<string[]>
}

export function createRecounts({ redis, shards, histories }: RecountsDeps): Recounts {
  /** by shard: up to when what has settled was recounted, Unix ms; and the rank of the next in the round through everything */
  const places = new Map(shardNames(shards).map((shard) => [shard, { recent: Date.now(), rank: 0 }]))
  const wrong = new Map<string, HistoryRef>()

  /** Undefined while it moves. */
  async function isBalanced(ref: HistoryRef, stopping: AbortSignal): Promise<boolean | undefined> {
    const first = await histories.recount(ref)
    if (first.every(({ balanced }) => balanced)) return true
    await sleep(betweenLooksMs, stopping)
    const second = await histories.recount(ref)
    return JSON.stringify(first) === JSON.stringify(second) ? false : undefined
  }

  async function look(ref: HistoryRef, stopping: AbortSignal): Promise<void> {
    const balanced = (await histories.state(ref)) === 'settled' ? await isBalanced(ref, stopping) : true
    if (balanced) wrong.delete(historyKeyOf(ref))
    if (balanced === false) wrong.set(historyKeyOf(ref), ref)
  }

  async function lookAtRecent(shard: string, place: { recent: number }, stopping: AbortSignal): Promise<void> {
    const after = `(${place.recent}`
    const limit = ['LIMIT', 0, stepMessages] as const
    const found = await redis.zrangebyscore(keys.retention(shard), after, Date.now(), 'WITHSCORES', ...limit)
    for (let at = 0; at < found.length; at += 2) {
      await look(refOfMember(shard, found[at] as string), stopping)
      place.recent = Number(found[at + 1])
    }
  }

  async function lookAround(shard: string, place: { rank: number }, stopping: AbortSignal): Promise<void> {
    const found = await redis.zrange(keys.retention(shard), String(place.rank), String(place.rank + stepMessages - 1))
    for (const member of found) await look(refOfMember(shard, member), stopping)
    place.rank = found.length < stepMessages ? 0 : place.rank + stepMessages
  }

  return {
    async step(stopping) {
      for (const ref of [...wrong.values()]) await look(ref, stopping)
      for (const [shard, place] of places) {
        if (stopping.aborted) break
        await lookAtRecent(shard, place, stopping)
        await lookAround(shard, place, stopping)
      }
      return [...wrong.keys()]
    },
  }
}
