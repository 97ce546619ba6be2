/** What an answer says of the endpoint that gave it, and not of what it was asked. */
import type { Told } from './breaker.ts'
import type { Answer } from './exchange.ts'
import { retryAfterMs } from './retry-schedule.ts'

/** What it said, in short: for the receipt, and for whoever owns the endpoint. */
export function saidIn(answer: Answer): string {
  if (answer.kind === 'blocked') return answer.why
  if (answer.kind === 'no-answer') return answer.detail
  const words = /^[\x20-\x7e]*/.exec(answer.body.trim())?.[0].slice(0, 80) ?? ''
  return words === '' ? String(answer.status) : `${answer.status}: ${words}`
}

/** What counts for its breaker; undefined where the endpoint was not reached by our own doing. */
export function toldOf(answer: Answer, nowMs: number): Pick<Told, 'answer' | 'said' | 'pauseMs'> | undefined {
  const said = saidIn(answer)
  if (answer.kind === 'blocked' || (answer.kind === 'no-answer' && answer.why === 'stopped')) return undefined
  if (answer.kind === 'no-answer') return { answer: 'failed', said }
  const pauseMs = retryAfterMs(answer, nowMs)
  if (pauseMs !== undefined) return { answer: 'left-alone', said, pauseMs }
  return { answer: answer.status < 300 || answer.status === 410 ? 'ok' : 'failed', said }
}
