/** What VK's error codes mean for one recipient: https://dev.vk.com/reference/errors and the page of messages.send. */
import type { RefusalClass } from '@courier-fleet/api-types'
import { refusesToken } from '@courier-fleet/channels/vk/refused-token'
import type { Outcome } from '../courier.ts'

/** final for this person */
const refusals: Readonly<Record<number, RefusalClass>> = {
  18: 'deactivated',
  900: 'blocked',
  901: 'blocked',
  902: 'blocked',
  936: 'invalid',
}

/** Places of VK's second come free one after the other, not all at its end: this is enough for several. */
const tooManyASecondMs = 250

/** certainly not accepted, and worth another try after so many ms */
const waitsMs: Readonly<Record<number, number>> = {
  6: tooManyASecondMs,
  9: 5_000,
  14: 600_000,
  29: 60_000,
  950: 10_000,
}

/** the token is refused: nothing goes out until somebody mends it, and nobody is lost meanwhile */
const tokenWaitMs = 60_000

/** VK broke off somewhere on the way: part of the work may be done */
const ambiguousCodes: ReadonlySet<number> = new Set([1, 10, 13, 36])

/** `scope`: whether the error was said of one peer, or of a call and all in it. */
export function outcomeOfError(code: number, description: string, scope: 'account' | 'recipient'): Outcome {
  const reason = `VK says ${code}: ${description}`
  if (refusesToken(code))
    return {
      kind: 'throttled',
      retryAfterMs: tokenWaitMs,
      scope: 'account',
      reason: `VK refuses the token (${code}: ${description}); set a valid VK_TOKEN`,
    }
  const retryAfterMs = waitsMs[code]
  if (retryAfterMs !== undefined) return { kind: 'throttled', retryAfterMs, scope, reason }
  if (ambiguousCodes.has(code)) return { kind: 'unknown', why: reason }
  return { kind: 'rejected', class: refusals[code] ?? 'refused', detail: `${code}: ${description}` }
}
