/** What the command status of a submit_sm_resp means (SMPP 3.4, 5.1.3). */
import { statusName } from '@courier-fleet/smpp'
import type { Answer } from './answer.ts'

/** Neither SMPP nor the SMS centre says how long to wait. */
const slowDownMs = 1000
const notNowMs = 5000

/** Throttled, message queue full: everybody waits. Not bound for this: everybody waits for the next bind. */
const account: ReadonlySet<number> = new Set([0x58, 0x14, 0x04])
/** System error, temporary application error: this one message did not work just now. */
const recipient: ReadonlySet<number> = new Set([0x08, 0x64])
/** Invalid destination address. */
const badAddress = 0x0b

export function refusalOf(status: number): Answer {
  const code = statusName(status)
  if (account.has(status)) return { kind: 'throttled', retryAfterMs: slowDownMs, scope: 'account', reason: code }
  if (recipient.has(status)) return { kind: 'throttled', retryAfterMs: notNowMs, scope: 'recipient', reason: code }
  const detail = `${code}: the SMS centre refused it`
  return { kind: 'rejected', class: status === badAddress ? 'invalid' : 'refused', detail }
}
