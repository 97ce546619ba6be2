/** Told of what happens, as far as that goes: nothing may depend on it. */
import type { EventEmitter } from 'node:events'

export interface SubscriberEvents {
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
