/** Messages for phones that are switched off: each settles when its phone is on again, or after `maxHoldMs`. */
import type { Phone } from '../stand-in.ts'
import type { World } from '../world.ts'

export interface Held {
  /** @param settle called once, in the order of holding: expired, or the phone is on */
  hold(address: string, settle: (expired: boolean) => void): void
  stop(): void
}

interface Waiting {
  readonly settle: (expired: boolean) => void
  readonly timer: NodeJS.Timeout
}

export function createHeld({ world, maxHoldMs }: { world: World; maxHoldMs: number }): Held {
  const phones = new Map<string, Set<Waiting>>()

  const onPhone = ({ channel, address, state }: Phone) => {
    const waiting = phones.get(address)
    if (channel !== 'sms' || state !== 'ok' || !waiting) return
    phones.delete(address)
    for (const { settle, timer } of waiting) {
      clearTimeout(timer)
      settle(false)
    }
  }
  world.on('phone', onPhone)

  return {
    hold(address, settle) {
      const waiting = phones.get(address) ?? new Set()
      phones.set(address, waiting)
      const message: Waiting = {
        settle,
        timer: setTimeout(() => {
          waiting.delete(message)
          if (waiting.size === 0) phones.delete(address)
          settle(true)
        }, maxHoldMs),
      }
      waiting.add(message)
    },
    stop() {
      world.off('phone', onPhone)
      for (const waiting of phones.values()) for (const { timer } of waiting) clearTimeout(timer)
      phones.clear()
    },
  }
}
