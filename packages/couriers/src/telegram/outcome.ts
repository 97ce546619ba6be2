/** What Telegram's answers mean for the recipient. */
import { floodWaitOf, NotConnected } from '@courier-fleet/gramjs'
import { NoAnswer } from '@courier-fleet/process'
import { BadMessageError, RPCError } from 'telegram/errors/index.js'
import type { Outcome } from '../courier.ts'

/** Errors that hold for this contact until the person writes to the bot again. */
const contactErrors = {
  USER_IS_BLOCKED: { class: 'blocked', meaning: 'the person has blocked the bot' },
  INPUT_USER_DEACTIVATED: { class: 'deactivated', meaning: 'the account was deleted' },
  PEER_ID_INVALID: { class: 'invalid', meaning: 'the person has never written to the bot' },
} as const

const envelopeRetryMs = 500
const serverRetryMs = 2000
/** bad_msg_notification: too old to tell whether it was received before */
const tooOldToTell = 20

/** @param scopeOfFlood whose a wait of so many seconds is, where Telegram does not say it */
export function outcomeOf(error: unknown, scopeOfFlood: (seconds: number) => 'account' | 'recipient'): Outcome {
  if (error instanceof NoAnswer) return { kind: 'unknown', why: `Telegram: ${error.message}` }
  if (error instanceof NotConnected) return { kind: 'not-sent', why: error.message }
  const flood = floodWaitOf(error)
  if (flood) {
    const scope = flood.ofChat ? 'recipient' : scopeOfFlood(flood.seconds)
    return { kind: 'throttled', scope, retryAfterMs: flood.seconds * 1000, reason: flood.text }
  }
  if (error instanceof BadMessageError) return badMessage(error)
  if (error instanceof RPCError) return refused(error.code ?? 0, error.errorMessage)
  // neither Telegram nor the deadline said it: the message may be out
  return {
    kind: 'unknown',
    why: `Telegram: ${error instanceof Error ? error.message : 'the answer could not be read'}`,
  }
}

/** A reference of a document that Telegram does not take any more; the document is there. */
export const isExpiredReference = (outcome: Outcome): boolean =>
  outcome.kind === 'rejected' && outcome.detail.startsWith('FILE_REFERENCE_')

/** The message says already what it is to say. */
export const isSame = (error: unknown): boolean =>
  error instanceof RPCError && error.errorMessage === 'MESSAGE_NOT_MODIFIED'

/** The envelope was not right; what was in it was not looked at. */
function badMessage(error: BadMessageError): Outcome {
  const { code } = error as BadMessageError & { code: number }
  const reason = `bad_msg_notification ${code}`
  if (code === tooOldToTell) return { kind: 'unknown', why: `Telegram: ${reason}` }
  return { kind: 'throttled', scope: 'recipient', retryAfterMs: envelopeRetryMs, reason }
}

/** Texts are matched, not codes: Telegram gives the same text with different codes. */
function refused(code: number, text: string): Outcome {
  if (text in contactErrors) {
    const { class: refusal, meaning } = contactErrors[text as keyof typeof contactErrors]
    return { kind: 'rejected', class: refusal, detail: `${text}: ${meaning}` }
  }
  const kind = Math.abs(code)
  if (kind >= 400 && kind < 500 && kind !== 401 && kind !== 420) {
    return { kind: 'rejected', class: 'refused', detail: `${text}: Telegram refuses this message` }
  }
  // 303 another data centre, 401 log in again, 420 a wait without a number, 5xx trouble of Telegram's own
  return { kind: 'throttled', scope: 'account', retryAfterMs: serverRetryMs, reason: `Telegram: ${kind} ${text}` }
}
