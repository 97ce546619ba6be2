/**
 * A connection that only listens, to some channels of one node. Whoever only listens never notices that nobody speaks any more: so it asks from
 * time to time, and a node that does not answer is left for a new connection, on which the subscriptions are made again.
 *
 * A line carries one kind of channel. Redis counts the two apart, and ioredis takes the end of one kind for the end of both.
 */
import { alignedInterval } from '@courier-fleet/process'
import type { RedisNode } from '../connection/client.ts'

export type Kind = 'events' | 'sharded'

const verbs = {
  events: { listen: 'subscribe', leave: 'unsubscribe', heard: 'message' },
  sharded: { listen: 'ssubscribe', leave: 'sunsubscribe', heard: 'smessage' },
} as const

export interface LineDeps {
  /** not connected yet, and used by nobody else; it makes no subscriptions by itself, and what it is asked while it is away fails */
  readonly redis: RedisNode
  readonly kind: Kind
  readonly askEveryMs: number
  readonly onMessage: (channel: string, payload: string) => void
  /** It has not listened for a while, to some channel at least, and does again. */
  readonly onReturn: () => void
  /** The node does not answer, or will not have a channel here. */
  readonly onTrouble: () => void
}

export class Line {
  readonly #deps: LineDeps
  readonly #wanted = new Set<string>()
  /** those that the node was asked for on this connection, and has not refused; resolves when it has confirmed it */
  readonly #asked = new Map<string, Promise<void>>()
  /** once the first connection was made, or was not */
  readonly #tried: Promise<void>
  readonly #stopLooking: () => void
  #isLooking = false

  constructor(deps: LineDeps) {
    this.#deps = deps
    const { redis, kind, askEveryMs, onMessage, onReturn, onTrouble } = deps
    redis.on(verbs[kind].heard, onMessage)
    this.#tried = new Promise((resolve) => {
      let wasAway = false
      redis.on('ready', async () => {
        const isReturn = wasAway
        wasAway = false
        const hasMissed = await this.#mend()
        resolve()
        if (isReturn && hasMissed) onReturn()
      })
      redis.on('close', () => {
        wasAway = true
        this.#asked.clear()
        resolve()
        onTrouble()
      })
    })
    // the node has ended subscriptions of its own accord, or named another: their slots have moved
    redis.on('moved', () => {
      this.#asked.clear()
      onTrouble()
    })
    this.#stopLooking = alignedInterval(askEveryMs, () => void this.look())
    redis.connect().catch(() => {}) // tried again by itself
  }

  /**
   * Resolves once the node tells what comes in this channel; at once while it is away: it is asked when it is back.
   * @throws Error of Redis, where it refuses
   */
  async add(channel: string): Promise<void> {
    this.#wanted.add(channel)
    await this.#tried
    if (this.#deps.redis.status === 'ready') await this.#listen(channel)
  }

  remove(channel: string): void {
    const { redis, kind } = this.#deps
    this.#wanted.delete(channel)
    this.#asked.delete(channel)
    if (redis.status === 'ready') redis[verbs[kind].leave](channel).catch(() => {})
  }

  /** Asks whether the node answers, and for what it does not tell. */
  async look(): Promise<void> {
    const { redis, onReturn } = this.#deps
    if (this.#isLooking || redis.status !== 'ready') return
    this.#isLooking = true
    try {
      await redis.ping()
      if (await this.#mend()) onReturn()
    } catch {
      // the connection's own deadline has seen to it
    } finally {
      this.#isLooking = false
    }
  }

  close(): void {
    this.#stopLooking()
    this.#deps.redis.disconnect()
  }

  #listen(channel: string): Promise<void> {
    const known = this.#asked.get(channel)
    if (known) return known
    const { redis, kind } = this.#deps
    const asked = redis[verbs[kind].listen](channel).then(
      () => {},
      (error: Error) => {
        if (this.#asked.get(channel) === asked) this.#asked.delete(channel)
        // a connection that was lost meanwhile is asked anew
        if (error.name === 'ReplyError') throw error
      },
    )
    this.#asked.set(channel, asked)
    return asked
  }

  /** Asks for what the node was not asked for, or has refused. @returns whether it tells some of that now */
  async #mend(): Promise<boolean> {
    const missing = [...this.#wanted].filter((channel) => !this.#asked.has(channel))
    await Promise.all(missing.map((channel) => this.#listen(channel).catch(() => {})))
    return missing.some((channel) => this.#asked.has(channel))
  }
}
