/**
 * A courier whose channel an operator has paused is not ready, whatever its line: it claims nothing and hands back what it holds. Its
 * process goes on waking what is due for other channels.
 */
import { EventEmitter } from 'node:events'
import { type ChannelPause, type Redis, readPause } from '@courier-fleet/store'
import type { Readiness } from '../../readiness.ts'

export interface PausableReadiness extends Readiness {
  /** Looks whether the channel is paused now. */
  look(): Promise<void>
}

export function createPausable(own: Readiness, redis: Redis, channel: string): PausableReadiness {
  const events = new EventEmitter<{ change: [] }>()
  let pause: ChannelPause | undefined
  own.events.on('change', () => events.emit('change'))
  return {
    events,
    notReady: () => (pause ? { since: pause.sinceMs, why: `${pause.by} has paused the channel` } : own.notReady()),
    async look() {
      const before = pause
      pause = await readPause(redis, channel)
      if (before?.sinceMs !== pause?.sinceMs) events.emit('change')
    },
  }
}
