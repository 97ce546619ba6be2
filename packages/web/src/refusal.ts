/** What an answer to a message tells of the tries before it whose answer was lost. */
import type { ApiError } from '@courier-fleet/client'

/** what is said before it is looked whether the same was sent before */
const ofThisTry = ['bad-csrf-token', 'not-allowed']
/** of calls that come too fast the service does not look what they are */
const ofTheDay = ['quota', 'too-much-today']

/** The message was not accepted by this try nor by one before it, and will not be: after a 5xx it may have been. */
export function isRefused({ problem: { status, code } }: ApiError, isFirstTry: boolean): boolean {
  if (status >= 500 || code === 'in-progress') return false
  if (isFirstTry) return true
  if (status === 429) return ofTheDay.includes(code)
  return status !== 401 && status !== 408 && !ofThisTry.includes(code)
}
