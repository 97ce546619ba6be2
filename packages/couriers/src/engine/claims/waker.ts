/**
 * Turns what is due into work for the channels. A due trigger wakes its shard at once, whatever else is going on; whoever is first
 * does it for every channel.
 *
 *   HEEDING   each due trigger wakes its shard; so does what is overdue without one. Few are woken by the first call, which is made at once
 *   BURST     more is due than one call wakes, as its answer says, or as many due triggers of a shard that came before it: all shards are
 *             woken in turn, some between two reads of work, by a few calls at a time. Due triggers would only say what is known, so they are not
 *             subscribed to until no shard has more than one call wakes
 *   STOPPED   nothing is woken any more
 */
import { EventEmitter } from 'node:events'
import { shardNames } from '@courier-fleet/api-types'
import { atMost, createSlots } from '@courier-fleet/process'
import { defineScript, keys, listReply, numberReply, optionalReply, type Redis, tagOf } from '@courier-fleet/store'
import type { DueTime } from './due-times.ts'

const wakeScript = defineScript('wake', {
  keys: ['due'],
  args: ['tag', 'limit'],
  reply: listReply(optionalReply(numberReply)),
})

/** Wakes at most `limit` deliveries of a shard. @returns how many, `limit` means there may be more; and when the next is due */
export async function wakeDue(redis: Redis, shard: string, limit: number): Promise<DueTime & { woken: number }> {
  const [woken = 0, nowMs = 0, nextMs] = await wakeScript(redis, { due: keys.due(shard) }, { tag: tagOf(shard), limit })
  return { woken, nowMs, nextMs }
}

/** @returns how many were woken */
export const wakeShard = async (redis: Redis, shard: string, limit: number): Promise<number> =>
  (await wakeDue(redis, shard, limit)).woken

export interface WakerDeps {
  /** Wakes at most `limit` deliveries of a shard. @returns how many; `limit` means there may be more */
  readonly wake: (shard: string, limit: number) => Promise<number>
  readonly shards: number
  readonly stopping: AbortSignal
  /** Due triggers are not told from now on. */
  readonly unsubscribe: () => void
  /** Due triggers are told; resolves when that is so. */
  readonly subscribe: () => Promise<void>
  readonly logThrottled: (fields: object, text: string) => void
}

export interface Waker {
  /**
   * `waking`: this shard may have new work by the time a read is answered that is sent from now on. `burst`: one has begun: work is
   * to be read, with burst() between two reads
   */
  readonly events: EventEmitter<{ waking: [shard: string]; burst: [] }>
  /** Something has fallen due in this shard. */
  wake(shard: string): void
  /** Something is overdue in this shard: wakes it, unless a burst does so anyway. */
  wakeOverdue(shard: string): void
  /** Wakes every shard, unless a burst does so anyway. */
  wakeAll(): void
  isInBurst(): boolean
  /** In a burst: wakes some shards, the next in turn. @returns whether the burst is over now */
  burst(): Promise<boolean>
}

/** Redis does nothing else meanwhile. */
const maxWoken = 50
/** While it is not known whether one is due or ten thousand: in the first moment of a burst each process asks for every shard at once. */
const maxFirst = 10
/** Calls of `maxWoken`: Redis does one thing at a time, so more of them wake nothing sooner, and whoever asks it for something comes behind them. */
const maxLongCalls = 2
/** woken between two reads in a burst */
const burstShards = 4
/** one call holds up the others */
const maxWaitMs = 1_000

type Mode = { readonly name: 'HEEDING' } | { readonly name: 'BURST'; calmShards: number }

export function createWaker(deps: WakerDeps): Waker {
  return new ShardWaker(deps)
}

class ShardWaker implements Waker {
  readonly events = new EventEmitter<{ waking: [shard: string]; burst: [] }>()
  readonly #deps: WakerDeps
  readonly #allShards: readonly string[]
  #mode: Mode = { name: 'HEEDING' }
  /** shards being woken; how often each was to be woken again meanwhile */
  readonly #waking = new Map<string, number>()
  readonly #inSlot = createSlots(maxLongCalls, maxWaitMs)
  /** which shard is next in a burst */
  #next = 0

  constructor(deps: WakerDeps) {
    this.#deps = deps
    this.#allShards = shardNames(deps.shards)
  }

  wake(shard: string): void {
    void this.#wake(shard)
  }

  wakeOverdue(shard: string): void {
    if (this.#mode.name === 'HEEDING') void this.#wake(shard)
  }

  wakeAll(): void {
    for (const shard of this.#allShards) this.wakeOverdue(shard)
  }

  isInBurst(): boolean {
    return this.#mode.name === 'BURST'
  }

  async burst(): Promise<boolean> {
    const mode = this.#mode
    if (mode.name !== 'BURST') return false
    const { shards, subscribe } = this.#deps
    const some = Array.from({ length: Math.min(burstShards, shards) }, (_unused, i) => {
      return this.#allShards[(this.#next + i) % shards] as string
    })
    this.#next = (this.#next + burstShards) % shards
    mode.calmShards += burstShards
    // the others do not wait for a shard whose slot moves
    await atMost(maxWaitMs, Promise.all(some.map((shard) => this.#wake(shard))))
    if (mode.calmShards < shards) return false
    await subscribe()
    this.#mode = { name: 'HEEDING' }
    return true
  }

  /** A hint like the trigger itself: what it fails to wake is overdue a second later. */
  async #wake(shard: string): Promise<void> {
    const { stopping, logThrottled } = this.#deps
    if (stopping.aborted) return
    const again = this.#waking.get(shard)
    if (again !== undefined) {
      this.events.emit('waking', shard)
      this.#waking.set(shard, again + 1)
      // the answer may be long in coming, and each due trigger that is told until then takes its time
      if (again + 1 >= maxWoken && this.#mode.name === 'HEEDING') this.#beginBurst()
      return
    }
    this.#waking.set(shard, 0)
    const woken = await this.#wakeSome(shard).catch((error) => {
      logThrottled({ err: error }, 'cannot wake what is due')
      return 0
    })
    const fellDueAgain = this.#waking.get(shard)
    this.#waking.delete(shard)
    if (woken >= maxWoken) this.#beginBurst()
    else if (fellDueAgain && this.#mode.name === 'HEEDING') await this.#wake(shard)
  }

  /** Few at first, unless it is known that there are many: then as many as one call wakes, when it is its turn. @returns as one call does */
  async #wakeSome(shard: string): Promise<number> {
    if (this.#mode.name === 'HEEDING') {
      const woken = await this.#call(shard, maxFirst)
      if (woken < maxFirst) return woken
    }
    return this.#inSlot(() => this.#call(shard, maxWoken))
  }

  async #call(shard: string, limit: number): Promise<number> {
    const { stopping, wake } = this.#deps
    if (stopping.aborted) return 0
    this.events.emit('waking', shard)
    return wake(shard, limit)
  }

  #beginBurst(): void {
    if (this.#mode.name === 'HEEDING') this.#deps.unsubscribe()
    this.#mode = { name: 'BURST', calmShards: 0 }
    this.events.emit('burst')
  }
}
