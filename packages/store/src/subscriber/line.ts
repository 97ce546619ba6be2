/**
 * A connection that only listens, to some channels of one node. Whoever only listens never notices that nobody speaks any more: so it asks from
 * time to time, and a node that does not answer is left for a new connection, on which the subscriptions are made again.
 *
 * A line carries one kind of channel. Redis counts the two apart, and ioredis takes the end of one kind for the end of both.
 */
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
  /** those that the node has confirmed on this connection */
  readonly #confirmed = new Set<string>()
  /** once the first connection was made, or was not */
  readonly #tried: Promise<void>
  readonly #timer: NodeJS.Timeout
  #isAsking = false

  constructor(deps: LineDeps) {
    this.#deps = deps
    const { redis, kind, askEveryMs, onMessage, onTrouble } = deps
    redis.on(verbs[kind].heard, onMessage)
    this.#tried = new Promise((resolve) => {
      let wasAway = false
      redis.on('ready', async () => {
        const told = await this.#mend()
        resolve()
        if (wasAway && told > 0) deps.onReturn()
        wasAway = false
      })
      redis.on('close', () => {
        wasAway = true
        this.#confirmed.clear()
        resolve()
        onTrouble()
      })
    })
    // the node has ended subscriptions of its own accord, or named another: their slots have moved
    redis.on('moved', () => {
      this.#confirmed.clear()
      onTrouble()
    })
    this.#timer = setInterval(() => void this.look(), askEveryMs).unref()
    redis.connect().catch(() => {}) // tried again by itself
  }

  /**
   * Resolves once the node tells what comes in this channel; at once while it is away: it is asked when it is back.
   * @throws Error of Redis, where it refuses
   */
  async add(channel: string): Promise<void> {
    this.#wanted.add(channel)
    await this.#tried
    if (this.#deps.redis.status === 'ready' && !this.#confirmed.has(channel)) await this.#listen(channel)
  }

  remove(channel: string): void {
    const { redis, kind } = this.#deps
    this.#wanted.delete(channel)
    this.#confirmed.delete(channel)
    if (redis.status === 'ready') redis[verbs[kind].leave](channel).catch(() => {})
  }

  /** Asks whether the node answers, and for what it does not tell yet. */
  async look(): Promise<void> {
    const { redis, onReturn } = this.#deps
    if (this.#isAsking || redis.status !== 'ready') return
    this.#isAsking = true
    try {
      await redis.ping()
      if ((await this.#mend()) > 0) onReturn()
    } catch {
      // the connection's own deadline has seen to it
    } finally {
      this.#isAsking = false
    }
  }

  close(): void {
    clearInterval(this.#timer)
    this.#deps.redis.disconnect()
  }

  async #listen(channel: string): Promise<void> {
    const { redis, kind } = this.#deps
    try {
      await redis[verbs[kind].listen](channel)
    } catch (error) {
      // a connection that was lost meanwhile is asked anew
      if (error instanceof Error && error.name === 'ReplyError') throw error
      return
    }
    if (this.#wanted.has(channel)) this.#confirmed.add(channel)
  }

  /** @returns of how many channels that were not told it is told now */
  async #mend(): Promise<number> {
    const missing = [...this.#wanted].filter((channel) => !this.#confirmed.has(channel))
    await Promise.all(missing.map((channel) => this.#listen(channel).catch(() => {})))
    return missing.filter((channel) => this.#confirmed.has(channel)).length
  }
}
