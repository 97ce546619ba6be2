/** How the fleet is now, read again every few seconds while somebody sees it. */
import type { Client } from '@courier-fleet/client'
import type { Seen } from '@courier-fleet/words/troubles'
import { type Signal, signal } from '@preact/signals'

interface ServiceStore {
  readonly seen: Signal<Seen | undefined>
  /** why it could not be read the last time; what was read before stays */
  readonly error: Signal<unknown>
  readonly again: () => Promise<void>
  /** @returns what ends it */
  follow(): () => void
}

const everyMs = 3000

export function createServiceStore(api: Client): ServiceStore {
  const seen = signal<Seen | undefined>(undefined)
  const error = signal<unknown>(undefined)
  let reading: Promise<void> | undefined

  async function read() {
    try {
      const [channels, service] = await Promise.all([api.channels(), api.service()])
      seen.value = { channels, service }
      error.value = undefined
    } catch (cause) {
      error.value = cause
    }
  }
  const again = () => {
    reading ??= read().finally(() => {
      reading = undefined
    })
    return reading
  }
  return {
    seen,
    error,
    again,
    follow() {
      const look = () => {
        if (!document.hidden) again()
      }
      look()
      const timer = setInterval(look, everyMs)
      document.addEventListener('visibilitychange', look)
      return () => {
        clearInterval(timer)
        document.removeEventListener('visibilitychange', look)
      }
    },
  }
}
