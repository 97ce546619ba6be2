/** Push services that are left alone for now, so that of many people behind one only a few are tried in vain, or in doubt. */
import type { Clock } from '@courier-fleet/process'

export interface Services {
  leaveAlone(origin: string, ms: number): void
  /** @returns 0 where it may be asked */
  waitMs(origin: string): number
}

/** anybody can name one */
const maxServices = 1000

export function createServices(clock: Clock): Services {
  const until = new Map<string, number>()
  return {
    leaveAlone(origin, ms) {
      if (until.size >= maxServices) until.clear()
      until.set(origin, Math.max(until.get(origin) ?? 0, clock.now() + ms))
    },
    waitMs(origin) {
      const ms = (until.get(origin) ?? 0) - clock.now()
      if (ms <= 0) until.delete(origin)
      return Math.max(0, ms)
    },
  }
}
