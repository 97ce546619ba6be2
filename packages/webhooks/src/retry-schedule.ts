/** When something that failed is tried again: the schedule of standard-webhooks. */
import type { Answer } from './exchange.ts'

const second = 1000
const minute = 60 * second
const hour = 60 * minute

/** after the first try, the second …; the last goes on until the message expires */
const pausesMs = [
  5 * second,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
] as const

/** from the first try to the last of them, without what the endpoint asks for */
export const scheduleMs = (scale: number): number => scale * pausesMs.reduce<number>((sum, pauseMs) => sum + pauseMs, 0)

/** so that what failed together does not come back together */
const jitter = 0.2

export interface FailedTry {
  /** how many there have been, from 1 */
  readonly tries: number
  readonly answer: Answer
  /** HTTP_RETRY_SCALE */
  readonly scale: number
  readonly nowMs: number
}

/** How long until the next try. */
export function nextTryMs({ tries, answer, scale, nowMs }: FailedTry): number {
  const pauseMs = pausesMs[Math.min(tries, pausesMs.length) - 1] as number
  const drawn = pauseMs * (1 + jitter * (2 * Math.random() - 1))
  // who is overloaded is given a minute at least
  const overloaded =
    answer.kind === 'answer' ? answer.status === 429 : answer.kind === 'no-answer' && answer.why === 'timed-out'
  return Math.ceil(Math.max((overloaded ? Math.max(drawn, minute) : drawn) * scale, retryAfterMs(answer, nowMs) ?? 0))
}

/** What an answer with 429 or 503 asks for, from a second to an hour; undefined when it asks for nothing. */
export function retryAfterMs(answer: Answer, nowMs: number): number | undefined {
  if (answer.kind !== 'answer' || ![429, 503].includes(answer.status)) return undefined
  const text = answer.headers['retry-after']?.trim() ?? ''
  const date = /^[A-Z][a-z]{2}, .* GMT$/.test(text) ? Date.parse(text) : Number.NaN
  const ms = /^\d{1,9}$/.test(text) ? Number(text) * second : date - nowMs
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(ms, second), hour)
}
