import type { HistoryRef } from '@courier-fleet/api-types'
import { atMost } from '@courier-fleet/process'
import { hints, type Subscriber } from '@courier-fleet/store'

/**
 * Tells listeners that a history has changed, over one shared subscription connection. A change while that connection is
 * down is missed: every listener is called when it is back, and a tracker reads again every `checkMs` besides.
 */
interface ChangeFeed {
  /**
   * Resolves once subscribed: `onChange` is called for every change after that. While Redis is away it resolves after a
   * short wait; `onChange` is called when Redis is back. @returns a function that stops listening
   */
  listen(ref: HistoryRef, onChange: () => void): Promise<() => void>
  close(): void
}

/** a client that waits gets its answer even when Redis gives none */
const maxSubscribeMs = 300

export function createChangeFeed(subscriber: Subscriber): ChangeFeed {
  const listeners = new Map<string, Set<() => void>>()
  const onMessage = (channel: string) => {
    for (const listener of listeners.get(channel) ?? []) listener()
  }
  const onReady = () => {
    for (const set of listeners.values()) for (const listener of set) listener()
  }
  subscriber.on('message', onMessage)
  subscriber.on('ready', onReady)

  return {
    async listen(ref, onChange) {
      const channel = hints.change(ref)
      const set = listeners.get(channel) ?? new Set()
      listeners.set(channel, set.add(onChange))
      await atMost(maxSubscribeMs, subscriber.subscribe(channel))
      let listening = true
      return () => {
        if (!listening) return
        listening = false
        set.delete(onChange)
        if (set.size > 0) return
        listeners.delete(channel)
        subscriber.unsubscribe(channel)
      }
    },
    close() {
      subscriber.off('message', onMessage)
      subscriber.off('ready', onReady)
      listeners.clear()
    },
  }
}
