/** `--at`, `--wait` and `--last`: moments and lengths of time as they are typed. */
import { UsageError } from './usage-error.ts'

const unitMs = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** what looks like a day, a time and an offset: the service judges it */
const instantPattern = /^\d{4}-\d\d-\d\dT[\d:.,]+(Z|[+-]\d\d:?\d\d)$/i

/** `+20s` from now as ISO 8601. @throws UsageError when it is no moment at all, or nobody can say on which clock */
export function instantOf(option: string, at: string, nowMs: number): string {
  if (at === 'now' || instantPattern.test(at)) return at
  const [, count, unit] = /^\+(\d+)([smhd])$/.exec(at) ?? []
  if (count === undefined) {
    const right =
      'now, a time from now such as +20s or +2h, or a moment with its offset such as 2026-09-01T09:00:00+03:00'
    throw new UsageError(`--${option} takes ${right}, not "${at}"`)
  }
  return new Date(nowMs + Number(count) * unitMs[unit as keyof typeof unitMs]).toISOString()
}

/** @throws UsageError when it is no length of time such as 24h or 7d */
export function lengthMsOf(option: string, text: string): number {
  const [, count, unit] = /^([1-9]\d{0,5})([smhd])$/.exec(text) ?? []
  if (count === undefined) throw new UsageError(`--${option} takes a length of time such as 24h or 7d, not "${text}"`)
  return Number(count) * unitMs[unit as keyof typeof unitMs]
}

/** @throws UsageError when it is no number of seconds */
export const waitMsOf = (wait: string): number => secondsOf('wait', wait) * 1000

/** @throws UsageError when it is no number of seconds */
export function secondsOf(option: string, text: string): number {
  if (!/^\d+(\.\d+)?$/.test(text)) throw new UsageError(`--${option} takes seconds, not "${text}"`)
  return Number(text)
}

/** @throws UsageError when it is no whole number of seconds, before or after */
export function offsetOf(text: string): number {
  if (!/^[-+]?\d+$/.test(text)) throw new UsageError(`--offset takes seconds, such as -3600 or 60, not "${text}"`)
  return Number(text)
}

/** @throws UsageError when it is no whole number above 0 */
export function countOf(option: string, text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new UsageError(`--${option} takes a whole number above 0, not "${text}"`)
  return Number(text)
}
