/** Told of what happens, as far as that goes: nothing may depend on it. */
import { EventEmitter } from 'node:events'
import { connectNode } from '../connection/connect.ts'
import { type Kind, Line } from './line.ts'

/** Nothing depends on a hint: a second is all that a dead line costs, so there is no hurry in noticing it. */
const defaultAskEveryMs = 5_000

interface SubscriberEvents {
  message: [channel: string, payload: string]
  ready: []
}

/**
 * `message`: something was told in a channel. `ready`: after a time in which not everything was, it is again: whoever follows something looks for
 * themselves.
 */
export interface Subscriber extends Pick<EventEmitter<SubscriberEvents>, 'on' | 'once' | 'off' | 'listenerCount'> {
  /**
   * Resolves once these are told, or `ready` will say so: a Redis that is away is asked as soon as it is back.
   * @throws Error of Redis, where it refuses
   */
  subscribe(...channels: string[]): Promise<void>
  unsubscribe(...channels: string[]): void
  disconnect(): void
}

/** Connects when it is first needed, and stays so until disconnect(). */
export function connectSubscriber(url: string, options: { name: string; askEveryMs?: number }): Subscriber {
  return new LinesSubscriber(url, options)
}

/** What Redis tells of itself, and nothing else, begins like this. */
const kindOf = (channel: string): Kind => (channel.startsWith('__key') ? 'events' : 'sharded')

class LinesSubscriber extends EventEmitter<SubscriberEvents> implements Subscriber {
  readonly #url: string
  readonly #name: string
  readonly #askEveryMs: number
  readonly #lines = new Map<Kind, Line>()

  constructor(url: string, { name, askEveryMs = defaultAskEveryMs }: { name: string; askEveryMs?: number }) {
    super()
    this.#url = url
    this.#name = name
    this.#askEveryMs = askEveryMs
  }

  async subscribe(...channels: string[]): Promise<void> {
    await Promise.all(channels.map((channel) => this.#line(kindOf(channel)).add(channel)))
  }

  unsubscribe(...channels: string[]): void {
    for (const channel of channels) this.#lines.get(kindOf(channel))?.remove(channel)
  }

  disconnect(): void {
    for (const line of this.#lines.values()) line.close()
    this.#lines.clear()
  }

  #line(kind: Kind): Line {
    const known = this.#lines.get(kind)
    if (known) return known
    const line = new Line({
      redis: connectNode(this.#url, { name: this.#name, listens: true }),
      kind,
      askEveryMs: this.#askEveryMs,
      onMessage: (channel, payload) => void this.emit('message', channel, payload),
      onReturn: () => void this.emit('ready'),
      onTrouble: () => {},
    })
    this.#lines.set(kind, line)
    return line
  }
}
