/** What an endpoint's answer means for the recipient, and for the endpoint. */
import { type Answer, nextTryMs, saidIn } from '@courier-fleet/webhooks'
import type { Outcome } from '../courier.ts'

export interface Tried {
  readonly id: string
  /** before this one */
  readonly triesBefore: number
  /** HTTP_RETRY_SCALE */
  readonly scale: number
  readonly nowMs: number
}

const movedTo = ({ headers }: Extract<Answer, { kind: 'answer' }>) => headers.location ?? 'elsewhere'

/**
 * 2xx certainly taken · 410 gone for good · 3xx and an address that must not be called: refused, for somebody has to give another one ·
 * everything else is tried again. Where no answer came to what may have arrived, nobody knows: it stays so until the next try, which a
 * receiver folds by its id.
 */
export function outcomeOf(answer: Answer, { id, triesBefore, scale, nowMs }: Tried): Outcome {
  if (answer.kind === 'blocked') return { kind: 'rejected', class: 'invalid', detail: answer.why }
  if (answer.kind === 'answer') {
    const { status } = answer
    if (status >= 200 && status < 300) return { kind: 'sent', providerId: id }
    if (status === 410) return { kind: 'rejected', class: 'deactivated', detail: saidIn(answer) }
    if (status >= 300 && status < 400) {
      const detail = `${status}: moved to ${movedTo(answer)}: change the address, for no redirect is followed`
      return { kind: 'rejected', class: 'refused', detail }
    }
  }
  const waitMs = nextTryMs({ tries: triesBefore + 1, answer, scale, nowMs })
  if (answer.kind === 'no-answer' && answer.sent) {
    // that is ours, and not the endpoint's: whichever process is next tries it again
    const isOurs = answer.why === 'stopped'
    return { kind: 'unknown', why: saidIn(answer), ...(isOurs ? {} : { retryAfterMs: waitMs }) }
  }
  return { kind: 'not-taken', retryAfterMs: waitMs, detail: saidIn(answer), wasAsked: true }
}

/** It is to be left alone for so long; nobody has been asked. */
export const leftAlone = (ms: number): Outcome => ({
  kind: 'not-taken',
  retryAfterMs: ms,
  detail: 'not called: it has failed again and again, or has asked to be left alone for a while',
  wasAsked: false,
})

/** Nobody calls it until its owner says that it works, or gives another address. */
export const switchedOff = (sinceMs: number, why: 'failures' | 'by-hand'): Outcome => ({
  kind: 'rejected',
  class: 'deactivated',
  detail: `switched off since ${new Date(sinceMs).toISOString()}: ${
    why === 'failures' ? 'it had done nothing but fail for five days' : 'by hand'
  }`,
})
