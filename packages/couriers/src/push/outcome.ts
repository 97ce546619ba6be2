/** What a push service's answer means for the recipient (RFC 8030, RFC 8292). */
import { type Answer, retryAfterMs, saidIn } from '@courier-fleet/webhooks'
import type { Outcome } from '../courier.ts'
import type { PushTiming } from './timing.ts'

/** that is ours: whichever process is next tries it */
const stoppedMs = 100

export interface Asked {
  readonly id: string
  readonly nowMs: number
  readonly timing: PushTiming
}

/**
 * 2xx certainly taken · 404 and 410 the subscription is no more: notifications were forbidden, or the browser has another one · 429 too many
 * for this browser · 5xx later · everything else is refused, and says nothing of the browser: a clock that is wrong here is answered
 * with 401 or 403 for everyone. Where no answer came to what may have arrived nobody knows, and it stays so: a push service forgets
 * what it has handed on, so that it cannot know a resend.
 */
export function outcomeOf(answer: Answer, { id, nowMs, timing }: Asked): Outcome {
  if (answer.kind === 'blocked') return { kind: 'rejected', class: 'invalid', detail: answer.why }
  const said = saidIn(answer)
  if (answer.kind === 'no-answer') {
    if (answer.sent) return { kind: 'unknown', why: `push: ${said}` }
    const retryMs = answer.why === 'stopped' ? stoppedMs : timing.awayMs
    return { kind: 'throttled', scope: 'recipient', retryAfterMs: retryMs, reason: said, isOwn: true }
  }
  const { status } = answer
  if (status >= 200 && status < 300) return { kind: 'sent', providerId: id }
  if (status === 404 || status === 410) return { kind: 'rejected', class: 'deactivated', detail: said }
  if (status === 429 || status >= 500) {
    const otherwise = status === 429 ? timing.busyMs : timing.awayMs
    return {
      kind: 'throttled',
      scope: 'recipient',
      retryAfterMs: retryAfterMs(answer, nowMs) ?? otherwise,
      reason: said,
    }
  }
  const ofKey =
    status === 401 || status === 403 ? ' (the key is made of FLEET_SECRET; its tokens need a right clock)' : ''
  return { kind: 'rejected', class: 'refused', detail: said + ofKey }
}

/** For how long nobody is sent to through this service; undefined: it is well, or the answer was about one browser. */
export function awayFor(answer: Answer, { nowMs, timing }: Omit<Asked, 'id'>): number | undefined {
  if (answer.kind === 'answer') return answer.status < 500 ? undefined : (retryAfterMs(answer, nowMs) ?? timing.awayMs)
  if (answer.kind === 'blocked' || answer.why === 'stopped') return undefined
  return answer.why === 'timed-out' ? timing.silentMs : timing.awayMs
}
