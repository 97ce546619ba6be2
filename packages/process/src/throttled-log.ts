import { type Clock, steadyClock } from './clock.ts'

/**
 * Logs the same text once in `everyMs`, however often it is told, and then how often it was left out: what is tried four
 * times a second for an hour fills no disk.
 */
export function createThrottledLog(
  log: (fields: object, text: string) => void,
  everyMs = 10_000,
  clock: Clock = steadyClock,
): (fields: object, text: string) => void {
  const latest = new Map<string, { loggedAt: number; unsaid: number }>()
  return (fields, text) => {
    const last = latest.get(text)
    const now = clock.now()
    if (last && now - last.loggedAt < everyMs) {
      last.unsaid += 1
      return
    }
    latest.set(text, { loggedAt: now, unsaid: 0 })
    log(last && last.unsaid > 0 ? { ...fields, unsaid: last.unsaid } : fields, text)
  }
}
